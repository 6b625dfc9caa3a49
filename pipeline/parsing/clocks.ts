import { DateTime } from 'luxon'
import { isZone, zoneOf } from '../../config/time-zones/local-time.ts'
import { isoUtc, type UtcInstant } from '../../config/vocabulary.ts'
import { textOf } from './json.ts'

/**
 * Reads a published time as an instant. `zone` is the IANA zone of the airport, for times without an offset, and `fetched_at`
 * decides the day or the run of a repeated hour. Null when the value is not such a time.
 */
export type Clock = (published: unknown, zone: string, fetched_at: string) => UtcInstant | null

/** A source's clock may run a little ahead of ours: a time this far ahead is still today's, not yesterday's. */
const AHEAD_MS = 60 * 60_000
const EARLIEST_MS = Date.UTC(2000, 0, 1)
const LATEST_MS = Date.UTC(2100, 0, 1)

/** Epoch milliseconds, as a number or as digits, as an instant; null when they are not of this century. */
export function instantOfMs(ms: unknown): UtcInstant | null {
  if (typeof ms === 'string' && /^\d{12,14}$/.test(ms)) return instantOfMs(Number(ms))
  if (typeof ms !== 'number' || !(ms >= EARLIEST_MS && ms < LATEST_MS)) return null
  return isoUtc(Math.trunc(ms))
}

/** Unix seconds, as a number or as digits. */
export function unixSeconds(seconds: unknown): UtcInstant | null {
  if (typeof seconds === 'string' && /^\d+$/.test(seconds)) return instantOfMs(Number(seconds) * 1_000)
  return typeof seconds === 'number' ? instantOfMs(seconds * 1_000) : null
}

/** The `/Date(1774394580987)/` of Microsoft's old JSON. */
export function slashDate(text: unknown): UtcInstant | null {
  const ms = typeof text === 'string' ? text.match(/^\/Date\((\d+)(?:[+-]\d{4})?\)\/$/)?.[1] : undefined
  return ms === undefined ? null : instantOfMs(Number(ms))
}

const ISO = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/
const OFFSET = /(Z|[+-]\d{2}:?\d{2})$/

/** An ISO date-time; without an offset it is the local time of `zone`. */
export function isoClock(text: unknown, zone: string, fetched_at: string): UtcInstant | null {
  if (typeof text !== 'string' || !ISO.test(text.trim())) return null
  const iso = text.trim().replace(' ', 'T')
  if (OFFSET.test(iso)) return instantOfMs(DateTime.fromISO(iso, { zone: 'utc' }).toMillis())
  return instantInZone(DateTime.fromISO(iso, { zone: 'utc' }), zone, fetched_at)
}

/** An ISO date-time in local time, whatever offset it is marked with (BWI marks local times as UTC). */
export function localIsoClock(text: unknown, zone: string, fetched_at: string): UtcInstant | null {
  return typeof text === 'string' ? isoClock(text.trim().replace(OFFSET, ''), zone, fetched_at) : null
}

/** An ISO date-time; without an offset it is UTC. */
export function utcIsoClock(text: unknown, _zone: string, fetched_at: string): UtcInstant | null {
  return isoClock(text, 'utc', fetched_at)
}

/** An ISO date-time with an offset; one without an offset could be hours off and is not read. */
export function zonedIsoClock(text: unknown, zone: string, fetched_at: string): UtcInstant | null {
  return typeof text === 'string' && OFFSET.test(text.trim()) ? isoClock(text, zone, fetched_at) : null
}

/** A clock for local date-times, sent as text or digits, in any of some Luxon formats. */
export function wallClock(...formats: string[]): Clock {
  return (published, zone, fetched_at) => {
    for (const format of formats) {
      const wall = DateTime.fromFormat(textOf(published), format, { zone: 'utc', locale: 'en-US' })
      const instant = instantInZone(wall, zone, fetched_at)
      if (instant !== null) return instant
    }
    return null
  }
}

/** A wall time as an instant; null for an hour that the clock skips. */
function instantInZone(wall: DateTime, zone: string, fetched_at: string): UtcInstant | null {
  if (!wall.isValid || !isZone(zone)) return null
  const local = wall.setZone(zoneOf(zone), { keepLocalTime: true })
  if (local.hour !== wall.hour || local.minute !== wall.minute) return null
  return instantOfMs(latestRun(local, fetched_at).toMillis())
}

/** The instants that a wall time may stand for, latest first: two in an hour that the clock repeats. */
export function possibleInstants(wall: DateTime): DateTime[] {
  return wall.getPossibleOffsets().sort((a, b) => b.toMillis() - a.toMillis())
}

/** In a repeated hour: the later run if it is not after the fetch, otherwise the earlier. */
function latestRun(wall: DateTime, fetched_at: string): DateTime {
  const runs = possibleInstants(wall)
  return runs.find((run) => run.toMillis() <= Date.parse(fetched_at)) ?? runs.at(-1) ?? wall
}

/**
 * A time of day ("1:15 AM") as the latest such local time that is not after the fetch: 11:58 PM read at 12:03 AM is
 * yesterday's. Times up to an hour ahead stay in the future, and their rows are left out later.
 */
export function timeOfDay(text: unknown, zone: string, fetched_at: string): UtcInstant | null {
  if (typeof text !== 'string' || !isZone(zone)) return null
  const match = text.trim().match(/^(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([ap])\.?m\.?$/i)
  if (!match) return null
  const hour12 = Number(match[1])
  const minute = Number(match[2])
  const second = Number(match[3] ?? 0)
  if (hour12 < 1 || hour12 > 12 || minute > 59 || second > 59) return null
  const hour = (hour12 % 12) + (match[4]?.toLowerCase() === 'p' ? 12 : 0)
  const fetched = Date.parse(fetched_at)
  const today = DateTime.fromMillis(fetched, { zone: zoneOf(zone) }).startOf('day')
  for (const days of [1, 0, -1]) {
    const run = latestRun(today.plus({ days }).set({ hour, minute, second }), fetched_at)
    const exists = run.hour === hour && run.minute === minute
    if (exists && run.toMillis() <= fetched + AHEAD_MS) return instantOfMs(run.toMillis())
  }
  return null
}

/** "Sep 01 at 02:11 pm" (SFO), without a year: the latest year that is not after the fetch. */
export function monthDayClock(text: unknown, zone: string, fetched_at: string): UtcInstant | null {
  if (typeof text !== 'string' || !isZone(zone)) return null
  const fetched = DateTime.fromISO(fetched_at, { zone: zoneOf(zone) })
  for (const year of [fetched.year + 1, fetched.year, fetched.year - 1]) {
    const wall = DateTime.fromFormat(`${text.trim()} ${year}`, "MMM d 'at' h:mm a yyyy", {
      zone: zoneOf(zone),
      locale: 'en-US',
    })
    const run = latestRun(wall, fetched_at)
    if (wall.isValid && run.toMillis() <= fetched.toMillis() + AHEAD_MS) return instantOfMs(run.toMillis())
  }
  return null
}

/** Zones that US pages name by letters. The letters mean the local clock there, in summer and in winter. */
const US_ZONES: Record<string, string> = {
  E: 'America/New_York',
  C: 'America/Chicago',
  M: 'America/Denver',
  P: 'America/Los_Angeles',
}
const US_FORMATS = [
  'MMM d yyyy h:mm a',
  'MMMM d yyyy h:mm a',
  'M/d/yyyy h:mm a',
  'M/d/yyyy h:mm:ss a',
  'yyyy-MM-dd HH:mm:ss',
]

/** A time as a US page writes it, without "Updated", weekdays, commas, "at" and the dots of "p.m.". */
function withoutFillWords(text: string): string {
  return text
    .replace(/\b(data|last|updated|as of)\b:?/gi, ' ')
    .replace(/\b([ap])\.m\.?/gi, '$1m')
    .replace(/,|\bat\b|\b(mon|tues|wednes|thurs|fri|satur|sun)day\b/gi, ' ')
    .replace(/(\d)([ap]m)\b/gi, '$1 $2')
    .replace(/\s+/g, ' ')
    .trim()
}

/**
 * "Updated Nov 21, 2026 at 4:58 p.m. CT", "11/21/2026 4:58 PM" or "4:58 AM". A zone that the text names wins over
 * `zone`; pass null if airports of several zones share one text.
 */
export function usClock(text: unknown, zone: string | null, fetched_at: string): UtcInstant | null {
  if (typeof text !== 'string') return null
  const letters = text.match(/\b([ECMP])[SD]?T\b/)
  const named = letters?.[1] === undefined ? zone : (US_ZONES[letters[1]] ?? zone)
  if (named === null || !isZone(named)) return null
  const words = withoutFillWords(letters === null ? text : text.replace(letters[0], ' '))
  for (const format of US_FORMATS) {
    const wall = DateTime.fromFormat(words, format, { zone: zoneOf(named), locale: 'en-US' })
    if (wall.isValid) return instantOfMs(latestRun(wall, fetched_at).toMillis())
  }
  return timeOfDay(words, named, fetched_at)
}
