import { expect, test } from 'vitest'
import { isoUtc } from '../../../../config/vocabulary.ts'
import { type LatestReading, queueWait } from '../../../../warehouse/publishing/waits/queue-wait.ts'
import { publishedOpening } from '../../../../warehouse/publishing/waits/stated-opening.ts'
import { withHours } from '../../../../warehouse/publishing/waits/status-by-hours.ts'
import { testValues } from '../../../values.ts'
import { reading } from '../../test-rows.ts'

/** Saturday 23:30 in Washington. */
const NIGHT = '2026-11-22T04:30:00Z'

testValues('warehouse/publishing/waits/stated-opening.json', {
  publishedOpening: (text: string, iata: string, observed_at: string) => {
    const opening = publishedOpening(text, iata, observed_at)
    return opening && isoUtc(opening)
  },
})

const CLOSED = { status: 'closed', wait_minutes: null } as const
const closed = (over: Partial<LatestReading>): LatestReading =>
  reading({
    source: 'mwaa-dca',
    iata: 'DCA',
    terminal: '2',
    checkpoint: 'North',
    observed_at: NIGHT,
    ...CLOSED,
    ...over,
  })

test('a closed airport opens with the first of its checkpoints, each by its own words', () => {
  const readings = [
    closed({ wait_text: 'Opens 5am' }),
    closed({ checkpoint: 'South', wait_text: 'Opens 4am' }),
    closed({ terminal: '1', checkpoint: 'A' }),
  ]
  const now = Date.parse(NIGHT) + 60_000
  const wait = withHours(queueWait(readings, now)!, () => null, now)!
  expect(wait).toMatchObject({ status: 'closed', reopens_at: '2026-11-22T09:00:00Z', reopens_basis: 'measured' })
  const [first, two] = wait.terminals
  expect(first).toMatchObject({ terminal: '1', status: 'closed', reopens_at: null, reopens_basis: null })
  expect(two!.checkpoints.map(({ checkpoint, reopens_at }) => [checkpoint, reopens_at])).toEqual([
    ['North', '2026-11-22T10:00:00Z'],
    ['South', '2026-11-22T09:00:00Z'],
  ])
})

test('a closure does not outlast the opening that its source has published', () => {
  const observed = Date.parse('2026-11-22T08:55:00Z')
  const readings = [closed({ observed_at: isoUtc(observed), wait_text: 'Opens 4am' })]
  const waitAt = (now: number) => withHours(queueWait(readings, now)!, () => null, now)
  expect(waitAt(observed + 60_000)).toMatchObject({ status: 'closed', reopens_at: '2026-11-22T09:00:00Z' })
  expect(waitAt(observed + 10 * 60_000)).toBeNull()
})
