import { DateTime } from 'luxon'
import { localClock, zoneOf } from '../../config/time-zones/local-time.ts'
import { MINUTE_MS } from '../../config/vocabulary.ts'

/** A mark of a time axis. */
export interface Tick {
  /** Epoch milliseconds. */
  instant: number
  label: string
  isMidnight: boolean
}

const QUARTER_MS = 15 * MINUTE_MS

/**
 * The local times between two instants (epoch ms) that `step` divides: whole hours, or 0.25 or 0.5. Offsets of zones are
 * multiples of a quarter of an hour, so that each quarter is looked at; an hour that a clock change skips has no tick and one that occurs twice has one.
 */
export function localTicks(from: number, to: number, timezone: string, step: number): Tick[] {
  const first = Math.ceil(from / QUARTER_MS) * QUARTER_MS
  const quarters = Float64Array.from(
    { length: Math.max(0, Math.floor((to - first) / QUARTER_MS) + 1) },
    (_, k) => first + k * QUARTER_MS,
  )
  const clock = localClock(timezone, quarters)
  const ticks: Tick[] = []
  const seen = new Set<string>()
  quarters.forEach((quarter, k) => {
    const hour = clock.hour[k]!
    const minute = clock.minute[k]!
    if ((hour * 60 + minute) % (step * 60) !== 0) return
    const key = `${clock.day[k]}.${hour}.${minute}`
    if (seen.has(key)) return
    seen.add(key)
    const clockText = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
    const isMidnight = hour === 0 && minute === 0
    ticks.push({
      instant: quarter,
      isMidnight,
      label: isMidnight ? `${clockText}\n${dayLabel(quarter, timezone)}` : clockText,
    })
  })
  return ticks
}

const dayLabel = (instant: number, timezone: string) =>
  DateTime.fromMillis(instant, { zone: zoneOf(timezone) })
    .setLocale('en')
    .toFormat('ccc d')

/** The instant (epoch ms) at which the clocks of a zone change between two instants, with the direction; null if they do not. */
export function clockChange(from: number, to: number, timezone: string): { instant: number; minutes: number } | null {
  const offsetAt = (instant: number) => DateTime.fromMillis(instant, { zone: zoneOf(timezone) }).offset
  const minutes = offsetAt(to) - offsetAt(from)
  if (minutes === 0) return null
  let before = Math.floor(from / QUARTER_MS)
  let after = Math.ceil(to / QUARTER_MS)
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetAt(middle * QUARTER_MS) === offsetAt(from)) before = middle
    else after = middle
  }
  return { instant: after * QUARTER_MS, minutes }
}

/** The clock of an instant at an airport: 09:20. */
export const clockAt = (instant: number, timezone: string) =>
  DateTime.fromMillis(instant, { zone: zoneOf(timezone) }).toFormat('HH:mm')
