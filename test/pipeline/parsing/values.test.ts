import { expect, it } from 'vitest'
import { laneOfWord } from '../../../config/lanes.ts'
import { clockFault } from '../../../pipeline/parsing/clock-fault.ts'
import * as clocks from '../../../pipeline/parsing/clocks.ts'
import { laneInName } from '../../../pipeline/parsing/lanes.ts'
import { testValues } from '../../values.ts'

const NEW_YORK = 'America/New_York'

testValues('pipeline/parsing/values.json', {
  laneOfWord,
  laneInName,
  isoClock: (text: unknown) => clocks.isoClock(text, NEW_YORK, '2026-11-21T10:03:00Z'),
  localIsoClock: (text: unknown, fetched_at: string) => clocks.localIsoClock(text, NEW_YORK, fetched_at),
  timeOfDay: (text: unknown, fetched_at: string) => clocks.timeOfDay(text, NEW_YORK, fetched_at),
  slashDate: clocks.slashDate,
  unixSeconds: clocks.unixSeconds,
  monthDayClock: (text: string, fetched_at: string) => clocks.monthDayClock(text, 'America/Los_Angeles', fetched_at),
  usClock: clocks.usClock,
  wallClock: (format: string, text: unknown, zone: string, fetched_at: string) =>
    clocks.wallClock(format)(text, zone, fetched_at),
  clockFault: (_: string, times: string[]) =>
    clockFault(
      times.map((observed_at) => ({ observed_at, observed_at_basis: 'source' as const })),
      '2026-11-25T12:05:00Z',
    ),
})

it('no number is no time', () => {
  expect(clocks.unixSeconds(Number.NaN)).toBeNull()
})

it('a clock fault is not seen where the times are ours', () => {
  const rows = [{ observed_at: '2026-11-25T13:05:00Z', observed_at_basis: 'fetch' as const }]
  expect(clockFault(rows, '2026-11-25T12:05:00Z')).toBeNull()
})
