import { DAY_MS, HOUR_MS } from '../../config/domain.ts'
import { type LocalClock, localClock } from '../../config/local-time.ts'
import { quantile } from '../../config/quantile.ts'
import type { HourlySeries } from '../history/hourly-series.ts'
import { ascending, clamp, lowerBound } from '../scoring/statistics.ts'
import { type DayKind, dayKind } from './holidays.ts'

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
/** Window of the weekly pattern and the deviations. */
export const LOOKBACK_DAYS = 56
/** An hour of day with fewer observations than this also uses its neighbours, one more hour on each side at a time. */
const MIN_OBSERVATIONS = 5

/**
 * Description of a series at an instant; nothing in it depends on a row that was not available then. A deviation is the
 * wait of an hour minus the same-hour median, in minutes. Arrays have 24 entries, one per local hour, unless noted.
 */
export interface Profile {
  issued_ms: number
  /** Same-hour quantiles of the trailing 28 days. */
  p10: Float64Array
  p50: Float64Array
  p90: Float64Array
  /** Observations of exactly this local hour in the 28 days. */
  count: Float64Array
  /** Typical absolute deviation in minutes, at least 0.5: the unit of scaled features. */
  scale: number
  /** Mean wait of the latest known hour, minutes. */
  latest: number
  /** Median wait over all hours of the 28 days, minutes. */
  level: number
  /** Median deviation by weekday d (0 Monday) and hour h at [d × 24 + h], shrunk towards 0. */
  weekly: Float64Array
  /** Median deviation by day type, shrunk towards 0: [0..23] Monday–Friday, [24..47] weekend. */
  day_type: Float64Array
  /** Median deviation of the hour and its neighbours, shrunk towards 0. */
  smoothed: Float64Array
  /** Mean deviation (bounded) of the hour and its neighbours: how skewed the hour is. */
  skew: Float64Array
  /** Means of all deviations (bounded), weighted by age with each half-life of RECENT_HALF_LIVES_HOURS. */
  recent: Float64Array
  /** Mean deviation of the hour and its neighbours, weighted by age with a half-life of five days. */
  hour_recent: Float64Array
  /** Deviation of each of the last 168 hours; index 0 is the hour that ended last, NaN is not observed. */
  last_week: Float64Array
  /** Observed fraction of the hours of the last 28 days. */
  density: number
}

export const RECENT_HALF_LIVES_HOURS = [3, 24, 168] as const
const HOUR_RECENT_HALF_LIFE_DAYS = 5
/** A deviation counts up to this many scales, so that one spike does not dominate a mean. */
const MAX_DEVIATION = 4

/** Deviations of the known rows; parallel arrays. */
interface Deviations {
  /** Indices into the series. */
  rows: Int32Array
  minutes: Float64Array
  /** The same, limited to ± MAX_DEVIATION scales. */
  bounded: Float64Array
}

/** Describes a series from what was available at an instant (epoch ms); null when no hour of the last 28 days was. */
export function profileAt(series: PreparedSeries, issued_ms: number): Profile | null {
  const lookback = knownRows(series, issued_ms, LOOKBACK_DAYS)
  const baselineFrom = issued_ms - BASELINE_DAYS * DAY_MS
  const trailing = lookback.filter((row) => series.hour_ms[row]! >= baselineFrom)
  if (trailing.length === 0) return null
  const sameHour = sameHourQuantiles(series, trailing)
  const minutes = new Float64Array(lookback.length)
  lookback.forEach((row, k) => {
    minutes[k] = series.mean[row]! - sameHour.p50[series.clock.hour[row]!]!
  })
  const scale = scaleOf(minutes)
  const bounded = minutes.map((deviation) => clamp(deviation, -MAX_DEVIATION * scale, MAX_DEVIATION * scale))
  const deviations = { rows: lookback, minutes, bounded }
  return {
    issued_ms,
    ...sameHour,
    scale,
    latest: series.mean[trailing.at(-1)!]!,
    level: quantile(ascending(Array.from(trailing, (row) => series.mean[row]!)), 0.5),
    density: trailing.length / (BASELINE_DAYS * 24),
    smoothed: groupedMedian(series, deviations, { groups: 1, groupOf: () => 0, prior: 2 }),
    skew: smoothedMean(series, deviations),
    weekly: groupedMedian(series, deviations, { groups: 7, groupOf: (weekday) => weekday - 1, prior: 6 }),
    day_type: groupedMedian(series, deviations, { groups: 2, groupOf: (weekday) => (weekday > 5 ? 1 : 0), prior: 6 }),
    recent: recentDeviations(series, deviations, issued_ms),
    hour_recent: recentDeviationsByHour(series, deviations, issued_ms),
    last_week: lastWeek(series, deviations, issued_ms),
  }
}

/** Indices of the rows about hours that had ended, were available at `issued_ms` and are at most `days` old. */
function knownRows(series: HourlySeries, issued_ms: number, days: number): Int32Array {
  const { hour_ms, available_ms } = series
  const first = lowerBound(hour_ms, issued_ms - days * DAY_MS)
  const end = lowerBound(hour_ms, issued_ms - HOUR_MS + 1)
  const known = new Int32Array(end - first)
  let count = 0
  for (let row = first; row < end; row++) if (available_ms[row]! <= issued_ms) known[count++] = row
  return known.subarray(0, count)
}

/** Typical absolute deviation: 1.4826 × median (a robust standard deviation) or 0.6 × 80 % quantile, at least 0.5 minutes. */
function scaleOf(deviations: Float64Array): number {
  const absolute = ascending(deviations.map(Math.abs))
  return Math.max(0.5, 1.4826 * quantile(absolute, 0.5), 0.6 * quantile(absolute, 0.8))
}

function sameHourQuantiles(series: PreparedSeries, rows: Int32Array): Pick<Profile, 'p10' | 'p50' | 'p90' | 'count'> {
  const byHour: number[][] = Array.from({ length: 24 }, () => [])
  for (const row of rows) byHour[series.clock.hour[row]!]!.push(series.mean[row]!)
  const quantiles = { p10: new Float64Array(24), p50: new Float64Array(24), p90: new Float64Array(24) }
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
  }
  return { ...quantiles, count: Float64Array.from(byHour, (pool) => pool.length) }
}

/** A local hour with the one after and the one before it. */
function withNeighbours(hour: number): [number, number, number] {
  return [hour, (hour + 1) % 24, (hour + 23) % 24]
}

/**
 * Median deviation by group of weekdays (ISO, 1 is Monday) and hour, at [group × 24 + hour]. An hour also counts for its
 * neighbours; the median is shrunk towards 0 as if `prior` observations had been 0.
 */
function groupedMedian(
  series: PreparedSeries,
  { rows, minutes }: Deviations,
  { groups, groupOf, prior }: { groups: number; groupOf: (weekday: number) => number; prior: number },
): Float64Array {
  const pools: number[][] = Array.from({ length: groups * 24 }, () => [])
  rows.forEach((row, k) => {
    const offset = groupOf(series.clock.weekday[row]!) * 24
    for (const hour of withNeighbours(series.clock.hour[row]!)) pools[offset + hour]!.push(minutes[k]!)
  })
  return Float64Array.from(pools, (pool) =>
    pool.length === 0 ? 0 : (quantile(ascending(pool), 0.5) * pool.length) / (pool.length + prior),
  )
}

/** Mean bounded deviation of each hour and its neighbours, shrunk as if two observations had been 0. */
function smoothedMean(series: PreparedSeries, { rows, bounded }: Deviations): Float64Array {
  const sums = new Float64Array(24)
  const counts = new Float64Array(24).fill(2)
  rows.forEach((row, k) => {
    for (const hour of withNeighbours(series.clock.hour[row]!)) {
      sums[hour]! += bounded[k]!
      counts[hour]!++
    }
  })
  return sums.map((sum, hour) => sum / counts[hour]!)
}

/** Weights 0.5^(age ÷ half-life) by whole hours of age; a table, because training makes tens of thousands of profiles. */
function decayTable(half_life_hours: number): Float64Array {
  return Float64Array.from({ length: LOOKBACK_DAYS * 24 + 1 }, (_, age) => 0.5 ** (age / half_life_hours))
}
const RECENT_DECAY = RECENT_HALF_LIVES_HOURS.map(decayTable)
const HOUR_RECENT_DECAY = decayTable(24 * HOUR_RECENT_HALF_LIFE_DAYS)

function recentDeviations(series: PreparedSeries, { rows, bounded }: Deviations, issued_ms: number): Float64Array {
  const means = RECENT_DECAY.map((weights) => {
    let sum = 0
    let total = 1
    for (let k = 0; k < rows.length; k++) {
      const weight = weights[ageHours(series.hour_ms[rows[k]!]!, issued_ms)]!
      sum += weight * bounded[k]!
      total += weight
    }
    return sum / total
  })
  return Float64Array.from(means)
}

function recentDeviationsByHour(
  series: PreparedSeries,
  { rows, bounded }: Deviations,
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
    add(hour, weight, bounded[k]!)
    add((hour + 1) % 24, weight / 2, bounded[k]!)
    add((hour + 23) % 24, weight / 2, bounded[k]!)
  }
  return sums.map((sum, hour) => sum / totals[hour]!)
}

/** Whole hours since an hour ended. */
function ageHours(hour_ms: number, issued_ms: number): number {
  return Math.floor((issued_ms - hour_ms) / HOUR_MS) - 1
}

function lastWeek(series: PreparedSeries, { rows, bounded }: Deviations, issued_ms: number): Float64Array {
  const deviations = new Float64Array(168).fill(Number.NaN)
  const lastEnded = Math.floor(issued_ms / HOUR_MS) * HOUR_MS - HOUR_MS
  rows.forEach((row, k) => {
    const hoursBefore = Math.round((lastEnded - series.hour_ms[row]!) / HOUR_MS)
    if (hoursBefore >= 0 && hoursBefore < 168) deviations[hoursBefore] = bounded[k]!
  })
  return deviations
}

/** Kinds of the local days of `clock`, by the holidays of the series' country. */
export function dayKinds(series: HourlySeries, clock: LocalClock): DayKind[] {
  return Array.from(clock.day, (day) => dayKind(series.country, day))
}
