import { type AirportSize, DAY_MS, MINUTE_MS } from '../../config/domain.ts'
import { localClock } from '../../config/time-zones/local-time.ts'
import { typicalQuantiles } from '../prior/typical.ts'
import { lowerBound } from '../statistics/statistics.ts'
import { cached, type NowcastSeries, SLOT_MS, SLOTS_A_DAY } from './series.ts'

/** How past slots count for a time of the day: chosen on the earlier parts of the historical sets. */
interface Kernel {
  /** Standard deviation of the weight of neighbouring times of the day. */
  minutes: number
  /** Days in which a weight falls to 1/e. */
  days: number
  /** Weight of another day of the same kind (both Monday to Friday, or both of a weekend), and of the other kind. */
  same_kind: number
  other_kind: number
}

/** Narrow, medium, short memory, wide, widest. */
const KERNELS: readonly Kernel[] = [
  { minutes: 12, days: 14, same_kind: 0.7, other_kind: 0.6 },
  { minutes: 25, days: 30, same_kind: 0.5, other_kind: 0.3 },
  { minutes: 45, days: 10, same_kind: 1, other_kind: 1 },
  { minutes: 60, days: 40, same_kind: 0.5, other_kind: 0.25 },
  { minutes: 90, days: 5, same_kind: 1, other_kind: 0.8 },
]

const PAST_DAYS = 60
/** Fewer slots say nothing about a time of the day. */
const MIN_SLOTS = 2
/** Usual waits are calculated for instants on a grid of this step. */
const GRID_MS = 5 * MINUTE_MS

/** The usual waits of a queue at an instant, minutes. */
export interface UsualWaits {
  p10: number
  p50: number
  p90: number
  /** The median by each kernel; NaN where too little is known. */
  medians: number[]
  /** The worldwide prior of the airport's size at the same time. */
  typical: { p10: number; p50: number; p90: number }
}

/** The level and spread of all that is known of a queue. */
export interface Level {
  /** Slots with a wait in the last 60 days. */
  slots: number
  median: number
  /** Typical distance of a wait from the median, drawn towards that of an unknown airport; at least 0.4. */
  scale: number
}

/** The first slot that counts, and the end of those that ended and could be known by an instant. */
function pastSlots({ slots }: NowcastSeries, known_ms: number): { from: number; to: number } {
  return {
    from: lowerBound(slots.middle_ms, known_ms - PAST_DAYS * DAY_MS),
    to: lowerBound(slots.middle_ms, known_ms),
  }
}

/** An unknown airport has this spread; it counts as much as this many slots. */
const UNKNOWN_SPREAD = 4
const UNKNOWN_SLOTS = 24

/** Level and spread of a queue by what was known at the last full hour before `issued_ms`. */
export function levelAt(series: NowcastSeries, issued_ms: number): Level {
  return cached(series, issued_ms, 'level', (known_ms) => {
    const { from, to } = pastSlots(series, known_ms)
    const known: number[] = []
    for (let k = from; k < to; k++) if (series.slots.available_ms[k]! <= known_ms) known.push(series.slots.minutes[k]!)
    const ascending = Float64Array.from(known).sort()
    const median =
      ascending.length === 0
        ? Number.NaN
        : (ascending[(ascending.length - 1) >> 1]! + ascending[ascending.length >> 1]!) / 2
    let distance = 0
    for (const minutes of ascending) distance += Math.abs(minutes - median)
    return {
      slots: ascending.length,
      median,
      scale: Math.max(0.4, (distance + UNKNOWN_SPREAD * UNKNOWN_SLOTS) / (ascending.length + UNKNOWN_SLOTS)),
    }
  })
}

/** The usual waits at an instant by what was known at the last full hour before `issued_ms`. */
export function usualWaitsAt(series: NowcastSeries, issued_ms: number, valid_ms: number): UsualWaits {
  const grid_ms = Math.round(valid_ms / GRID_MS) * GRID_MS
  return cached(series, issued_ms, `usual/${grid_ms}`, (known_ms) => {
    const clock = localClock(series.timezone, [grid_ms])
    const target = { minute: clock.hour[0]! * 60 + clock.minute[0]!, weekday: clock.weekday[0]! }
    const typical = typicalAt(series, target.minute, target.weekday)
    const { from, to } = pastSlots(series, known_ms)
    const quantiles = KERNELS.map((kernel) => weightedQuantiles(series, kernel, target, { from, to, known_ms }))
    const known = quantiles.filter((each) => each !== null)
    const average = (k: 0 | 1 | 2, otherwise: number) =>
      known.length === 0 ? otherwise : known.reduce((sum, each) => sum + each[k], 0) / known.length
    return {
      p10: average(0, typical.p10),
      p50: average(1, typical.p50),
      p90: average(2, typical.p90),
      medians: quantiles.map((each) => each?.[1] ?? Number.NaN),
      typical,
    }
  })
}

/** The worldwide prior of an airport at an instant. */
export function typicalWaitAt(airport: { size: AirportSize; timezone: string }, valid_ms: number) {
  const { hour, minute, weekday } = localClock(airport.timezone, [valid_ms])
  return typicalAt(airport, hour[0]! * 60 + minute[0]!, weekday[0]!)
}

/** The prior at a minute of the day, linear between the middles of the hours. */
function typicalAt({ size }: { size: AirportSize }, minute: number, weekday: number) {
  const place = minute / 60 - 0.5
  const hour = Math.floor(place)
  const before = typicalQuantiles(size, (hour + 24) % 24, weekday)
  const after = typicalQuantiles(size, (hour + 1) % 24, weekday)
  const between = (name: 'p10' | 'p50' | 'p90') => before[name] + (place - hour) * (after[name] - before[name])
  return { p10: between('p10'), p50: between('p50'), p90: between('p90') }
}

const isWeekend = (weekday: number) => weekday > 5

/** Weighted quantiles of past slots near a time of the day, linear between the middles of the weights; null of too few. */
function weightedQuantiles(
  { slots, by_slot, minute_of_day, weekday }: NowcastSeries,
  kernel: Kernel,
  target: { minute: number; weekday: number },
  { from, to, known_ms }: { from: number; to: number; known_ms: number },
): [p10: number, p50: number, p90: number] | null {
  const reach = 3 * kernel.minutes + 5
  const steps = Math.ceil(reach / 10)
  const middle = Math.floor(target.minute / 10)
  const weights: number[] = []
  const keys: number[] = []
  for (let step = -steps; step <= steps; step++) {
    const positions = by_slot[(middle + step + SLOTS_A_DAY) % SLOTS_A_DAY]!
    for (let k = positions.length - 1; k >= 0; k--) {
      const at = positions[k]!
      if (at >= to) continue
      if (at < from) break
      if (slots.available_ms[at]! > known_ms) continue
      const apart = Math.abs(minute_of_day[at]! - target.minute)
      const minutes = Math.min(apart, 1_440 - apart)
      if (minutes > reach) continue
      const kind = isWeekend(weekday[at]!) === isWeekend(target.weekday) ? kernel.same_kind : kernel.other_kind
      const day = weekday[at] === target.weekday ? 1 : kind
      const age_days = (known_ms - slots.middle_ms[at]!) / DAY_MS
      // The value with its position behind it sorts faster than pairs with a comparison.
      keys.push(Math.round(slots.minutes[at]! * 1_000) * 65_536 + weights.length)
      weights.push(day * Math.exp(-0.5 * (minutes / kernel.minutes) ** 2 - age_days / kernel.days))
    }
  }
  if (keys.length < MIN_SLOTS) return null
  return quantilesOf(Float64Array.from(keys).sort(), weights)
}

function quantilesOf(keys: Float64Array, weights: readonly number[]): [number, number, number] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const found: number[] = []
  let before = { weight: 0, value: Number.NaN }
  let passed = 0
  for (const key of keys) {
    const value = Math.floor(key / 65_536) / 1_000
    const weight = weights[key % 65_536]!
    const middle = passed + weight / 2
    passed += weight
    while (found.length < 3) {
      const wanted = [0.1, 0.5, 0.9][found.length]! * total
      if (middle < wanted) break
      const share = Number.isNaN(before.value) ? 1 : (wanted - before.weight) / (middle - before.weight)
      found.push(Number.isNaN(before.value) ? value : before.value + share * (value - before.value))
    }
    before = { weight: middle, value }
  }
  while (found.length < 3) found.push(before.value)
  return [found[0]!, found[1]!, found[2]!]
}

/** Mean of the slots around an instant that ended and could be known by `issued_ms`; NaN without one. */
export function meanAround({ slots }: NowcastSeries, at_ms: number, half_ms: number, issued_ms: number): number {
  let sum = 0
  let count = 0
  for (let k = lowerBound(slots.middle_ms, at_ms - half_ms); k < slots.middle_ms.length; k++) {
    const middle = slots.middle_ms[k]!
    if (middle > at_ms + half_ms || middle + SLOT_MS / 2 > issued_ms) break
    if (slots.available_ms[k]! > issued_ms) continue
    sum += slots.minutes[k]!
    count += 1
  }
  return count === 0 ? Number.NaN : sum / count
}
