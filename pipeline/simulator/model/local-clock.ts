import { IANAZone } from 'luxon'
import { DAY_MS, HOUR_MS } from '../../../config/domain.ts'

/** Local time. `day` counts local days since 1970-01-01, `weekday` is 0 for Sunday. */
export interface LocalTime {
  day: number
  weekday: number
  /** Hour of the day with its fraction, 0 to 24. */
  hour: number
}

const cachedOffsets = new Map<string, Map<number, number>>()

/** UTC offset of a zone in milliseconds, cached per half hour: zones change on the hour or half hour only. */
export function offsetMs(zone: string, ms: number): number {
  let known = cachedOffsets.get(zone)
  if (known === undefined) {
    known = new Map()
    cachedOffsets.set(zone, known)
  }
  const half = Math.floor(ms / (HOUR_MS / 2))
  let offset = known.get(half)
  if (offset === undefined) {
    offset = IANAZone.create(zone).offset(half * (HOUR_MS / 2)) * 60_000
    known.set(half, offset)
  }
  return offset
}

/** The local time of a zone at an instant. */
export function localTime(zone: string, ms: number): LocalTime {
  const local = ms + offsetMs(zone, ms)
  const day = Math.floor(local / DAY_MS)
  return { day, weekday: (((day + 4) % 7) + 7) % 7, hour: (local - day * DAY_MS) / HOUR_MS }
}

/** The instant of a local day and hour; the first one in the hour that the end of summer time repeats. */
export function instantOfLocalTime(zone: string, day: number, hour: number): number {
  const local = day * DAY_MS + hour * HOUR_MS
  const guess = local - offsetMs(zone, local)
  const other = local - offsetMs(zone, guess - HOUR_MS)
  return other < guess && other + offsetMs(zone, other) === local ? other : local - offsetMs(zone, guess)
}
