import { type LocalClock, localClock, weekHourAt } from '../../config/time-zones/local-time.ts'
import { DAY_MS, HOUR_MS, startOfHour, WEEK_HOURS } from '../../config/vocabulary.ts'
import type { WaitForecast } from '../gaussian-process/log-waits.ts'
import { ascending, clamp, lowerBound, quantile } from '../statistics/statistics.ts'
import {
  climatology,
  type IndexedPast,
  indexedPast,
  type Kernel,
  type WeightWithin,
  weightWithin,
} from './climatology.ts'
import { type HourlySeries, knownRows } from './hourly-series.ts'
import { processAt } from './series-expectation.ts'

/** A series with the airport's wall clock at each of its hours. */
export interface PreparedSeries extends HourlySeries {
  clock: LocalClock
}

/** Computes the wall clock of a series once, for all its profiles. */
export function prepareSeries(series: HourlySeries): PreparedSeries {
  return { ...series, clock: localClock(series.timezone, series.hour_ms) }
}

/** Window of the baseline: the same local hour in the trailing 28 days. */
export const BASELINE_DAYS = 28
/** Older hours do not count. */
export const LOOKBACK_DAYS = 182
/** Deviations are kept for this many hours back: three weeks and the hours around. */
const DEVIATION_HOURS = 4 * WEEK_HOURS
/** An hour of day with fewer observations than this also uses its neighbours, one more hour on each side at a time. */
const MIN_OBSERVATIONS = 5

/** Climatologies of the waits themselves. */
const KERNELS = {
  /** The reference: deviations, scale and most inputs are differences to its median. */
  usual: { hours: 0.8, same_kind: 0.4, other_kind: 0.4, days: 35 },
  two_weeks: { hours: 1, same_kind: 1, other_kind: 1, days: 14 },
  weekday: { hours: 0.8, same_kind: 0.3, other_kind: 0.1, days: 60 },
  five_days: { hours: 1.5, same_kind: 1, other_kind: 1, days: 5 },
  clock_hour: { hours: 0.2, same_kind: 1, other_kind: 1, days: 25 },
} satisfies Record<string, Kernel>
/** The shape of a day: the median of each clock hour. */
const DAY_SHAPE: Kernel = { hours: 0.2, same_kind: 1, other_kind: 1, days: 60 }
/** Climatologies of the waits less the shape of the day, which pool neighbouring hours without blurring it. */
const SHAPED_KERNELS = {
  shaped_usual: { hours: 1, same_kind: 0.4, other_kind: 0.4, days: 35 },
  shaped_weekday: { hours: 1.5, same_kind: 0.3, other_kind: 0.1, days: 60 },
  shaped_five_days: { hours: 2, same_kind: 1, other_kind: 1, days: 5 },
  shaped_two_weeks: { hours: 1.2, same_kind: 0.7, other_kind: 0.5, days: 14 },
} satisfies Record<string, Kernel>

export type ClimatologyName = keyof typeof KERNELS | keyof typeof SHAPED_KERNELS

/** The climatologies with their kernels, for the documents of a model. */
export const CLIMATOLOGIES = [
  ...Object.entries(KERNELS).map(([name, kernel]) => ({ name, of_shape: false, kernel })),
  ...Object.entries(SHAPED_KERNELS).map(([name, kernel]) => ({ name, of_shape: true, kernel })),
]

/** Quantiles of the same local hour in the trailing 28 days, minutes; one entry per local hour. */
export interface SameHour {
  p10: Float64Array
  p50: Float64Array
  p90: Float64Array
  mean: Float64Array
  /** Observations of exactly this local hour. */
  count: Float64Array
}

/**
 * Description of a series at an instant; nothing in it depends on a row that was not available then. Tables have WEEK_HOURS
 * entries in minutes, at weekday × 24 + local hour. A deviation is the wait of an hour less the usual median of its hour, bounded by six
 * scales.
 */
export interface Profile {
  issued_ms: number
  same_hour: SameHour
  medians: Record<ClimatologyName, Float64Array>
  /** Quantiles of the climatologies `usual` and `shaped_usual`. */
  usual_p10: Float64Array
  usual_p90: Float64Array
  shaped_p10: Float64Array
  shaped_p90: Float64Array
  /** Median of exactly this hour of the week. */
  week_hour: Float64Array
  /** The waits that the airport's process expects of later hours, which the model corrects. */
  process: WaitForecast
  /** Typical deviation in minutes, at least 0.4: the unit of scaled features. */
  scale: number
  /** Mean wait of the latest known hour, minutes, and how many hours before the instant it ended. */
  latest: number
  latest_age_hours: number
  latest_deviation: number
  /** Median and mean wait over all hours of the 28 days, minutes. */
  level: number
  mean_level: number
  /** Means of all deviations, weighted by age with a half-life of this many hours and shrunk towards 0. */
  recent: Record<RecentHours, number>
  /** Mean deviation of each clock hour and its neighbours, weighted by age with a half-life of five days; 24 entries. */
  hour_recent: Float64Array
  /** Median deviation of the last seven days. */
  week_deviation: number
  /** Deviation of each of the last hours; index 0 is the hour that ended last, NaN is not observed. */
  deviations: Float64Array
  /** Observed fraction of the hours of the last 28 days. */
  density: number
  /** The weight of past waits near a local hour that lie within some minutes of a wait, by the weights of `two_weeks`. */
  weightWithin: WeightWithin
  /** The waits of the last 28 days are multiples of this many minutes: 1 where nearly all are, as of a single queue; else 0. */
  step: number
}

/** Above this share of whole minutes, other values are exceptions. */
const WHOLE_SHARE = 0.9

type RecentHours = 2 | 6 | 24 | 72 | 168
const HOUR_RECENT_HALF_LIFE_DAYS = 5
const HOUR_RECENT_NEIGHBOUR = 0.6
/** A deviation counts up to this many scales, so that one spike does not dominate a mean. */
const MAX_DEVIATION = 6
const MIN_SCALE = 0.4
const SCALE_OF_MEAN_DEVIATION = 1.25

/**
 * Describes a series from what was available at an instant (epoch ms); null when no hour of the last 28 days was.
 */
export function profileAt(series: PreparedSeries, issued_ms: number): Profile | null {
  const known = knownRows(series, issued_ms, LOOKBACK_DAYS)
  const trailing = known.subarray(lowerBound(known, lowerBound(series.hour_ms, issued_ms - BASELINE_DAYS * DAY_MS)))
  if (trailing.length === 0) return null
  const past = pastHours(series, known, issued_ms)
  const same_hour = sameHour(series, trailing)
  const [usual_p10, usual, usual_p90] = quantilesOf(past, KERNELS.usual)
  fill(usual, same_hour.p50)
  fill(usual_p10, same_hour.p10)
  fill(usual_p90, same_hour.p90)
  const { medians, shaped_p10, shaped_p90 } = climatologies(past, usual)
  const week_hour = filled(weekHourMedian(past), usual)
  const { clock } = series
  const expected = (row: number) => usual[weekHourAt(clock, row)]!
  const scale = scaleOf(columnOf(trailing, (row) => Math.abs(series.mean[row]! - expected(row))))
  const limit = MAX_DEVIATION * scale
  const deviations = {
    rows: known,
    minutes: columnOf(known, (row) => clamp(series.mean[row]! - expected(row), -limit, limit)),
  }
  const last = trailing.at(-1)!
  const waits = columnOf(trailing, (row) => series.mean[row]!).sort()
  const byAge = lastHours(series, deviations, issued_ms)
  return {
    issued_ms,
    same_hour,
    medians,
    usual_p10,
    usual_p90,
    shaped_p10,
    shaped_p90,
    week_hour,
    process: processAt(series, issued_ms),
    scale,
    latest: series.mean[last]!,
    latest_age_hours: ageHours(series.hour_ms[last]!, issued_ms),
    latest_deviation: deviations.minutes.at(-1)!,
    level: quantile(waits, 0.5),
    mean_level: waits.reduce((sum, wait) => sum + wait, 0) / waits.length,
    recent: recentDeviations(series, deviations, issued_ms),
    hour_recent: recentDeviationsByHour(series, deviations, issued_ms),
    week_deviation: medianOf(byAge.subarray(0, WEEK_HOURS)),
    deviations: byAge,
    density: trailing.length / (BASELINE_DAYS * 24),
    weightWithin: weightWithin(past, KERNELS.two_weeks),
    step: waits.filter(Number.isInteger).length >= WHOLE_SHARE * waits.length ? 1 : 0,
  }
}

/** One number of each row. `Float64Array.from` would do the same many times slower, and training makes tens of thousands of profiles. */
function columnOf(rows: Int32Array, numberOf: (row: number) => number): Float64Array {
  const column = new Float64Array(rows.length)
  for (let k = 0; k < rows.length; k++) column[k] = numberOf(rows[k]!)
  return column
}

function pastHours({ mean, clock, hour_ms }: PreparedSeries, rows: Int32Array, issued_ms: number): IndexedPast {
  const past = {
    values: columnOf(rows, (row) => mean[row]!),
    hour: new Uint8Array(rows.length),
    weekday: new Uint8Array(rows.length),
    age_hours: new Uint16Array(rows.length),
  }
  for (let k = 0; k < rows.length; k++) {
    const row = rows[k]!
    past.hour[k] = clock.hour[row]!
    past.weekday[k] = clock.weekday[row]! - 1
    past.age_hours[k] = ageHours(hour_ms[row]!, issued_ms)
  }
  return indexedPast(past)
}

/** Replaces what is missing in a table by another one, of the week or of 24 clock hours. */
function fill(table: Float64Array, other: Float64Array): void {
  for (let k = 0; k < table.length; k++) if (Number.isNaN(table[k]!)) table[k] = other[k % other.length]!
}

function filled(table: Float64Array, other: Float64Array): Float64Array {
  fill(table, other)
  return table
}

type Quantiles = [p10: Float64Array, p50: Float64Array, p90: Float64Array]
const quantilesOf = (past: IndexedPast, kernel: Kernel) => climatology(past, kernel, [0.1, 0.5, 0.9]) as Quantiles

/** The medians of all climatologies, and quantiles of `shaped_usual`; what is missing is the usual median. */
function climatologies(past: IndexedPast, usual: Float64Array) {
  const medianOf = (from: IndexedPast, kernel: Kernel) => climatology(from, kernel, [0.5])[0]!
  const shape = filled(medianOf(past, DAY_SHAPE), usual)
  const { hour, weekday, age_hours } = past
  const values = new Float64Array(hour.length)
  for (let k = 0; k < hour.length; k++) values[k] = past.values[k]! - shape[hour[k]!]!
  const shapeless = indexedPast({ values, hour, weekday, age_hours })
  const shaped = (table: Float64Array) => {
    for (let k = 0; k < WEEK_HOURS; k++) table[k]! += shape[k % 24]!
    return filled(table, usual)
  }
  const [shaped_p10, shaped_p50, shaped_p90] = quantilesOf(shapeless, SHAPED_KERNELS.shaped_usual).map(
    shaped,
  ) as Quantiles
  const medians: Record<string, Float64Array> = { usual }
  for (const { name, of_shape, kernel } of CLIMATOLOGIES) {
    if (name === 'shaped_usual') medians[name] = shaped_p50
    else if (name !== 'usual')
      medians[name] = of_shape ? shaped(medianOf(shapeless, kernel)) : filled(medianOf(past, kernel), usual)
  }
  return { medians: medians as Profile['medians'], shaped_p10, shaped_p90 }
}

/** Median of each hour of the week over all days; NaN if none was observed. */
function weekHourMedian({ values, weekday, hour }: IndexedPast): Float64Array {
  const pools: number[][] = Array.from({ length: WEEK_HOURS }, () => [])
  for (let k = 0; k < values.length; k++) pools[weekday[k]! * 24 + hour[k]!]!.push(values[k]!)
  return Float64Array.from(pools, (pool) => (pool.length === 0 ? Number.NaN : quantile(pool, 0.5)))
}

function scaleOf(absolute: Float64Array): number {
  const meanDeviation = absolute.reduce((sum, minutes) => sum + minutes, 0) / absolute.length
  return Math.max(MIN_SCALE, SCALE_OF_MEAN_DEVIATION * meanDeviation)
}

function sameHour(series: PreparedSeries, rows: Int32Array): SameHour {
  const byHour: number[][] = Array.from({ length: 24 }, () => [])
  for (const row of rows) byHour[series.clock.hour[row]!]!.push(series.mean[row]!)
  const table = () => new Float64Array(24)
  const quantiles = { p10: table(), p50: table(), p90: table(), mean: table() }
  for (let hour = 0; hour < 24; hour++) {
    let pool = byHour[hour]!
    for (let reach = 1; pool.length < MIN_OBSERVATIONS && reach <= 12; reach++) {
      pool = pool.concat(byHour[(hour + reach) % 24]!)
      // Twelve hours before is the same hour of day as twelve hours after.
      if (reach < 12) pool = pool.concat(byHour[(hour + 24 - reach) % 24]!)
    }
    const sorted = ascending(pool)
    quantiles.p10[hour] = quantile(sorted, 0.1)
    quantiles.p50[hour] = quantile(sorted, 0.5)
    quantiles.p90[hour] = quantile(sorted, 0.9)
    quantiles.mean[hour] = sorted.reduce((sum, wait) => sum + wait, 0) / sorted.length
  }
  return { ...quantiles, count: Float64Array.from(byHour, (pool) => pool.length) }
}

/** Deviations of the known rows; parallel arrays. */
interface Deviations {
  /** Indices into the series. */
  rows: Int32Array
  minutes: Float64Array
}

/** Weights 0.5^(age ÷ half-life) by whole hours of age; a table, because training makes tens of thousands of profiles. */
function decayTable(half_life_hours: number): Float64Array {
  return Float64Array.from({ length: LOOKBACK_DAYS * 24 + 1 }, (_, age) => 0.5 ** (age / half_life_hours))
}
const RECENT_DECAY = {
  2: decayTable(2),
  6: decayTable(6),
  24: decayTable(24),
  72: decayTable(72),
  168: decayTable(168),
}
const HOUR_RECENT_DECAY = decayTable(24 * HOUR_RECENT_HALF_LIFE_DAYS)

function recentDeviations(
  series: PreparedSeries,
  { rows, minutes }: Deviations,
  issued_ms: number,
): Record<RecentHours, number> {
  const ages = columnOf(rows, (row) => ageHours(series.hour_ms[row]!, issued_ms))
  const mean = (weights: Float64Array) => {
    let sum = 0
    let total = 1
    for (let k = 0; k < rows.length; k++) {
      const weight = weights[ages[k]!]!
      sum += weight * minutes[k]!
      total += weight
    }
    return sum / total
  }
  const { 2: h2, 6: h6, 24: h24, 72: h72, 168: h168 } = RECENT_DECAY
  return { 2: mean(h2), 6: mean(h6), 24: mean(h24), 72: mean(h72), 168: mean(h168) }
}

function recentDeviationsByHour(
  series: PreparedSeries,
  { rows, minutes }: Deviations,
  issued_ms: number,
): Float64Array {
  const sums = new Float64Array(24)
  const totals = new Float64Array(24).fill(1)
  const add = (hour: number, weight: number, deviation: number) => {
    sums[hour]! += weight * deviation
    totals[hour]! += weight
  }
  for (let k = 0; k < rows.length; k++) {
    const hour = series.clock.hour[rows[k]!]!
    const weight = HOUR_RECENT_DECAY[ageHours(series.hour_ms[rows[k]!]!, issued_ms)]!
    add(hour, weight, minutes[k]!)
    add((hour + 1) % 24, weight * HOUR_RECENT_NEIGHBOUR, minutes[k]!)
    add((hour + 23) % 24, weight * HOUR_RECENT_NEIGHBOUR, minutes[k]!)
  }
  return sums.map((sum, hour) => sum / totals[hour]!)
}

/** Whole hours since an hour ended. */
function ageHours(hour_ms: number, issued_ms: number): number {
  return Math.floor((issued_ms - hour_ms) / HOUR_MS) - 1
}

function lastHours(series: PreparedSeries, { rows, minutes }: Deviations, issued_ms: number): Float64Array {
  const deviations = new Float64Array(DEVIATION_HOURS).fill(Number.NaN)
  const lastEnded = startOfHour(issued_ms) - HOUR_MS
  for (let k = 0; k < rows.length; k++) {
    const hoursBefore = Math.round((lastEnded - series.hour_ms[rows[k]!]!) / HOUR_MS)
    if (hoursBefore >= 0 && hoursBefore < DEVIATION_HOURS) deviations[hoursBefore] = minutes[k]!
  }
  return deviations
}

/** Median of what was observed; 0 of nothing. */
function medianOf(deviations: Float64Array): number {
  const observed = ascending(deviations.filter((minutes) => !Number.isNaN(minutes)))
  return observed.length === 0 ? 0 : quantile(observed, 0.5)
}

/** Neighbouring hours count for this much beside the hour itself. */
const NEAR_WEIGHTS = [0.6, 1, 0.6] as const
const NEAR_PRIOR = 0.5

/** The deviation around an hour that ended `hours_before` the hour that ended last, shrunk towards 0. */
export function nearDeviation({ deviations }: Profile, hours_before: number): number {
  let sum = 0
  let total = NEAR_PRIOR
  for (let index = 0; index < NEAR_WEIGHTS.length; index++) {
    const deviation = deviations[hours_before + index - 1]
    if (deviation === undefined || Number.isNaN(deviation)) continue
    sum += NEAR_WEIGHTS[index]! * deviation
    total += NEAR_WEIGHTS[index]!
  }
  return sum / total
}
