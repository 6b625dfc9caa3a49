import { expect, it } from 'vitest'
import { fillPayload } from '../../../../pipeline/simulator/sites/payload.ts'

it('a payload fails on a slot that nobody fills', () => {
  expect(() => fillPayload('ist.json', { queues: [] })).toThrow('status')
})
