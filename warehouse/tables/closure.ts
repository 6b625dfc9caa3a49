import { localClock, offsetsBetween } from '../../config/time-zones/local-time.ts'
import { DAY_MS, MINUTE_MS } from '../../config/vocabulary.ts'

/** Weekday names as NOTAMs spell them, in the order of `Date.getUTCDay`. */
export const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const

/** Daily closed hours: `days` by `getUTCDay` (null = every day), `from` and `to` in minutes of the UTC day they begin on. */
export interface ClosedHours {
  days: ReadonlySet<number> | null
  from: number
  to: number
}

const SEGMENT = /^((?:[A-Z]{3} )*)(\d{2})(\d{2})-(\d{2})(\d{2})$/

function parseSegment(text: string): ClosedHours | null {
  const match = SEGMENT.exec(text.trim())
  if (!match) return null
  const names = match[1]!.trim()
  const days = new Set<number>()
  for (const name of names ? names.split(' ') : []) {
    const day = WEEKDAYS.indexOf(name as (typeof WEEKDAYS)[number])
    if (day < 0) return null
    days.add(day)
  }
  const from = Number(match[2]) * 60 + Number(match[3])
  const to = Number(match[4]) * 60 + Number(match[5])
  if (from > 1_440 || to > 1_440 || Number(match[3]) > 59 || Number(match[5]) > 59) return null
  return { days: days.size > 0 ? days : null, from, to }
}

/**
 * Parses the column `closed_hours_utc`: segments separated by commas, each `HHMM-HHMM`, with weekdays before it when it
 * applies to some days only, e.g. `WED THU 2200-0600, SAT 0000-2400`. Null when the text has another form.
 */
export function parseClosedHours(text: string): ClosedHours[] | null {
  const segments = text.split(',').map(parseSegment)
  return segments.every((segment) => segment !== null) ? segments : null
}

const DAY_NAMES = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

interface LocalHours {
  /** `every night`, `every day`, `on Mon, Tue`. */
  days: string
  /** `from 00:30 to 05:45`. */
  hours: string
}

/**
 * The column `closed_hours_utc` by the clock of a time zone, as it stands on the day of `atMs`. Weekdays are those of the zone. Null
 * when the text has another form.
 */
export function localHours(text: string, timezone: string, atMs: number): LocalHours[] | null {
  const midnight = Math.floor(atMs / DAY_MS) * DAY_MS
  const listed = parseClosedHours(text)?.map(({ days, from, to }) => {
    const { day, hour, minute } = localClock(timezone, [midnight + from * MINUTE_MS, midnight + to * MINUTE_MS])
    const clock = (index: number) =>
      [hour[index]!, minute[index]!].map((part) => String(part).padStart(2, '0')).join(':')
    const shift = day[0]! - midnight / DAY_MS
    const names = [...(days ?? [])].sort((a, b) => a - b).map((utcDay) => DAY_NAMES[(utcDay + shift + 7) % 7]!)
    const every = isByNight(hour[0]! * 60 + minute[0]!, hour[1]! * 60 + minute[1]!) ? 'every night' : 'every day'
    return {
      days: names.length === 0 || names.length === 7 ? every : `on ${names.join(', ')}`,
      hours: `from ${clock(0)} to ${clock(1)}${clock(0) === clock(1) ? ' the next day' : ''}`,
    }
  })
  return listed ?? null
}

/** The same in words: `every night from 00:30 to 05:45`. */
export const localClosedHours = (text: string, timezone: string, atMs: number): string | null =>
  localHours(text, timezone, atMs)
    ?.map(({ days, hours }) => `${days} ${hours}`)
    .join('; ') ?? null

/** Hours past midnight, or through this minute of the local day, are those of the night. */
const NIGHT_MINUTE = 180

/** Whether hours of a local day, in minutes, are those of the night; those of a whole day are not. */
const isByNight = (from: number, to: number) => from > to || (from <= NIGHT_MINUTE && NIGHT_MINUTE < to)

/** `20 Nov`, of an instant in epoch ms. */
export const dateText = (instant: number): string =>
  new Date(instant).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** The closed hours over a period (epoch ms) by the clock of a time zone: where the clocks change within it, also the hours from then on. */
export function localClosedHoursUntil(text: string, timezone: string, from: number, until: number): string | null {
  const hours = localClosedHours(text, timezone, from)
  const change = offsetsBetween(timezone, from, until)[1]
  // The day of the change itself is of both clocks.
  const later = change && localClosedHours(text, timezone, change.from_ms + DAY_MS)
  if (!change || !later || later === hours) return hours
  return `${hours} (from ${dateText(change.from_ms + change.offset_ms)} on ${later})`
}

/** Whether the hours cover an instant. Hours that end at or before their start run past midnight into the next day. */
function covers({ days, from, to }: ClosedHours, atMs: number): boolean {
  const midnight = Math.floor(atMs / DAY_MS) * DAY_MS
  const minute = (atMs - midnight) / 60_000
  const onDay = (ms: number) => days === null || days.has(new Date(ms).getUTCDay())
  if (from < to) return onDay(midnight) && minute >= from && minute < to
  return (onDay(midnight) && minute >= from) || (onDay(midnight - DAY_MS) && minute < to)
}

/** When the hours that cover an instant end; the instant itself where they do not cover it. */
function endOf(hours: ClosedHours, atMs: number): number {
  if (!covers(hours, atMs)) return atMs
  const midnight = Math.floor(atMs / DAY_MS) * DAY_MS
  const isOfToday = hours.from < hours.to || (atMs - midnight) / MINUTE_MS < hours.to
  return midnight + (isOfToday ? 0 : DAY_MS) + hours.to * MINUTE_MS
}

/** When a closure shuts airlines out: the columns of `delays` of these names. */
interface ClosurePeriod {
  closed_to_airlines: boolean | null
  closed_hours_utc: string | null
  start: string | null
  end: string | null
}

/**
 * End of a closure in force at an instant, for airlines (epoch ms): the end of its hours of that day, or of its period. Null
 * without a known end. Hours that follow each other without a gap are one closure.
 */
export function closedUntil({ closed_hours_utc, end }: ClosurePeriod, atMs: number): number | null {
  const last = end === null ? null : Date.parse(end)
  const hours = closed_hours_utc === null ? null : parseClosedHours(closed_hours_utc)
  if (hours === null) return last
  let until = atMs
  for (const limit = atMs + 7 * DAY_MS; until < limit; ) {
    const next = Math.max(...hours.map((period) => endOf(period, until)))
    if (next === until) return last === null ? until : Math.min(until, last)
    until = next
  }
  return last
}

/**
 * Whether a closure shuts airlines out at an instant (epoch milliseconds): inside its period, which has no end when
 * `end` is null, and inside its daily hours. A partial or unclear closure, or one with unreadable hours, never does.
 */
export function closureInForce(row: ClosurePeriod, atMs: number): boolean {
  if (row.closed_to_airlines !== true) return false
  if (row.start !== null && atMs < Date.parse(row.start)) return false
  if (row.end !== null && atMs >= Date.parse(row.end)) return false
  if (row.closed_hours_utc === null) return true
  return parseClosedHours(row.closed_hours_utc)?.some((hours) => covers(hours, atMs)) ?? false
}

/** The first instant after `afterMs` and up to `untilMs` at which a closure begins to shut airlines out (epoch ms); null if none. */
export function closureBegins(row: ClosurePeriod, afterMs: number, untilMs: number): number | null {
  const hours = row.closed_hours_utc === null ? null : parseClosedHours(row.closed_hours_utc)
  const midnight = Math.floor(afterMs / DAY_MS) * DAY_MS
  const ofHours = (hours ?? []).flatMap(({ from }) =>
    [midnight, midnight + DAY_MS].map((day) => day + from * MINUTE_MS),
  )
  const begins = [...ofHours, ...(row.start === null ? [] : [Date.parse(row.start)])].filter(
    (begin) => begin > afterMs && begin <= untilMs && closureInForce(row, begin) && !closureInForce(row, begin - 1),
  )
  return begins.length === 0 ? null : Math.min(...begins)
}
