/** Hours of a week: the length of a table by weekday and hour. Index d × 24 + h, d 0 is Monday. */
export const WEEK_HOURS = 168

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

/** Past hours, ascending by value; parallel arrays. */
export interface PastHours {
  values: Float64Array
  /** Local hour, 0–23. */
  hour: Uint8Array
  /** Local weekday, 0 is Monday. */
  weekday: Uint8Array
  /** Days before the instant of issue. */
  age_days: Float64Array
}

const isWeekend = (weekday: number) => weekday > 4

/** Weight of a day for another, at [target × 7 + day]. */
function dayWeights({ same_kind, other_kind }: Kernel): Float64Array {
  return Float64Array.from({ length: 49 }, (_, at) => {
    const target = Math.floor(at / 7)
    const day = at % 7
    if (target === day) return 1
    return isWeekend(target) === isWeekend(day) ? same_kind : other_kind
  })
}

/** The past hours near each local hour, ascending by value; those of one local hour lie from `start[h]` to `start[h + 1]`. */
interface NearHours {
  start: Uint32Array
  /** Position among the past hours. */
  past: Uint16Array
  /** Clock hours between the two. */
  apart: Uint8Array
  /** The weekday that an hour has as a neighbour: 23:00 of Sunday is the hour before Monday's 0:00 and counts as Monday's. */
  day: Uint8Array
}

/** A past with its neighbourhoods, which climatologies of the same reach share. */
export interface IndexedPast extends PastHours {
  near: Map<number, NearHours>
}

/** Sorts past hours by value. */
export function indexedPast({ values, hour, weekday, age_days }: PastHours): IndexedPast {
  const order = sortedOrder(values)
  const sorted = {
    values: new Float64Array(order.length),
    hour: new Uint8Array(order.length),
    weekday: new Uint8Array(order.length),
    age_days: new Float64Array(order.length),
    near: new Map(),
  }
  for (let k = 0; k < order.length; k++) {
    const from = order[k]!
    sorted.values[k] = values[from]!
    sorted.hour[k] = hour[from]!
    sorted.weekday[k] = weekday[from]!
    sorted.age_days[k] = age_days[from]!
  }
  return sorted
}

/** Positions of values in ascending order. Sorting numbers that carry their position is several times faster than with a comparison. */
function sortedOrder(values: Float64Array): Uint32Array {
  const count = values.length
  // A position fits below the smallest step that matters: waits are means of whole minutes.
  const keyed = values.map((value, k) => Math.round(value * 1e6) * 65_536 + k).sort()
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
  const size = start[24]!
  const near = { start, past: new Uint16Array(size), apart: new Uint8Array(size), day: new Uint8Array(size) }
  const next = start.slice()
  for (let k = 0; k < hour.length; k++) {
    for (let shift = -reach; shift <= reach; shift++) {
      let target = hour[k]! + shift
      let day = weekday[k]!
      if (target < 0) {
        target += 24
        day = (day + 6) % 7
      } else if (target > 23) {
        target -= 24
        day = (day + 1) % 7
      }
      const at = next[target]!++
      near.past[at] = k
      near.apart[at] = shift < 0 ? -shift : shift
      near.day[at] = day
    }
  }
  known.set(reach, near)
  return near
}

/** Reused, as a training makes hundreds of thousands of climatologies. */
let scratch = { values: new Float64Array(0), bases: new Float64Array(0), weights: new Float64Array(0) }

function scratchOf(size: number) {
  if (scratch.values.length < size)
    scratch = { values: new Float64Array(size), bases: new Float64Array(size), weights: new Float64Array(size) }
  return scratch
}

/**
 * Weighted quantiles of past hours for each hour of the week: for each fraction (ascending) a table of WEEK_HOURS values, NaN where
 * no past hour is near. A quantile lies on straight lines between the values, each at the middle of its weight.
 */
export function climatology(past: IndexedPast, kernel: Kernel, fractions: readonly number[]): Float64Array[] {
  const reach = Math.floor(3 * kernel.hours + 0.5)
  const nearness = Float64Array.from({ length: reach + 1 }, (_, apart) => Math.exp(-0.5 * (apart / kernel.hours) ** 2))
  const fade = past.age_days.map((age) => Math.exp(-age / kernel.days))
  const near = nearHours(past, reach)
  const byDay = dayWeights(kernel)
  const tables = fractions.map(() => new Float64Array(WEEK_HOURS).fill(Number.NaN))
  const isEachDayAlike = kernel.same_kind === 1 && kernel.other_kind === 1
  for (let hour = 0; hour < 24; hour++) {
    const from = near.start[hour]!
    const count = near.start[hour + 1]! - from
    const { values, bases, weights } = scratchOf(count)
    for (let k = 0; k < count; k++) {
      const at = near.past[from + k]!
      values[k] = past.values[at]!
      bases[k] = fade[at]! * nearness[near.apart[from + k]!]!
    }
    for (let weekday = 0; weekday < (isEachDayAlike ? 1 : 7); weekday++) {
      let total = 0
      for (let k = 0; k < count; k++) {
        const weight = bases[k]! * byDay[weekday * 7 + near.day[from + k]!]!
        weights[k] = weight
        total += weight
      }
      if (total > 0) setQuantiles(tables, weekday * 24 + hour, fractions, { values, weights, count, total })
    }
    if (isEachDayAlike)
      for (const table of tables)
        for (let weekday = 1; weekday < 7; weekday++) table[weekday * 24 + hour] = table[hour]!
  }
  return tables
}

interface Weighted {
  values: Float64Array
  weights: Float64Array
  count: number
  total: number
}

function setQuantiles(
  tables: readonly Float64Array[],
  cell: number,
  fractions: readonly number[],
  { values, weights, count, total }: Weighted,
): void {
  let k = 0
  let before = 0
  let middle = weights[0]! / 2
  let previousMiddle = middle
  for (let at = 0; at < fractions.length; at++) {
    const wanted = fractions[at]! * total
    while (middle < wanted && k < count - 1) {
      before += weights[k]!
      k++
      previousMiddle = middle
      middle = before + weights[k]! / 2
    }
    const isBetween = k > 0 && middle > previousMiddle && middle >= wanted
    const share = isBetween ? (wanted - previousMiddle) / (middle - previousMiddle) : 1
    tables[at]![cell] = k === 0 ? values[0]! : values[k - 1]! + share * (values[k]! - values[k - 1]!)
  }
}
