import { expect, test } from 'vitest'
import { localClock, weekHourAt, weekHourOf } from '../../../config/time-zones/local-time.ts'

const clockAt = (timezone: string, ...instants: string[]) =>
  localClock(
    timezone,
    instants.map((instant) => Date.parse(instant)),
  )

test('localClock is correct before and after a clock change', () => {
  // New York went from 01:59 EST to 03:00 EDT on Sunday 2026-03-08.
  const clock = clockAt(
    'America/New_York',
    '2026-03-08T06:00:00Z',
    '2026-03-08T07:00:00Z',
    '2026-11-01T05:00:00Z',
    '2026-11-01T06:00:00Z',
  )
  expect([...clock.hour]).toEqual([1, 3, 1, 1])
  expect([...clock.weekday]).toEqual([7, 7, 7, 7])
})

test('localClock handles half-hour zones and dates across midnight', () => {
  const clock = clockAt('Asia/Kolkata', '2026-11-21T18:00:00Z', '2026-11-21T19:00:00Z')
  expect([...clock.hour]).toEqual([23, 0])
  expect([...clock.weekday]).toEqual([6, 7])
  expect(clock.day[1]! - clock.day[0]!).toBe(1)
})

test('weekHourOf is the hour of the week that localClock shows, before 1970 and across clock changes too', () => {
  const from = Date.parse('1969-12-20T00:00:00Z')
  const instants = Array.from({ length: 5_000 }, (_, k) => from + k * 3_600_000 * 101)
  for (const timezone of ['America/New_York', 'Asia/Kolkata', 'Pacific/Chatham', 'UTC']) {
    const clock = localClock(timezone, instants)
    expect(instants.map((instant) => weekHourOf(timezone, instant))).toEqual(
      instants.map((_, k) => weekHourAt(clock, k)),
    )
  }
})

test('localClock throws for an unknown zone and names it', () => {
  expect(() => clockAt('Mars/Olympus', '2026-11-21T00:00:00Z')).toThrow(/Mars\/Olympus/)
})
