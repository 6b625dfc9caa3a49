import { DAY_MS, type UtcInstant } from '../../../config/domain.ts'
import { instantOfMs } from '../../parsing/clocks.ts'
import type { FieldReader } from '../../parsing/fields.ts'
import { nearestInstantOfTime, nextInstantOfTime, timeOfHhmm, utcMs } from './times.ts'

/** `YYYYMMDDhhmmss` (seconds may be missing), UTC, as epoch milliseconds. */
export function stampMs(text: string): number | null {
  const match = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})?$/.exec(text.trim())
  if (!match) return null
  const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0))
  return utcMs(year!, month! - 1, day!, hour!, minute!, second!)
}

/** Reads the first of several fields that is present: the live feed and the DTD name some fields differently. */
function firstOf<T>(fields: FieldReader, names: string[], read: (text: string) => T | null): T | null {
  const name = names.find((each) => fields.has(each))
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
 * Without a window, the end is the next such time after `nearMs` and the start is the last one before the end.
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
  let end = area.end
  if (time.end !== null) {
    end = area.end === null ? nextInstantOfTime(time.end, nearMs) : nearestInstantOfTime(time.end, area.end)
  }
  let start = area.start
  if (time.start !== null) {
    if (area.start !== null) start = nearestInstantOfTime(time.start, area.start)
    else start = end === null ? nearestInstantOfTime(time.start, nearMs) : nextInstantOfTime(time.start, end - DAY_MS)
  }
  return { start: start === null ? null : instantOfMs(start), end: end === null ? null : instantOfMs(end) }
}
