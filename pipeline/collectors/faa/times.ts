import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../config/vocabulary.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Epoch milliseconds of a UTC date and time; null when the calendar or the clock has no such moment. */
export function utcMs(year: number, month: number, day: number, hour: number, minute: number, second = 0) {
  if (hour > 23 || minute > 59 || second > 59) return null
  const ms = Date.UTC(year, month, day, hour, minute, second)
  const made = new Date(ms)
  return made.getUTCMonth() === month && made.getUTCDate() === day ? ms : null
}

const monthOf = (name: string) => MONTHS.indexOf(name.slice(0, 3).toLowerCase())

const UPDATE_TIME = /^[a-z]{3}\s+([a-z]{3})\s+(\d{1,2})\s+(\d{1,2}):(\d{2}):(\d{2})\s+(\d{4})\s+(?:GMT|UTC)$/i

/** `Sat Aug 15 19:38:46 2026 GMT` (the day is not zero-padded); null for another form. */
export function updateTimeMs(text: string): number | null {
  const match = UPDATE_TIME.exec(text.trim())
  if (!match) return null
  const [day, hour, minute, second, year] = match.slice(2).map(Number) as [number, number, number, number, number]
  return utcMs(year, monthOf(match[1]!), day, hour, minute, second)
}

const WORDS = /^([a-z]{3,9})\.?\s+(\d{1,2})\s+at\s+(\d{1,2}):(\d{2})(?:\s+(?:UTC|GMT|Z))?\.?$/i

/** The instants of a day without a year, in the years around `nearMs`, oldest first. */
function candidates(text: string, nearMs: number): number[] {
  const match = WORDS.exec(text.trim())
  if (!match || monthOf(match[1]!) < 0) return []
  const [day, hour, minute] = match.slice(2).map(Number) as [number, number, number]
  const year = new Date(nearMs).getUTCFullYear()
  return [year - 1, year, year + 1]
    .map((year) => utcMs(year, monthOf(match[1]!), day, hour, minute))
    .filter((ms) => ms !== null)
}

/** `May 28 at 16:00 UTC.`, which names no year: the year nearest to `nearMs`. Null for another form. */
export function instantNearest(text: string, nearMs: number): number | null {
  const distance = (ms: number) => Math.abs(ms - nearMs)
  return candidates(text, nearMs).sort((a, b) => distance(a) - distance(b))[0] ?? null
}

/**
 * The end of a closure that is still listed, in the same form: in the year nearest to `nearMs`, unless that is over a day
 * ago, which the end of a listed closure cannot be (LAX in September 2026 "reopens May 28", of 2027); then a year later.
 */
export function endNearest(text: string, nearMs: number): number | null {
  const nearest = instantNearest(text, nearMs)
  if (nearest === null || nearest >= nearMs - DAY_MS) return nearest
  return candidates(text, nearMs).find((ms) => ms > nearest) ?? nearest
}

/** Hours from UTC by the zone abbreviations that the FAA prints. The abbreviation itself marks summer time. */
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

/**
 * The instant nearest to `nearMs` at which the clock shows a text like `11:15 pm EDT` or `7 PM EDT.`, which has no date. A
 * ground stop lasts hours, so its end is never half a day away, and it may have just passed. Epoch milliseconds; null when
 * the text or its zone is unknown.
 */
export function nearestInstantOfClock(text: string, nearMs: number): number | null {
  const match = CLOCK.exec(text.trim())
  if (!match) return null
  const zone = ZONE_HOURS[match[4]!.toUpperCase()]
  if (zone === undefined) return null
  const hour = Number(match[1])
  const minute = Number(match[2] ?? 0)
  if (hour < 1 || hour > 12 || minute > 59) return null
  const hours = (hour % 12) + (match[3]!.toLowerCase() === 'p' ? 12 : 0) - zone
  return nearestInstantOfTime(hours * HOUR_MS + minute * MINUTE_MS, nearMs)
}

/** Milliseconds into the UTC day of `HHMM`; null for anything else. */
export function timeOfHhmm(text: string): number | null {
  const match = /^(\d{2})(\d{2})$/.exec(text.trim())
  if (!match || Number(match[1]) > 23 || Number(match[2]) > 59) return null
  return Number(match[1]) * HOUR_MS + Number(match[2]) * MINUTE_MS
}

/** The first instant at a UTC time of day that is not before `fromMs`. */
function nextInstantOfTime(timeMs: number, fromMs: number): number {
  return fromMs + ((((timeMs - fromMs) % DAY_MS) + DAY_MS) % DAY_MS)
}

/** The instant at a UTC time of day that is nearest to `nearMs`. */
export function nearestInstantOfTime(timeMs: number, nearMs: number): number {
  return nextInstantOfTime(timeMs, nearMs - DAY_MS / 2)
}

/**
 * The period of under a day between two UTC times of day that is nearest to `nearMs`: the one that contains it, otherwise
 * the one that has just ended or is about to begin.
 */
export function nearestPeriodOfTimes(startMs: number, endMs: number, nearMs: number): { start: number; end: number } {
  const distance = ({ start, end }: { start: number; end: number }) => Math.max(start - nearMs, nearMs - end, 0)
  const latest = nextInstantOfTime(startMs, nearMs)
  const periods = [latest, latest - DAY_MS, latest - 2 * DAY_MS].map((start) => ({
    start,
    end: nextInstantOfTime(endMs, start + MINUTE_MS),
  }))
  return periods.sort((a, b) => distance(a) - distance(b))[0]!
}
