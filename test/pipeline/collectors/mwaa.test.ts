import { expect, it } from 'vitest'
import { parseAs } from './context.ts'

const answer = (res: unknown) => JSON.stringify({ response: { header: '', res } })

it("removes the empty brackets of IAD's names", () => {
  const { readings } = parseAs('mwaa-iad', answer({ A: { location: 'Terminal 1( )', waittime: '3 mins' } }), 'IAD')
  expect(readings).toMatchObject([{ checkpoint: 'Terminal 1', wait_minutes: 3 }])
})

it('accepts the empty list that PHP writes for an empty map', () => {
  expect(parseAs('mwaa-iad', answer([]), 'IAD')).toEqual({ readings: [], notices: [] })
})
