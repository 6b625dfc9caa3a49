import { DAY_MS, HOUR_MS } from '../../config/vocabulary.ts'
import type { HourlySeries } from '../../forecasting/features/hourly-series.ts'
import { probabilityOver } from '../../forecasting/quantiles/wait-quantile.ts'
import { lowerBound } from '../../forecasting/statistics/statistics.ts'
import { type SeriesBacktest, servedForecasts } from '../backtest/results.ts'

/** Waits that travellers ask about: will it be longer than this? */
const LONG_MINUTES = [15, 30] as const
/** Hours ahead, from ≤ h < to. */
export const AHEAD = [
  [0, 6],
  [6, 24],
  [24, 168],
] as const

/** The estimates of the probability of a longer wait: the forecasts by their quantiles, and the frequency at this hour in the last 28 days. */
const ESTIMATES = ['served', 'rule', 'baseline', 'climatology'] as const
type Estimate = (typeof ESTIMATES)[number]

/** The quality of the probability of a longer wait: the Brier score, a mean in which each airport counts alike. */
export interface LongWaits {
  minutes: number
  from_hours: number
  to_hours: number
  /** Airports where some hours were longer and some not. */
  airports: number
  samples: number
  /** Share of the hours that were longer. */
  share: number
  brier: Record<Estimate, number>
}

const CLIMATOLOGY_DAYS = 28
/** Weight of the airport's overall hours beside those of the hour of the day. */
const POOLED_HOURS = 4

/** How often the wait was longer in the 28 days before an origin: at this hour of the day, drawn to all hours; null if nothing was known. */
function frequencyOver({ hour_ms, available_ms, mean }: HourlySeries, issued_ms: number, minutes: number) {
  const longer = new Float64Array(25)
  const hours = new Float64Array(25)
  const to = lowerBound(hour_ms, issued_ms)
  for (let row = lowerBound(hour_ms, issued_ms - CLIMATOLOGY_DAYS * DAY_MS); row < to; row++) {
    if (available_ms[row]! > issued_ms) continue
    for (const place of [(hour_ms[row]! / HOUR_MS) % 24, 24]) {
      hours[place]!++
      if (mean[row]! > minutes) longer[place]!++
    }
  }
  if (hours[24] === 0) return null
  const overall = longer[24]! / hours[24]!
  return (valid_ms: number) => {
    const place = (valid_ms / HOUR_MS) % 24
    return (longer[place]! + POOLED_HOURS * overall) / (hours[place]! + POOLED_HOURS)
  }
}

/** Brier scores of one airport; null if every hour was longer, or none. */
function scoresOf(run: SeriesBacktest, series: HourlySeries, minutes: number, [from, to]: readonly [number, number]) {
  const forecasts = { served: servedForecasts(run), rule: run.calibrated.rule, baseline: run.calibrated.baseline }
  const sums = { served: 0, rule: 0, baseline: 0, climatology: 0 }
  let samples = 0
  let longer = 0
  let issued = Number.NaN
  let frequency: ReturnType<typeof frequencyOver> = null
  for (let row = 0; row < run.truth.length; row++) {
    const truth = run.truth[row]!
    const ahead = run.horizon[row]!
    if (run.scored[row] !== 1 || Number.isNaN(truth) || ahead < from || ahead >= to) continue
    if (run.issued_ms[row] !== issued) {
      issued = run.issued_ms[row]!
      frequency = frequencyOver(series, issued, minutes)
    }
    if (frequency === null || Number.isNaN(forecasts.served.p50[row]!)) continue
    const outcome = truth > minutes ? 1 : 0
    samples++
    longer += outcome
    for (const name of ESTIMATES) {
      const probability =
        name === 'climatology'
          ? frequency(run.valid_ms[row]!)
          : probabilityOver(quantilesAt(forecasts[name], row), minutes)
      sums[name] += (probability - outcome) ** 2
    }
  }
  return longer === 0 || longer === samples ? null : { sums, samples, longer }
}

const quantilesAt = ({ p10, p50, p90 }: Record<'p10' | 'p50' | 'p90', Float64Array>, row: number) => ({
  p10: p10[row]!,
  p50: p50[row]!,
  p90: p90[row]!,
})

/** The Brier scores of longer waits in a backtest; `series` are parallel to `runs`. */
export function longWaits(runs: readonly SeriesBacktest[], series: readonly HourlySeries[]): LongWaits[] {
  return LONG_MINUTES.flatMap((minutes) => AHEAD.map((ahead) => meanOf(runs, series, minutes, ahead)))
}

function meanOf(
  runs: readonly SeriesBacktest[],
  series: readonly HourlySeries[],
  minutes: number,
  ahead: readonly [number, number],
): LongWaits {
  const [from_hours, to_hours] = ahead
  const scores = runs.flatMap((run, k) => scoresOf(run, series[k]!, minutes, ahead) ?? [])
  const mean = (figureOf: (score: (typeof scores)[number]) => number) =>
    scores.reduce((sum, score) => sum + figureOf(score) / score.samples, 0) / scores.length
  const brier = Object.fromEntries(ESTIMATES.map((name) => [name, mean(({ sums }) => sums[name])]))
  return {
    minutes,
    from_hours,
    to_hours,
    airports: scores.length,
    samples: scores.reduce((sum, { samples }) => sum + samples, 0),
    share: mean(({ longer }) => longer),
    brier: brier as Record<Estimate, number>,
  }
}
