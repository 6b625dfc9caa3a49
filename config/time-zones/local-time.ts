import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_HOURS } from '../vocabulary.ts'
import { indexAt, knownTransitions, offsetFinder } from './zone.ts'

export { isZone, offsetFinder, zoneOf } from './zone.ts'

/** The airport's local time at many instants, as parallel arrays. */
export interface LocalClock {
  /** 0–23. */
  hour: Uint8Array
  /** 0–59. */
  minute: Uint8Array
  /** ISO: 1 Monday to 7 Sunday. */
  weekday: Uint8Array
  /** Local calendar day as days since 1970-01-01. */
  day: Int32Array
}

/** Local hour, ISO weekday and calendar day of each instant (epoch ms) in an IANA zone, correct across clock changes. */
export function localClock(timezone: string, instants: ArrayLike<number>): LocalClock {
  const offsetAt = offsetFinder(timezone)
  const hour = new Uint8Array(instants.length)
  const minute = new Uint8Array(instants.length)
  const weekday = new Uint8Array(instants.length)
  const day = new Int32Array(instants.length)
  for (let k = 0; k < instants.length; k++) {
    const local = instants[k]! + offsetAt(instants[k]!)
    const localDay = Math.floor(local / DAY_MS)
    day[k] = localDay
    hour[k] = Math.floor((local - localDay * DAY_MS) / HOUR_MS)
    minute[k] = Math.floor((local - Math.floor(local / HOUR_MS) * HOUR_MS) / MINUTE_MS)
    // 1970-01-01 was a Thursday, ISO day 4.
    weekday[k] = ((((localDay + 3) % 7) + 7) % 7) + 1
  }
  return { hour, minute, weekday, day }
}

/** The hour of the week at one of the instants of a clock, 0 to 167; 0 is Monday 0:00. */
export const weekHourAt = ({ weekday, hour }: LocalClock, k: number): number => (weekday[k]! - 1) * 24 + hour[k]!

/** The hour of the week at an instant (epoch ms) in an IANA zone, as `weekHourAt` has it. */
export function weekHourOf(timezone: string, instant: number): number {
  // 1970-01-01 was a Thursday.
  const hours = Math.floor((instant + offsetFinder(timezone)(instant)) / HOUR_MS) + 3 * 24
  return ((hours % WEEK_HOURS) + WEEK_HOURS) % WEEK_HOURS
}

/** No offset differs from UTC by more. */
const MAX_OFFSET_MS = DAY_MS

/**
 * The instants (epoch ms) at which the clocks of a zone show a local time, written as if it were UTC (epoch ms): none in an hour that
 * they skip, two in an hour that they repeat, the earlier first.
 * @throws HoldshortError INVALID_PARAMETER for an unknown zone
 */
export function instantsOfLocalTime(timezone: string, local_ms: number): number[] {
  const transitions = knownTransitions(timezone)
  const { begins_ms, offset_ms } = transitions
  const instants: number[] = []
  const first = indexAt(transitions, local_ms - MAX_OFFSET_MS)
  for (let k = first; k < begins_ms.length && begins_ms[k]! <= local_ms + MAX_OFFSET_MS; k++) {
    const instant = local_ms - offset_ms[k]!
    if (instant >= begins_ms[k]! && instant < (begins_ms[k + 1] ?? Number.POSITIVE_INFINITY)) instants.push(instant)
  }
  return instants
}

/** Minutes from UTC of a local time that is written with its offset, like `2026-11-25T12:00:00-08:00`. */
export const writtenOffset = (local: string): number =>
  (Date.parse(`${local.slice(0, '2026-11-25T12:00:00'.length)}Z`) - Date.parse(local)) / MINUTE_MS

/** An offset from an instant on, both in ms. */
export interface OffsetFrom {
  from_ms: number
  offset_ms: number
}

/** The offset of a zone at an instant, and those that follow until another instant (epoch ms). */
export function offsetsBetween(timezone: string, from: number, until: number): OffsetFrom[] {
  const transitions = knownTransitions(timezone)
  const { begins_ms, offset_ms } = transitions
  const offsets: OffsetFrom[] = []
  for (let k = indexAt(transitions, from); k < begins_ms.length && begins_ms[k]! < until; k++)
    offsets.push({ from_ms: Math.max(from, begins_ms[k]!), offset_ms: offset_ms[k]! })
  return offsets
}
