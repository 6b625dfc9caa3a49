import { DateTime } from 'luxon'
import { instantOf } from './clocks.ts'

/** A date and time ("2026-11-21T10:01:00Z", "2026-11-21 05:01:00") as an instant; one without a zone of its own is in `zone`. */
export function isoClock(text: unknown, zone: string): string | null {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(text.trim())) return null
  const at = DateTime.fromISO(text.trim().replace(' ', 'T'), { zone })
  return at.isValid ? instantOf(at.toMillis()) : null
}

/** The same for a source that writes local time and marks it as UTC (BWI): its zone mark is not believed. */
export function localClock(text: unknown, zone: string): string | null {
  return typeof text === 'string' ? isoClock(text.trim().replace(/(Z|[+-]\d{2}:?\d{2})$/, ''), zone) : null
}
