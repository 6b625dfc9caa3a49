import { expect, test } from 'vitest'
import { isoUtc } from '../../../../config/vocabulary.ts'
import { type LatestReading, queueWait } from '../../../../warehouse/publishing/waits/queue-wait.ts'
import { publishedOpening } from '../../../../warehouse/publishing/waits/stated-opening.ts'
import { withHours } from '../../../../warehouse/publishing/waits/status-by-hours.ts'
import { reading } from '../../test-rows.ts'

/** Saturday 23:30 in Washington, 22:30 in Minneapolis. */
const NIGHT = '2026-11-22T04:30:00Z'

test.each([
  ['Opens 4am', 'DCA', '2026-11-22T09:00:00Z'],
  ['Opens 4am', 'MSP', '2026-11-22T10:00:00Z'],
  ['Opens at 3:30 a.m.', 'MSP', '2026-11-22T09:30:00Z'],
  ['CLOSED - Opens 4:15 AM', 'DCA', '2026-11-22T09:15:00Z'],
  ['Closed until 04:00', 'DCA', '2026-11-22T09:00:00Z'],
  ['Open 3:30 AM - 8:00 PM', 'DCA', '2026-11-22T08:30:00Z'],
  ['Opens 11:45pm', 'DCA', '2026-11-22T04:45:00Z'],
  ['Opens 11pm', 'DCA', '2026-11-23T04:00:00Z'],
  ['Opens 12am', 'DCA', '2026-11-22T05:00:00Z'],
  ['Opens 4am tomorrow', 'DCA', '2026-11-22T09:00:00Z'],
])('%s at %s: the next such time on the airport’s clock', (text, iata, opens) => {
  expect(isoUtc(publishedOpening(text, iata, NIGHT)!)).toBe(opens)
})

test('the clock is that of the day on which the queue opens, also when clocks change in the night', () => {
  expect(isoUtc(publishedOpening('Opens 4am', 'DCA', '2026-11-01T03:00:00Z')!)).toBe('2026-11-01T09:00:00Z')
  expect(isoUtc(publishedOpening('Opens 4am', 'DCA', '2026-03-08T03:00:00Z')!)).toBe('2026-03-08T08:00:00Z')
})

test.each([
  'Closed',
  'Opens soon',
  'Opens 4',
  'Opens 25:00',
  'Opens 4:75am',
  'Opens 13am',
  'Opens 4am Monday',
  'Opens March 4',
  '12 min',
  'Open 8:00 PM - 11:59 PM',
])('%s names no time that could be told', (text) => {
  expect(publishedOpening(text, 'DCA', NIGHT)).toBeNull()
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
