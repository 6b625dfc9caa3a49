import { DateTime } from 'luxon'
import { expect, test } from 'vitest'
import { localTime } from '../../../answers/statements/local-time.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { zoneOf } from '../../../config/time-zones/local-time.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../config/vocabulary.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'

/** Without clock changes, with changes of an hour or half an hour or at midnight, and far from UTC on both sides. */
const SOME = [
  'America/St_Johns',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Chatham',
  'America/Santiago',
]

test('a local time is what a library of calendars writes, in every zone of an airport and around every clock change', () => {
  const all = EXHAUSTIVE ? airportDirectory().all.map(({ timezone }) => timezone) : SOME
  const zones = new Set([...all, 'UTC', 'utc', 'Etc/UTC', 'GMT'])
  const from = Date.parse('2026-01-01T00:00:00Z')
  const everyDays = 29
  let compared = 0
  for (const zone of zones) {
    const instants: number[] = []
    let before = DateTime.fromMillis(from, { zone: zoneOf(zone) }).offset
    for (let day = 0; day < 400; day += everyDays) {
      const start = from + day * DAY_MS
      const { offset } = DateTime.fromMillis(start, { zone: zoneOf(zone) })
      instants.push(start, start + 17 * HOUR_MS + 59 * MINUTE_MS + 59_000, start + 123)
      // Somewhere since the last one the clock was changed.
      if (offset !== before)
        for (let hour = 0; hour < everyDays * 24; hour += 1) instants.push(start - hour * HOUR_MS - MINUTE_MS)
      before = offset
    }
    for (const instant of instants) {
      const written = DateTime.fromMillis(instant, { zone: zoneOf(zone) }).toISO({ suppressMilliseconds: true })
      expect(localTime(instant, zone), `${zone} ${instant}`).toBe(written)
      compared += 1
    }
  }
  expect(compared).toBeGreaterThan(5_000)
})
