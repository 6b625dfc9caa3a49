import { getOrCreate } from '../../../config/once.ts'
import { instantsOfLocalTime, offsetFinder } from '../../../config/time-zones/local-time.ts'
import { DAY_MS, HOUR_MS } from '../../../config/vocabulary.ts'

/** Local time. `day` counts local days since 1970-01-01, `weekday` is 0 for Sunday. */
export interface LocalTime {
  day: number
  weekday: number
  /** Hour of the day with its fraction, 0 to 24. */
  hour: number
}

const finders = new Map<string, (ms: number) => number>()

/** UTC offset of a zone in milliseconds. */
function offsetMs(zone: string, ms: number): number {
  return getOrCreate(finders, zone, () => offsetFinder(zone))(ms)
}

/** The local time of a zone at an instant. */
export function localTime(zone: string, ms: number): LocalTime {
  const local = ms + offsetMs(zone, ms)
  const day = Math.floor(local / DAY_MS)
  return { day, weekday: (((day + 4) % 7) + 7) % 7, hour: (local - day * DAY_MS) / HOUR_MS }
}

/**
 * The instant of a local day and hour: the first one in an hour that the clocks repeat; in an hour that they skip, by the offset after
 * the change.
 */
export function instantOfLocalTime(zone: string, day: number, hour: number): number {
  const local = day * DAY_MS + hour * HOUR_MS
  return instantsOfLocalTime(zone, local)[0] ?? local - offsetMs(zone, local - offsetMs(zone, local - DAY_MS))
}
