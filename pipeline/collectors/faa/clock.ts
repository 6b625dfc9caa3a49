import { DAY_MS, HOUR_MS } from '../../../config/domain.ts'

const MINUTE_MS = 60_000

/** Hours from UTC of the zone abbreviations the FAA prints. The abbreviation itself says whether it is summer time. */
const ZONE_HOURS: Record<string, number> = {
  UTC: 0,
  GMT: 0,
  Z: 0,
  AST: -4,
  ADT: -3,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  AKST: -9,
  AKDT: -8,
  HST: -10,
  HDT: -9,
  SST: -11,
  CHST: 10,
}

const CLOCK = /^(\d{1,2})(?::(\d{2}))?\s*([ap])\.?m\.?\s+([a-z]{1,4})\.?$/i

/** The next instant after `afterMs` at `timeMs` into the UTC day; the minute that is running still counts. */
export function nextInstantOfTime(timeMs: number, afterMs: number): number {
  const floor = Math.floor(afterMs / MINUTE_MS) * MINUTE_MS
  const untilThen = (((timeMs - floor) % DAY_MS) + DAY_MS) % DAY_MS
  return floor + untilThen
}

/**
 * The next instant after `afterMs` at which the clock shows a text like `11:15 pm EDT` or `7 PM EDT.`, which has no
 * date. Epoch milliseconds; null when the text or its zone is unknown.
 */
export function nextInstantOfClock(text: string, afterMs: number): number | null {
  const match = CLOCK.exec(text.trim())
  if (!match) return null
  const zone = ZONE_HOURS[match[4]!.toUpperCase()]
  if (zone === undefined) return null
  const hour = Number(match[1])
  const minute = Number(match[2] ?? 0)
  if (hour < 1 || hour > 12 || minute > 59) return null
  const hours = (hour % 12) + (match[3]!.toLowerCase() === 'p' ? 12 : 0) - zone
  return nextInstantOfTime(hours * HOUR_MS + minute * MINUTE_MS, afterMs)
}

/** Milliseconds into the UTC day of `HHMM`; null for anything else. */
export function timeOfHhmm(text: string): number | null {
  const match = /^(\d{2})(\d{2})$/.exec(text.trim())
  if (!match || Number(match[1]) > 23 || Number(match[2]) > 59) return null
  return Number(match[1]) * HOUR_MS + Number(match[2]) * MINUTE_MS
}

/** The instant at a UTC time of day that is nearest to `nearMs`. */
export function nearestInstantOfTime(timeMs: number, nearMs: number): number {
  return nextInstantOfTime(timeMs, nearMs - DAY_MS / 2)
}
