import { WEEK_HOURS } from '../../config/vocabulary.ts'
import { lowerBound } from '../statistics/statistics.ts'

/** How a climatology weighs a past hour against the hour of the week that it describes. */
export interface Kernel {
  /** Standard deviation, in hours, of the weight of neighbouring clock hours. */
  hours: number
  /** Weight of an hour of another day of the same kind (both Monday to Friday, or both of a weekend); the same weekday has 1. */
  same_kind: number
  /** Weight of an hour of a day of the other kind. */
  other_kind: number
  /** Days in which a weight falls to 1/e. */
  days: number
}

/** Past hours; parallel arrays. */
export interface PastHours {
  values: Float64Array
  /** Local hour, 0–23. */
  hour: Uint8Array
  /** Local weekday, 0 is Monday. */
  weekday: Uint8Array
  /** Whole hours since the hour ended: only differences matter, as weights are relative. */
  age_hours: Uint16Array
}

const isWeekend = (weekday: number) => weekday > 4

/** Weight of a day for another, at [target × 7 + day]. */
function dayWeights({ same_kind, other_kind }: Kernel): Float64Array {
  return Float64Array.from({ length: 49 }, (_, index) => {
    const target = Math.floor(index / 7)
    const day = index % 7
    if (target === day) return 1
    return isWeekend(target) === isWeekend(day) ? same_kind : other_kind
  })
}

/** The past hours near each local hour, ascending by value; those of one local hour lie from `start[h]` to `start[h + 1]`. */
interface NearHours {
  start: Uint32Array
  /**
   * Position among the past hours (bits 0–15), clock hours between the two (bits 16–19), and the weekday that an hour has as a neighbour
   * (bits 20–22): 23:00 of Sunday is the hour before Monday's 0:00 and counts as Monday's.
   */
  packed: Int32Array
}

const pastOf = (packed: number) => packed & 0xffff
const apartOf = (packed: number) => (packed >> 16) & 0xf
const dayOf = (packed: number) => packed >> 20

/** A past, ascending by value, with its neighbourhoods, which climatologies of the same reach share. */
export interface IndexedPast extends PastHours {
  near: Map<number, NearHours>
}

/** Sorts past hours by value. There may be at most 65,536 of them. */
export function indexedPast({ values, hour, weekday, age_hours }: PastHours): IndexedPast {
  const order = sortedOrder(values)
  const sorted = {
    values: new Float64Array(order.length),
    hour: new Uint8Array(order.length),
    weekday: new Uint8Array(order.length),
    age_hours: new Uint16Array(order.length),
    near: new Map(),
  }
  for (let k = 0; k < order.length; k++) {
    const from = order[k]!
    sorted.values[k] = values[from]!
    sorted.hour[k] = hour[from]!
    sorted.weekday[k] = weekday[from]!
    sorted.age_hours[k] = age_hours[from]!
  }
  return sorted
}

/** Positions of values in ascending order. Sorting numbers that carry their position is several times faster than with a comparison. */
function sortedOrder(values: Float64Array): Uint32Array {
  const count = values.length
  const keyed = new Float64Array(count)
  // A position fits below the smallest step that matters: waits are means of whole minutes.
  for (let k = 0; k < count; k++) keyed[k] = Math.round(values[k]! * 1e6) * 65_536 + k
  keyed.sort()
  const order = new Uint32Array(count)
  for (let k = 0; k < count; k++) order[k] = ((keyed[k]! % 65_536) + 65_536) % 65_536
  return order
}

function nearHours({ hour, weekday, near: known }: IndexedPast, reach: number): NearHours {
  const found = known.get(reach)
  if (found) return found
  const counts = new Uint32Array(24)
  for (let k = 0; k < hour.length; k++) counts[hour[k]!]!++
  const start = new Uint32Array(25)
  for (let h = 0; h < 24; h++) {
    let sum = 0
    for (let shift = -reach; shift <= reach; shift++) sum += counts[(h + 24 + shift) % 24]!
    start[h + 1] = start[h]! + sum
  }
  const packed = new Int32Array(start[24]!)
  const next = start.slice()
  for (let k = 0; k < hour.length; k++) {
    for (let shift = -reach; shift <= reach; shift++) {
      let target = hour[k]! + shift
      let day = weekday[k]!
      if (target < 0) {
        target += 24
        day = day === 0 ? 6 : day - 1
      } else if (target > 23) {
        target -= 24
        day = day === 6 ? 0 : day + 1
      }
      packed[next[target]!++] = k | ((shift < 0 ? -shift : shift) << 16) | (day << 20)
    }
  }
  const near = { start, packed }
  known.set(reach, near)
  return near
}

const fades = new Map<number, Float64Array>()

/** The weights of whole hours of age at which exp(−age ÷ days) falls, kept for each number of days. */
function fadeOf(days: number): Float64Array {
  const found = fades.get(days)
  if (found) return found
  const fade = Float64Array.from({ length: 65_536 }, (_, hours) => Math.exp(-hours / 24 / days))
  fades.set(days, fade)
  return fade
}

/** The weights of clock hours up to `reach` away. */
const nearnessOf = (hours: number, reach: number) =>
  Float64Array.from({ length: reach + 1 }, (_, apart) => Math.exp(-0.5 * (apart / hours) ** 2))

/** The weighted values near a local hour, ascending, and the weight of those before each; one more weight than values. */
interface WeightedValues {
  values: Float64Array
  weightBefore: Float64Array
}

/** The weight of the past hours within some minutes of a value, and of all of them, near a local hour; weekdays count alike. */
export type WeightWithin = (hour: number, value: number, minutes: number) => { inside: number; total: number }

/** Weighs past hours near a local hour, each local hour when it is first needed. */
export function weightWithin(past: IndexedPast, { hours, days }: Pick<Kernel, 'hours' | 'days'>): WeightWithin {
  const reach = Math.floor(3 * hours + 0.5)
  const fade = fadeOf(days)
  const nearness = nearnessOf(hours, reach)
  const hourValues: WeightedValues[] = []
  const weighted = (hour: number): WeightedValues => {
    const { start, packed } = nearHours(past, reach)
    const near = packed.subarray(start[hour]!, start[hour + 1]!)
    const values = new Float64Array(near.length)
    const weightBefore = new Float64Array(near.length + 1)
    for (let k = 0; k < near.length; k++) {
      const position = pastOf(near[k]!)
      values[k] = past.values[position]!
      weightBefore[k + 1] = weightBefore[k]! + fade[past.age_hours[position]!]! * nearness[apartOf(near[k]!)]!
    }
    return { values, weightBefore }
  }
  return (hour, value, minutes) => {
    hourValues[hour] ??= weighted(hour)
    const { values, weightBefore } = hourValues[hour]
    const from = lowerBound(values, value - minutes - TIE_MINUTES)
    const to = lowerBound(values, value + minutes + TIE_MINUTES)
    return { inside: weightBefore[to]! - weightBefore[from]!, total: weightBefore[values.length]! }
  }
}

/** Values this near together are the same: waits are means of whole minutes. */
const TIE_MINUTES = 1e-6

/** Weights are summed up to the start of each block of this many hours, so that the search for a quantile reads one block only. */
const BLOCK = 16
/** Reused, as a training makes hundreds of thousands of climatologies. */
let scratch = { weights: new Float64Array(0), sums: new Float64Array(0) }

function scratchOf(count: number) {
  if (scratch.weights.length < count)
    scratch = { weights: new Float64Array(2 * count), sums: new Float64Array((2 * count + 2 * BLOCK) * 7) }
  return scratch
}

/**
 * Weighted quantiles of past hours for each hour of the week: for each fraction (ascending) a table of WEEK_HOURS values, NaN where
 * no past hour is near. A quantile lies on straight lines between the values, each at the middle of its weight.
 */
export function climatology(past: IndexedPast, kernel: Kernel, fractions: readonly number[]): Float64Array[] {
  const reach = Math.floor(3 * kernel.hours + 0.5)
  const nearness = nearnessOf(kernel.hours, reach)
  const fade = fadeOf(kernel.days)
  const faded = new Float64Array(past.age_hours.length)
  for (let k = 0; k < faded.length; k++) faded[k] = fade[past.age_hours[k]!]!
  const { start, packed } = nearHours(past, reach)
  const isEachDayAlike = kernel.same_kind === 1 && kernel.other_kind === 1
  const byDay = isEachDayAlike ? EACH_DAY_ALIKE : dayWeights(kernel)
  const tables = fractions.map(() => new Float64Array(WEEK_HOURS).fill(Number.NaN))
  for (let hour = 0; hour < 24; hour++) {
    const from = start[hour]!
    const count = start[hour + 1]! - from
    if (count === 0) continue
    const { weights, sums } = scratchOf(count)
    // The sums before the first block are 0; those before each next one begin as a copy.
    sums.fill(0, 0, 7)
    let block = 0
    for (let first = 0; first < count; first += BLOCK) {
      const next = block + 7
      for (let day = 0; day < 7; day++) sums[next + day] = sums[block + day]!
      const end = first + BLOCK < count ? first + BLOCK : count
      for (let k = first; k < end; k++) {
        const hourNear = packed[from + k]!
        const weight = faded[pastOf(hourNear)]! * nearness[apartOf(hourNear)]!
        weights[k] = weight
        sums[next + dayOf(hourNear)]! += weight
      }
      block = next
    }
    const hours: NearWeights = { values: past.values, packed, from, count, weights, sums, total: block }
    for (let weekday = 0; weekday < (isEachDayAlike ? 1 : 7); weekday++)
      for (let k = 0; k < fractions.length; k++)
        tables[k]![weekday * 24 + hour] = weightedQuantile(hours, byDay, weekday * 7, fractions[k]!)
    if (isEachDayAlike)
      for (const table of tables)
        for (let weekday = 1; weekday < 7; weekday++) table[weekday * 24 + hour] = table[hour]!
  }
  return tables
}

const EACH_DAY_ALIKE = new Float64Array(49).fill(1)

/** The past hours near a local hour with their weights before those of the days. */
interface NearWeights {
  values: Float64Array
  packed: Int32Array
  /** The first of them in `packed`, and how many they are. */
  from: number
  count: number
  weights: Float64Array
  /** The weights of each earlier day, for each block, at [block × 7 + day]. */
  sums: Float64Array
  /** The offset in `sums` of the weights of each day over all blocks. */
  total: number
}

/** The sum of the seven days from `offset` on, each times its weight from `target` on. */
function dot(byDay: Float64Array, target: number, sums: Float64Array, offset: number): number {
  let sum = 0
  for (let day = 0; day < 7; day++) sum += byDay[target + day]! * sums[offset + day]!
  return sum
}

/** A weighted quantile for the weekday whose weights of days begin at `target`. */
function weightedQuantile(near: NearWeights, byDay: Float64Array, target: number, fraction: number): number {
  const { values, packed, from, count, weights, sums, total } = near
  const wanted = fraction * dot(byDay, target, sums, total)
  // The last block before which there is less than is wanted: no hour before it has its middle at what is wanted.
  let block = 0
  let after = Math.ceil(count / BLOCK)
  while (after - block > 1) {
    const middle = (block + after) >> 1
    if (dot(byDay, target, sums, middle * 7) < wanted) block = middle
    else after = middle
  }
  const weightAt = (k: number) => weights[k]! * byDay[target + dayOf(packed[from + k]!)]!
  let k = block * BLOCK
  let before = block === 0 ? 0 : dot(byDay, target, sums, block * 7)
  let weight = weightAt(k)
  let previousMiddle = block === 0 ? weight / 2 : before - weightAt(k - 1) / 2
  let middle = before + weight / 2
  while (middle < wanted && k < count - 1) {
    before += weight
    k++
    weight = weightAt(k)
    previousMiddle = middle
    middle = before + weight / 2
  }
  const value = values[pastOf(packed[from + k]!)]!
  if (k === 0) return value
  const isBetween = middle > previousMiddle && middle >= wanted
  const share = isBetween ? (wanted - previousMiddle) / (middle - previousMiddle) : 1
  const below = values[pastOf(packed[from + k - 1]!)]!
  return below + share * (value - below)
}
