import { DAY_MS, HORIZON_HOURS, HOUR_MS, MINUTE_MS, WEEK_HOURS } from '../../config/domain.ts'
import { mapKeys } from '../../config/map-keys.ts'
import { localClock, weekHourAt } from '../../config/time-zones/local-time.ts'
import type { PreparedSeries } from '../../forecasting/features/profile.ts'
import { lowerBound, mean } from '../../forecasting/statistics/statistics.ts'
import { type SeriesBacktest, servedForecasts } from '../backtest/results.ts'
import { AHEAD } from './long-waits.ts'
import { type MeanErrors, meanErrors } from './mean-errors.ts'

/** What is compared: the forecasts of the backtest, the newest wait, and the rule of an open project of this field (see `opponentsAt`). */
const OPPONENTS = ['served', 'rule', 'baseline', 'persistence', 'trend'] as const
type Opponent = (typeof OPPONENTS)[number]

/** Mean absolute errors by hours ahead. */
export interface OpponentScores extends MeanErrors<Opponent> {
  from_hours: number
  to_hours: number
}

/** Scores the scored hours of a backtest; `series` are parallel to `runs`. */
export function opponentScores(runs: readonly SeriesBacktest[], series: readonly PreparedSeries[]): OpponentScores[] {
  const all = runs.map((run, k) => errorsOf(run, series[k]!))
  return AHEAD.map(([from_hours, to_hours], bucket) => {
    const scores = all.flatMap((buckets) => (buckets[bucket]!.samples > 0 ? [buckets[bucket]!] : []))
    return { from_hours, to_hours, ...meanErrors(OPPONENTS, scores) }
  })
}

/** Sums of absolute errors of an airport by hours ahead. */
function errorsOf(run: SeriesBacktest, series: PreparedSeries) {
  const buckets = AHEAD.map(() => ({ samples: 0, errors: mapKeys(OPPONENTS, () => 0) }))
  const served = servedForecasts(run).p50
  for (let start = 0; start < run.truth.length; start += HORIZON_HOURS) {
    if (run.scored[start] !== 1) continue
    const valid_ms = run.valid_ms.subarray(start, start + HORIZON_HOURS)
    const opponents = opponentsAt(series, run.issued_ms[start]!, valid_ms)
    if (opponents === null) continue
    for (let row = start; row < start + HORIZON_HOURS; row++) {
      const truth = run.truth[row]!
      if (Number.isNaN(truth)) continue
      const bucket = buckets[AHEAD.findIndex(([from, to]) => run.horizon[row]! >= from && run.horizon[row]! < to)]!
      bucket.samples++
      bucket.errors.served += Math.abs(truth - served[row]!)
      bucket.errors.rule += Math.abs(truth - run.calibrated.rule.p50[row]!)
      bucket.errors.baseline += Math.abs(truth - run.calibrated.baseline.p50[row]!)
      bucket.errors.persistence += Math.abs(truth - opponents.persistence)
      bucket.errors.trend += Math.abs(truth - opponents.trend[row - start]!)
    }
  }
  return buckets
}

const TREND_DAYS = 21
const TREND_HOURS = 3
/** The trend has no weight from this lead on. */
const TREND_MINUTES = 150

/**
 * The newest wait, and the trend rule: the mean of the hour of the week in 21 days, and up to 150 minutes ahead, the less the further, the
 * newest level with the slope of the last three hours. Levels are those of whole hours. Null where nothing was known.
 */
function opponentsAt(series: PreparedSeries, issued_ms: number, valid_ms: Float64Array) {
  const { hour_ms, available_ms, mean: waits, clock, timezone } = series
  const known: number[] = []
  const end = lowerBound(hour_ms, issued_ms - HOUR_MS + 1)
  for (let row = lowerBound(hour_ms, issued_ms - TREND_DAYS * DAY_MS); row < end; row++)
    if (available_ms[row]! <= issued_ms) known.push(row)
  const newest = known.at(-1)
  if (newest === undefined) return null
  const sums = new Float64Array(WEEK_HOURS)
  const hours = new Float64Array(WEEK_HOURS)
  for (const row of known) {
    sums[weekHourAt(clock, row)]! += waits[row]!
    hours[weekHourAt(clock, row)]!++
  }
  const overall = mean(known.map((row) => waits[row]!))
  const recent = known.filter((row) => hour_ms[row]! >= issued_ms - TREND_HOURS * HOUR_MS)
  const slope = slopeOf(
    recent.map((row) => hour_ms[row]! / MINUTE_MS),
    recent.map((row) => waits[row]!),
  )
  const horizonClock = localClock(timezone, valid_ms)
  const trend = valid_ms.map((valid, k) => {
    const weekHour = weekHourAt(horizonClock, k)
    const usual = hours[weekHour] === 0 ? overall : sums[weekHour]! / hours[weekHour]!
    // To the middle of the hour.
    const lead = (valid - issued_ms) / MINUTE_MS + 30
    const weight = recent.length === 0 ? 0 : Math.max(0, 1 - lead / TREND_MINUTES)
    const level = waits[newest]! + (slope * (valid - hour_ms[newest]!)) / MINUTE_MS
    return Math.max(0, weight * level + (1 - weight) * usual)
  })
  return { persistence: waits[newest]!, trend }
}

/** The slope of the line through some points with the smallest squared error; 0 for fewer than two. */
function slopeOf(at: readonly number[], values: readonly number[]): number {
  if (at.length < 2) return 0
  const centre = mean(at)
  const height = mean(values)
  const covariance = mean(at.map((x, k) => (x - centre) * (values[k]! - height)))
  return covariance / mean(at.map((x) => (x - centre) ** 2))
}
