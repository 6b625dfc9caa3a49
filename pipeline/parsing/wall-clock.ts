import { DateTime, IANAZone } from 'luxon'
import { instantOf, latestRun } from './clocks.ts'

const ISO = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/

/** An ISO date-time as an instant; one without an offset is the wall clock of `zone`. */
export function isoClock(text: unknown, zone: string, fetched_at: string): string | null {
  if (typeof text !== 'string' || !ISO.test(text.trim())) return null
  const iso = text.trim().replace(' ', 'T')
  if (/(Z|[+-]\d{2}:?\d{2})$/.test(iso)) return instantOf(DateTime.fromISO(iso).toMillis())
  return inZone(DateTime.fromISO(iso, { zone: 'utc' }), zone, fetched_at)
}

/** The same for a source that writes local time and marks it as UTC (BWI): its zone mark is not believed. */
export function localClock(text: unknown, zone: string, fetched_at: string): string | null {
  return typeof text === 'string' ? isoClock(text.trim().replace(/(Z|[+-]\d{2}:?\d{2})$/, ''), zone, fetched_at) : null
}

/** A date and time in a Luxon `format` as the wall clock of `zone`, as an instant; null when it is no such time. */
export function wallClock(text: unknown, format: string, zone: string, fetched_at: string): string | null {
  if (typeof text !== 'string') return null
  return inZone(DateTime.fromFormat(text.trim(), format, { zone: 'utc', locale: 'en-US' }), zone, fetched_at)
}

/** A wall time as an instant; one in an hour that the clock skips is none. */
function inZone(wall: DateTime, zone: string, fetched_at: string): string | null {
  if (!wall.isValid || !IANAZone.create(zone).isValid) return null
  const local = wall.setZone(zone, { keepLocalTime: true })
  if (local.hour !== wall.hour || local.minute !== wall.minute) return null
  return instantOf(latestRun(local, fetched_at).toMillis())
}
