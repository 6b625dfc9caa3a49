import { DAY_MS, HOUR_MS } from '../../config/domain.ts'
import { type LocalClock, localClock } from '../../config/local-time.ts'
import type { HourlySeries } from '../history/hourly-series.ts'
import { ascending, clamp, lowerBound, sortedQuantile } from '../scoring/statistics.ts'
import { type DayKind, dayKind } from './holidays.ts'

/** A series with the airport's wall clock worked out once. */
export interface PreparedSeries extends HourlySeries {
  clock: LocalClock
}

export function prepare(series: HourlySeries): PreparedSeries {
  return { ...series, clock: localClock(series.timezone, series.hour_ms) }
}

/** The rule to beat: the trailing 28 days, by local hour. */
export const BASELINE_DAYS = 28
/** Weekly pattern and slow memory look further back. */
export const MEMORY_DAYS = 56
/** Fewer observations of an hour than this widen it by its neighbours, one hour each side at a time. */
const ENOUGH_FOR_QUANTILES = 5

/** What is known of a series at an instant: nothing here depends on any row that was not available then. */
export interface Profile {
  issued_ms: number
  /** Same-hour quantiles of the trailing 28 days, by local hour. */
  p10: Float64Array
  p50: Float64Array
  p90: Float64Array
  /** Observations of exactly this local hour in the 28 days. */
  count: Float64Array
  /** Typical half-width of the wait around its same-hour median, minutes, at least half a minute: the unit of scaled features. */
  scale: number
  /** Mean wait of the latest known hour, minutes. */
  latest: number
  /** Median over all hours of the 28 days. */
  level: number
  /** Same-hour median deviation of weekday d (ISO−1) at hour h, [d × 24 + h], shrunk towards 0; minutes. */
  weekly: Float64Array
  /** Same, weekend and weekday pooled: [0..23] Monday–Friday, [24..47] weekend. */
  day_type: Float64Array
  /** Median deviation of the hour and its neighbours over the whole memory, by local hour; minutes. */
  smoothed: Float64Array
  /** Mean (bounded) deviation likewise: how skewed the hour is. */
  skew: Float64Array
  /** Deviations from the same-hour median, faded with half-lives of RECENT_HALF_LIVES_HOURS; minutes. */
  recent: Float64Array
  /** The same by local hour (±1 h) with a half-life of five days. */
  hour_recent: Float64Array
  /** Deviation of each of the last 168 hours by hours before issue (index 0: the hour just ended); NaN unobserved. */
  last_week: Float64Array
  /** Hours observed in the last 28 days, as a fraction of all. */
  density: number
}

export const RECENT_HALF_LIVES_HOURS = [3, 24, 168] as const
const HOUR_RECENT_HALF_LIFE_DAYS = 5
/** A deviation counts up to this many scales, so that one spike does not own a mean. */
const MAX_DEVIATION = 4

/** Indices of rows that were available at `issued_ms`, about ended hours, not older than `days`. */
function knownRows(series: HourlySeries, issued_ms: number, days: number): Int32Array {
  const { hour_ms, available_ms } = series
  const first = lowerBound(hour_ms, issued_ms - days * DAY_MS)
  const end = lowerBound(hour_ms, issued_ms - HOUR_MS + 1)
  const known = new Int32Array(end - first)
  let count = 0
  for (let k = first; k < end; k++) if (available_ms[k]! <= issued_ms) known[count++] = k
  return known.subarray(0, count)
}

/** Describes a series as it was known at an instant; null when no hour of the last 28 days was. */
export function profileAt(series: PreparedSeries, issued_ms: number): Profile | null {
  const memory = knownRows(series, issued_ms, MEMORY_DAYS)
  const recentFrom = issued_ms - BASELINE_DAYS * DAY_MS
  const recent = memory.filter((k) => series.hour_ms[k]! >= recentFrom)
  if (recent.length === 0) return null
  const same = sameHour(series, recent)
  const deviations = new Float64Array(memory.length)
  memory.forEach((k, n) => {
    deviations[n] = series.mean[k]! - same.p50[series.clock.hour[k]!]!
  })
  const spread = ascending(deviations.map(Math.abs))
  const scale = Math.max(0.5, 1.4826 * sortedQuantile(spread, 0.5), 0.6 * sortedQuantile(spread, 0.8))
  const bounded = deviations.map((deviation) => clamp(deviation, -MAX_DEVIATION * scale, MAX_DEVIATION * scale))
  return {
    issued_ms,
    ...same,
    scale,
    latest: series.mean[recent.at(-1)!]!,
    level: sortedQuantile(ascending(Array.from(recent, (k) => series.mean[k]!)), 0.5),
    density: recent.length / (BASELINE_DAYS * 24),
    smoothed: groupedMedian(1, series, memory, deviations, { groupOf: () => 0, prior: 2 }),
    skew: meanDev(series, memory, bounded),
    weekly: weeklyDeviation(series, memory, deviations),
    day_type: dayTypeDeviation(series, memory, deviations),
    ...fadedDeviation(series, memory, bounded, issued_ms),
    last_week: lastWeek(series, memory, bounded, issued_ms),
  }
}

function sameHour(series: PreparedSeries, rows: Int32Array) {
  const byHour: number[][] = Array.from({ length: 24 }, () => [])
  for (const k of rows) byHour[series.clock.hour[k]!]!.push(series.mean[k]!)
  const quantiles = { p10: new Float64Array(24), p50: new Float64Array(24), p90: new Float64Array(24) }
  for (let hour = 0; hour < 24; hour++) {
    let pool = byHour[hour]!
    for (let reach = 1; pool.length < ENOUGH_FOR_QUANTILES && reach <= 12; reach++)
      pool = [...pool, ...byHour[(hour + reach) % 24]!, ...(reach < 12 ? byHour[(hour + 24 - reach) % 24]! : [])]
    const sorted = ascending(pool)
    quantiles.p10[hour] = sortedQuantile(sorted, 0.1)
    quantiles.p50[hour] = sortedQuantile(sorted, 0.5)
    quantiles.p90[hour] = sortedQuantile(sorted, 0.9)
  }
  return { ...quantiles, count: Float64Array.from(byHour, (pool) => pool.length) }
}

/** Median deviation by group, an hour lending itself to its neighbours, shrunk by `prior` imaginary zeros. */
function groupedMedian(
  groups: number,
  series: PreparedSeries,
  rows: Int32Array,
  deviations: Float64Array,
  options: { groupOf: (k: number) => number; prior: number },
): Float64Array {
  const pools: number[][] = Array.from({ length: groups * 24 }, () => [])
  rows.forEach((k, n) => {
    const hour = series.clock.hour[k]!
    const start = options.groupOf(k) * 24
    for (const near of [hour, (hour + 1) % 24, (hour + 23) % 24]) pools[start + near]!.push(deviations[n]!)
  })
  return Float64Array.from(pools, (pool) =>
    pool.length === 0 ? 0 : (sortedQuantile(ascending(pool), 0.5) * pool.length) / (pool.length + options.prior),
  )
}

function meanDev(series: PreparedSeries, rows: Int32Array, bounded: Float64Array): Float64Array {
  const sums = new Float64Array(24)
  const counts = new Float64Array(24).fill(2)
  rows.forEach((k, n) => {
    const hour = series.clock.hour[k]!
    for (const near of [hour, (hour + 1) % 24, (hour + 23) % 24]) {
      sums[near]! += bounded[n]!
      counts[near]!++
    }
  })
  return sums.map((sum, hour) => sum / counts[hour]!)
}

function weeklyDeviation(series: PreparedSeries, rows: Int32Array, deviations: Float64Array): Float64Array {
  return groupedMedian(7, series, rows, deviations, { groupOf: (k) => series.clock.weekday[k]! - 1, prior: 6 })
}

function dayTypeDeviation(series: PreparedSeries, rows: Int32Array, deviations: Float64Array): Float64Array {
  return groupedMedian(2, series, rows, deviations, {
    groupOf: (k) => (series.clock.weekday[k]! > 5 ? 1 : 0),
    prior: 6,
  })
}

/** Weights 0.5^(age ÷ half-life) of whole hours of age, looked up: profiles are made by the ten thousand. */
function fading(half_life_hours: number): Float64Array {
  return Float64Array.from({ length: MEMORY_DAYS * 24 + 1 }, (_, age) => 0.5 ** (age / half_life_hours))
}
const RECENT_FADING = RECENT_HALF_LIVES_HOURS.map(fading)
const HOUR_FADING = fading(24 * HOUR_RECENT_HALF_LIFE_DAYS)

function fadedDeviation(series: PreparedSeries, rows: Int32Array, bounded: Float64Array, issued_ms: number) {
  const recent = RECENT_FADING.map((weights) => {
    let sum = 0
    let total = 1
    for (let n = 0; n < rows.length; n++) {
      const weight = weights[ageHours(series.hour_ms[rows[n]!]!, issued_ms)]!
      sum += weight * bounded[n]!
      total += weight
    }
    return sum / total
  })
  const sums = new Float64Array(24)
  const totals = new Float64Array(24).fill(1)
  const lend = (hour: number, weight: number, deviation: number) => {
    sums[hour]! += weight * deviation
    totals[hour]! += weight
  }
  for (let n = 0; n < rows.length; n++) {
    const hour = series.clock.hour[rows[n]!]!
    const weight = HOUR_FADING[ageHours(series.hour_ms[rows[n]!]!, issued_ms)]!
    lend(hour, weight, bounded[n]!)
    lend((hour + 1) % 24, weight / 2, bounded[n]!)
    lend((hour + 23) % 24, weight / 2, bounded[n]!)
  }
  return { recent: Float64Array.from(recent), hour_recent: sums.map((sum, hour) => sum / totals[hour]!) }
}

/** Whole hours since an hour ended. */
function ageHours(hour_ms: number, issued_ms: number): number {
  return Math.floor((issued_ms - hour_ms) / HOUR_MS) - 1
}

function lastWeek(series: PreparedSeries, rows: Int32Array, bounded: Float64Array, issued_ms: number): Float64Array {
  const found = new Float64Array(168).fill(Number.NaN)
  const lastEnded = Math.floor(issued_ms / HOUR_MS) * HOUR_MS - HOUR_MS
  rows.forEach((k, n) => {
    const before = Math.round((lastEnded - series.hour_ms[k]!) / HOUR_MS)
    if (before >= 0 && before < 168) found[before] = bounded[n]!
  })
  return found
}

/** Kinds of the local days of some instants, by the holidays of the series' country. */
export function dayKinds(series: HourlySeries, clock: LocalClock): DayKind[] {
  return Array.from(clock.day, (day) => dayKind(series.country, day))
}
