import { localClock } from '../../config/time-zones/local-time.ts'
import { type AirportSize, MINUTE_MS, startOfHour } from '../../config/vocabulary.ts'

/** A usable reading of an open standard or unsplit lane. */
export interface LaneReading {
  /** Distinguishes the lanes of an airport. */
  lane: string | number
  observed_ms: number
  /** When the reading could have been known. */
  available_ms: number
  minutes: number
}

/** The waits of a queue as they were shown over time, ascending by instant; parallel arrays. */
export interface Scans {
  observed_ms: Float64Array
  /** When all readings of the scan could have been known. */
  available_ms: Float64Array
  /** Mean over the lanes with a reading, minutes. */
  minutes: Float64Array
}

/** A lane whose last reading is this much older than the newest one is no longer in the feed, as in current waits. */
const VANISHED_MS = 30 * MINUTE_MS
/** Readings within this time are one scan of an airport's lanes. */
const SCAN_MS = MINUTE_MS

/** The scans of a queue from readings of its lanes, which ascend by `observed_ms`. Each scan holds earlier readings only. */
export function scansOf(readings: readonly LaneReading[]): Scans {
  const lanes = new Map<string | number, LaneReading>()
  const scans: [observed_ms: number, available_ms: number, minutes: number][] = []
  for (let next = 0; next < readings.length; ) {
    const instant = readings[next]!.observed_ms
    for (; next < readings.length && readings[next]!.observed_ms - instant < SCAN_MS; next++)
      lanes.set(readings[next]!.lane, readings[next]!)
    let sum = 0
    let available_ms = 0
    for (const [lane, reading] of lanes) {
      if (instant - reading.observed_ms > VANISHED_MS) {
        lanes.delete(lane)
        continue
      }
      sum += reading.minutes
      available_ms = Math.max(available_ms, reading.available_ms)
    }
    scans.push([readings[next - 1]!.observed_ms, available_ms, sum / lanes.size])
  }
  const column = (k: 0 | 1 | 2) => Float64Array.from(scans, (scan) => scan[k])
  return { observed_ms: column(0), available_ms: column(1), minutes: column(2) }
}

/** Waits are averaged over slots of this length, so that a feed that is read more often weighs no more. */
export const SLOT_MS = 10 * MINUTE_MS
export const SLOTS_A_DAY = 144

/** Mean waits by slot, ascending; parallel arrays. */
export interface Slots {
  /** Middle of the slot. */
  middle_ms: Float64Array
  available_ms: Float64Array
  minutes: Float64Array
}

/** The slots near a minute of the day, ascending by wait; parallel arrays. */
export interface NearSlots {
  /** Position among the slots. */
  position: Uint32Array
  /** Minutes between the two times of the day. */
  apart: Uint16Array
  /** The wait in minutes, rounded to a thousandth. */
  wait: Float64Array
}

/** A queue with what the nowcast needs of its past. */
export interface NowcastSeries {
  iata: string
  timezone: string
  size: AirportSize
  scans: Scans
  slots: Slots
  /** Local minute of the day of each slot's middle, and local weekday, 1 Monday to 7 Sunday. */
  minute_of_day: Uint16Array
  weekday: Uint8Array
  /** Positions of the slots at each local slot of the day, ascending in time. */
  by_slot: Uint32Array[]
  /** Slots by minute of the day, cached for a series requested at many hours; megabytes, so null for other series. */
  near_slots: Map<number, NearSlots> | null
  cache: { known_ms: number; entries: Map<string, unknown> }
}

/** The mean of the scans of each slot. */
function slotsOf({ observed_ms, available_ms, minutes }: Scans): Slots {
  const slots: [middle_ms: number, available_ms: number, minutes: number][] = []
  for (let start = 0; start < observed_ms.length; ) {
    const slot = Math.floor(observed_ms[start]! / SLOT_MS)
    let sum = 0
    let available = 0
    let end = start
    for (; end < observed_ms.length && Math.floor(observed_ms[end]! / SLOT_MS) === slot; end++) {
      sum += minutes[end]!
      available = Math.max(available, available_ms[end]!)
    }
    slots.push([(slot + 0.5) * SLOT_MS, available, sum / (end - start)])
    start = end
  }
  const column = (k: 0 | 1 | 2) => Float64Array.from(slots, (slot) => slot[k])
  return { middle_ms: column(0), available_ms: column(1), minutes: column(2) }
}

/** An airport of the directory, as far as the nowcast knows it. */
export interface NowcastAirport {
  iata: string
  timezone: string
  size: AirportSize
}

/** Prepares a queue's past. `slots` may reach further back than `scans`. */
export function nowcastSeries(
  { iata, timezone, size }: NowcastAirport,
  scans: Scans,
  slots = slotsOf(scans),
): NowcastSeries {
  const clock = localClock(timezone, slots.middle_ms)
  const minute_of_day = Uint16Array.from(clock.hour, (hour, k) => hour * 60 + clock.minute[k]!)
  const positions: number[][] = Array.from({ length: SLOTS_A_DAY }, () => [])
  for (const [k, minute] of minute_of_day.entries()) positions[Math.floor(minute / 10)]!.push(k)
  return {
    iata,
    timezone,
    size,
    scans,
    slots,
    minute_of_day,
    weekday: clock.weekday,
    by_slot: positions.map((own) => Uint32Array.from(own)),
    near_slots: null,
    cache: { known_ms: Number.NaN, entries: new Map() },
  }
}

/** The past of a queue is evaluated anew each full hour; results are cached until then. */
export function cached<T>(
  series: NowcastSeries,
  issued_ms: number,
  key: string,
  calculate: (known_ms: number) => T,
): T {
  const known_ms = startOfHour(issued_ms)
  const { entries } = series.cache
  if (series.cache.known_ms !== known_ms) {
    series.cache.known_ms = known_ms
    entries.clear()
  }
  const found = entries.get(key) as T | undefined
  if (found !== undefined) return found
  const value = calculate(known_ms)
  entries.set(key, value)
  return value
}

/** The same past with other scans; what is calculated of the past is shared. */
export const withScans = (series: NowcastSeries, scans: Scans): NowcastSeries => ({ ...series, scans })
