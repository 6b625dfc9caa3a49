import type { UtcInstant } from '../../../config/vocabulary.ts'
import { instantOfMs } from '../../parsing/clocks.ts'
import type { FieldReader } from '../../parsing/fields.ts'
import { nearestInstantOfTime, nearestPeriodOfTimes, timeOfHhmm, utcMs } from './times.ts'

/** `YYYYMMDDhhmmss` (seconds may be missing), UTC, as epoch milliseconds. */
function stampMs(text: string): number | null {
  const match = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})?$/.exec(text.trim())
  if (!match) return null
  const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0))
  return utcMs(year!, month! - 1, day!, hour!, minute!, second!)
}

/** Reads the first of several fields that is present: the live feed and the DTD name some fields differently. */
function firstOf<T>(fields: FieldReader, names: string[], read: (text: string) => T | null): T | null {
  const name = names.find((field) => fields.has(field))
  return name === undefined ? null : fields.read(name, read)
}

export interface FlowFieldNames {
  startTime: string[]
  endTime: string[]
  startStamp: string[]
  endStamp: string[]
}

/**
 * The period of a flow program. Its own times are `HHMM` UTC without a date; the dated window of its area gives the date.
 * Without a whole window it is the nearest such period.
 */
export function flowPeriod(
  fields: FieldReader,
  names: FlowFieldNames,
  nearMs: number,
): { start: UtcInstant | null; end: UtcInstant | null } {
  const area = {
    start: firstOf(fields, names.startStamp, stampMs),
    end: firstOf(fields, names.endStamp, stampMs),
  }
  const time = {
    start: firstOf(fields, names.startTime, timeOfHhmm),
    end: firstOf(fields, names.endTime, timeOfHhmm),
  }
  const hasWindow = area.start !== null && area.end !== null
  const period =
    !hasWindow && time.start !== null && time.end !== null
      ? nearestPeriodOfTimes(time.start, time.end, area.start ?? area.end ?? nearMs)
      : { start: datedBy(time.start, area.start, nearMs), end: datedBy(time.end, area.end, nearMs) }
  return { start: instantOfMs(period.start), end: instantOfMs(period.end) }
}

/** A time of day with the date of the area's window; without a window, the nearest such time. */
function datedBy(timeMs: number | null, areaMs: number | null, nearMs: number): number | null {
  return timeMs === null ? areaMs : nearestInstantOfTime(timeMs, areaMs ?? nearMs)
}
