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

/** Sorts past hours by value. */
export function sortedByValue({ values, hour, weekday, age_days }: PastHours): PastHours {
  const order = Uint32Array.from(values, (_, k) => k).sort((a, b) => values[a]! - values[b]!)
  return {
    values: Float64Array.from(order, (k) => values[k]!),
    hour: Uint8Array.from(order, (k) => hour[k]!),
    weekday: Uint8Array.from(order, (k) => weekday[k]!),
    age_days: Float64Array.from(order, (k) => age_days[k]!),
  }
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

/** The past hours near each local hour, ascending by value; the hours of one local hour lie from `start[h]` to `start[h + 1]`. */
interface NearHours {
  start: Uint32Array
  values: Float64Array
  weights: Float64Array
  /** The weekday that an hour has as a neighbour: 23:00 of Sunday is the hour before Monday's 0:00 and counts as Monday's. */
  day: Uint8Array
}

function nearHours({ values, hour, weekday, age_days }: PastHours, { hours, days }: Kernel): NearHours {
  const reach = Math.floor(3 * hours + 0.5)
  const nearness = Float64Array.from({ length: reach + 1 }, (_, apart) => Math.exp(-0.5 * (apart / hours) ** 2))
  const counts = new Uint32Array(24)
  for (let k = 0; k < values.length; k++)
    for (let shift = -reach; shift <= reach; shift++) counts[(hour[k]! + 24 + shift) % 24]!++
  const start = new Uint32Array(25)
  for (let h = 0; h < 24; h++) start[h + 1] = start[h]! + counts[h]!
  const near = {
    start,
    values: new Float64Array(start[24]!),
    weights: new Float64Array(start[24]!),
    day: new Uint8Array(start[24]!),
  }
  const next = start.slice()
  for (let k = 0; k < values.length; k++) {
    const fade = Math.exp(-age_days[k]! / days)
    for (let shift = -reach; shift <= reach; shift++) {
      const target = hour[k]! + shift
      const at = next[(target + 24) % 24]!++
      const crossed = target < 0 ? -1 : target > 23 ? 1 : 0
      near.values[at] = values[k]!
      near.weights[at] = fade * nearness[Math.abs(shift)]!
      near.day[at] = (weekday[k]! + 7 + crossed) % 7
    }
  }
  return near
}

/**
 * Weighted quantiles of past hours for each hour of the week: for each fraction (ascending) a table of WEEK_HOURS values, NaN where
 * no past hour is near. A quantile lies on straight lines between the values, each at the middle of its weight.
 */
export function climatology(past: PastHours, kernel: Kernel, fractions: readonly number[]): Float64Array[] {
  const near = nearHours(past, kernel)
  const byDay = dayWeights(kernel)
  const tables = fractions.map(() => new Float64Array(WEEK_HOURS).fill(Number.NaN))
  const isEachDayAlike = kernel.same_kind === 1 && kernel.other_kind === 1
  const weights = new Float64Array(near.values.length)
  for (let weekday = 0; weekday < 7; weekday++)
    for (let hour = 0; hour < 24; hour++) {
      if (isEachDayAlike && weekday > 0) {
        for (const table of tables) table[weekday * 24 + hour] = table[hour]!
        continue
      }
      const from = near.start[hour]!
      const to = near.start[hour + 1]!
      let total = 0
      for (let k = from; k < to; k++) {
        const weight = near.weights[k]! * byDay[weekday * 7 + near.day[k]!]!
        weights[k] = weight
        total += weight
      }
      if (total > 0) setQuantiles(tables, weekday * 24 + hour, fractions, { values: near.values, weights, from, to, total })
    }
  return tables
}

interface Weighted {
  values: Float64Array
  weights: Float64Array
  from: number
  to: number
  total: number
}

function setQuantiles(
  tables: readonly Float64Array[],
  cell: number,
  fractions: readonly number[],
  { values, weights, from, to, total }: Weighted,
): void {
  let k = from
  let before = 0
  let middle = weights[from]! / 2
  let previousMiddle = middle
  for (const [at, fraction] of fractions.entries()) {
    const wanted = fraction * total
    while (middle < wanted && k < to - 1) {
      before += weights[k]!
      k++
      previousMiddle = middle
      middle = before + weights[k]! / 2
    }
    const isBetween = k > from && middle > previousMiddle && middle >= wanted && wanted > previousMiddle
    const share = isBetween ? (wanted - previousMiddle) / (middle - previousMiddle) : 1
    tables[at]![cell] = k === from ? values[from]! : values[k - 1]! + share * (values[k]! - values[k - 1]!)
  }
}
