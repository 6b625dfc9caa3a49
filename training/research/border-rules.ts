import { mapKeys } from '../../config/map-keys.ts'
import { DAY_MS, HORIZON_HOURS, startOfHour } from '../../config/vocabulary.ts'
import type { PreparedSeries } from '../../forecasting/features/profile.ts'
import { poolScores, type Score, score } from '../../forecasting/skill/metrics.ts'
import { ascending, lowerBound, quantile } from '../../forecasting/statistics/statistics.ts'
import { sameHourForecast, TRAILING_DAYS } from '../border/border-forecast.ts'

/** Rules that a border model is compared with, each on the hours that it can forecast; means over airports. */
export interface BorderRuleScores {
  /** The newest known wait of the same hour of the week. */
  seasonal: Pick<Score, 'samples' | 'mae_minutes'>
  /** Median of the same hour of the week in 28 days. */
  hour_of_week: Pick<Score, 'samples' | 'mae_minutes'>
  /** Quantiles of the same hour in 28 days, weekends apart: the earlier border forecast. */
  quantiles_28_days: Score
}

/** The hours of a backtest that rules are scored on: origins ascending, HORIZON_HOURS rows each; parallel arrays. */
export interface ScoredForecasts {
  terminal: string
  issued_ms: Float64Array
  valid_ms: Float64Array
  /** NaN if nothing was observed. */
  truth: Float64Array
  /** 1 where the forecast counts. */
  scored: Uint8Array
}

const WEEK_MS = 7 * DAY_MS

/** Scores of the rules on the scored hours of the airports of a backtest; `series` are those of its runs. */
export function borderRuleScores(
  series: readonly PreparedSeries[],
  runs: readonly ScoredForecasts[],
): BorderRuleScores {
  const scores = runs.flatMap((run, k) => (run.terminal === '' ? [scoresOf(series[k]!, run)] : []))
  return mapKeys(['seasonal', 'hour_of_week', 'quantiles_28_days'], (rule) =>
    poolScores(scores.map((score) => score[rule])),
  )
}

function scoresOf(series: PreparedSeries, run: ScoredForecasts): Record<keyof BorderRuleScores, Score> {
  const rows = run.valid_ms.length
  const column = () => new Float64Array(rows).fill(Number.NaN)
  const seasonal = column()
  const hour_of_week = column()
  const quantiles = { p10: column(), p50: column(), p90: column() }
  for (let start = 0; start < rows; start += HORIZON_HOURS) {
    if (run.scored[start] !== 1) continue
    const issued_ms = run.issued_ms[start]!
    const sameWeekHour = weekHours(series, issued_ms)
    const rule = sameHourForecast(series, startOfHour(issued_ms), HORIZON_HOURS, 1)
    for (let row = start; row < start + HORIZON_HOURS; row++) {
      const past = sameWeekHour(run.valid_ms[row]!)
      seasonal[row] = past.at(-1) ?? Number.NaN
      hour_of_week[row] = past.length === 0 ? Number.NaN : quantile(ascending(past), 0.5)
      const hour = rule[row - start]
      quantiles.p10[row] = hour?.p10 ?? Number.NaN
      quantiles.p50[row] = hour?.p50 ?? Number.NaN
      quantiles.p90[row] = hour?.p90 ?? Number.NaN
    }
  }
  const scored = (p50: Float64Array) => (row: number) => run.scored[row] === 1 && !Number.isNaN(p50[row]!)
  const point = (p50: Float64Array) => score(run.truth, { p10: p50, p50, p90: p50 }, scored(p50))
  return {
    seasonal: point(seasonal),
    hour_of_week: point(hour_of_week),
    quantiles_28_days: score(run.truth, quantiles, scored(quantiles.p50)),
  }
}

/** Finds the waits of an hour of the week in the 28 days before an instant that were known then, the newest last. */
function weekHours(series: PreparedSeries, issued_ms: number): (hour_ms: number) => number[] {
  const first = lowerBound(series.hour_ms, issued_ms - TRAILING_DAYS * DAY_MS)
  const waits = new Map<number, number[]>()
  for (let row = first; row < series.hour_ms.length && series.hour_ms[row]! < issued_ms; row++) {
    if (series.available_ms[row]! > issued_ms) continue
    const weekOffset_ms = series.hour_ms[row]! % WEEK_MS
    waits.set(weekOffset_ms, [...(waits.get(weekOffset_ms) ?? []), series.mean[row]!])
  }
  return (hour_ms) => waits.get(hour_ms % WEEK_MS) ?? []
}
