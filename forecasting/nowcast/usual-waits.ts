import { localClock } from '../../config/time-zones/local-time.ts'
import { type AirportSize, DAY_MS, MINUTE_MS } from '../../config/vocabulary.ts'
import { typicalQuantiles } from '../prior/typical.ts'
import { lowerBound } from '../statistics/statistics.ts'
import { cached, type NearSlots, type NowcastSeries, SLOT_MS, SLOTS_A_DAY } from './series.ts'

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
  /** The median by each kernel; NaN if too little is known. */
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
    const slots = knownSlots(series, target, known_ms)
    const quantiles = KERNELS.map((_, kernel) => weightedQuantiles(slots, kernel))
    const known = quantiles.filter((triple) => triple !== null)
    const average = (k: 0 | 1 | 2, otherwise: number) =>
      known.length === 0 ? otherwise : known.reduce((sum, triple) => sum + triple[k], 0) / known.length
    return {
      p10: average(0, typical.p10),
      p50: average(1, typical.p50),
      p90: average(2, typical.p90),
      medians: quantiles.map((triple) => triple?.[1] ?? Number.NaN),
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

/** Slots count for times of the day up to this many minutes away, by kernel. */
const REACH_MINUTES = KERNELS.map(({ minutes }) => 3 * minutes + 5)
const WIDEST_MINUTES = Math.max(...REACH_MINUTES)
/** The weight by minutes between two times of the day, and by age in slots, of each kernel. */
const NEARNESS = KERNELS.map(({ minutes }) =>
  Float64Array.from({ length: WIDEST_MINUTES + 1 }, (_, apart) => Math.exp(-0.5 * (apart / minutes) ** 2)),
)
const FADE = KERNELS.map(({ days }) =>
  Float64Array.from({ length: PAST_DAYS * SLOTS_A_DAY + 1 }, (_, age) => Math.exp(-(age + 0.5) / SLOTS_A_DAY / days)),
)

/** A sorted key is a wait times this, and the place of its slot in the list; no list is longer. */
const PLACES = 2 ** 20

/** The slots of a span near a minute of the day, ascending by wait; of a series that keeps them those of all days, found once. */
function nearSlots(series: NowcastSeries, minute: number, past: { from: number; to: number }): NearSlots {
  const { slots, by_slot, minute_of_day, near_slots } = series
  const cached = near_slots?.get(minute)
  if (cached) return cached
  const { from, to } = near_slots === null ? past : { from: 0, to: slots.minutes.length }
  const steps = Math.ceil(WIDEST_MINUTES / 10)
  const middle = Math.floor(minute / 10)
  const positions: number[] = []
  for (let step = -steps; step <= steps; step++) {
    const ofTime = by_slot[(middle + step + SLOTS_A_DAY) % SLOTS_A_DAY]!
    for (let k = ofTime.length - 1; k >= 0; k--) {
      const slot = ofTime[k]!
      if (slot >= from && slot < to && minutesApart(minute_of_day[slot]!, minute) <= WIDEST_MINUTES)
        positions.push(slot)
    }
  }
  // The wait with its place behind it sorts faster than pairs with a comparison. Arrays are filled by their index, because an
  // iterator makes an object for each slot.
  const count = positions.length
  const keys = new Float64Array(count)
  for (let k = 0; k < count; k++) keys[k] = Math.round(slots.minutes[positions[k]!]! * 1_000) * PLACES + k
  keys.sort()
  const near = { position: new Uint32Array(count), apart: new Uint16Array(count), wait: new Float64Array(count) }
  for (let k = 0; k < count; k++) {
    const slot = positions[keys[k]! % PLACES]!
    near.position[k] = slot
    near.apart[k] = minutesApart(minute_of_day[slot]!, minute)
    near.wait[k] = Math.floor(keys[k]! / PLACES) / 1_000
  }
  near_slots?.set(minute, near)
  return near
}

function minutesApart(a: number, b: number): number {
  const apart = Math.abs(a - b)
  return Math.min(apart, 1_440 - apart)
}

/** The slots near a time of the day that were known at an instant, ascending by wait; parallel arrays with `count` used entries. */
interface KnownSlots {
  count: number
  wait: Float64Array
  apart: Uint16Array
  /** Whole slots between the middle of the slot and the instant. */
  age: Uint16Array
  /** 0 for the same weekday, 1 for another day of its kind, 2 for a day of the other kind. */
  day: Uint8Array
  weight: Float64Array
}

/** Reused, because a training requests hundreds of thousands. */
let scratch = emptySlots(0)

function emptySlots(length: number): KnownSlots {
  return {
    count: 0,
    wait: new Float64Array(length),
    apart: new Uint16Array(length),
    age: new Uint16Array(length),
    day: new Uint8Array(length),
    weight: new Float64Array(length),
  }
}

function knownSlots(series: NowcastSeries, target: { minute: number; weekday: number }, known_ms: number): KnownSlots {
  const { slots, weekday } = series
  const past = pastSlots(series, known_ms)
  const near = nearSlots(series, target.minute, past)
  if (scratch.wait.length < near.position.length) scratch = emptySlots(2 * near.position.length)
  const known = scratch
  const isTargetWeekend = isWeekend(target.weekday)
  let count = 0
  for (let k = 0; k < near.position.length; k++) {
    const slot = near.position[k]!
    if (slot < past.from || slot >= past.to || slots.available_ms[slot]! > known_ms) continue
    known.wait[count] = near.wait[k]!
    known.apart[count] = near.apart[k]!
    known.age[count] = (known_ms - slots.middle_ms[slot]!) / SLOT_MS
    const day = weekday[slot]!
    const otherDay = isWeekend(day) === isTargetWeekend ? 1 : 2
    known.day[count] = day === target.weekday ? 0 : otherDay
    count++
  }
  known.count = count
  return known
}

/** Weighted quantiles of known slots by a kernel, linear between the middles of the weights; null of too few. */
function weightedQuantiles(
  { count, wait, apart, age, day, weight }: KnownSlots,
  kernel: number,
): [p10: number, p50: number, p90: number] | null {
  const { same_kind, other_kind } = KERNELS[kernel]!
  const reach = REACH_MINUTES[kernel]!
  const nearness = NEARNESS[kernel]!
  const fade = FADE[kernel]!
  const dayWeights = [1, same_kind, other_kind]
  let used = 0
  let total = 0
  for (let k = 0; k < count; k++) {
    const minutes = apart[k]!
    if (minutes > reach) {
      weight[k] = 0
      continue
    }
    weight[k] = dayWeights[day[k]!]! * nearness[minutes]! * fade[age[k]!]!
    total += weight[k]!
    used++
  }
  if (used < MIN_SLOTS) return null
  const found: number[] = []
  let passed = 0
  let before = 0
  let waitBefore = Number.NaN
  for (let k = 0; k < count && found.length < FRACTIONS.length; k++) {
    if (weight[k] === 0) continue
    const middle = passed + weight[k]! / 2
    passed += weight[k]!
    while (found.length < FRACTIONS.length && middle >= total * FRACTIONS[found.length]!) {
      const share = (total * FRACTIONS[found.length]! - before) / (middle - before)
      found.push(Number.isNaN(waitBefore) ? wait[k]! : waitBefore + share * (wait[k]! - waitBefore))
    }
    before = middle
    waitBefore = wait[k]!
  }
  while (found.length < FRACTIONS.length) found.push(waitBefore)
  return [found[0]!, found[1]!, found[2]!]
}

const FRACTIONS = [0.1, 0.5, 0.9]

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
