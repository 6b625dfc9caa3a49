import { mapKeys } from '../../config/map-keys.ts'
import { getOrCreate } from '../../config/once.ts'
import { DAY_MS, HORIZON_BUCKETS, isoUtc, type UtcInstant } from '../../config/vocabulary.ts'
import { isWithin5 } from '../../forecasting/quantiles/quantiles.ts'
import { pinballOf } from '../../forecasting/skill/metrics.ts'
import { type BacktestScoreRow, SUMS } from '../../warehouse/tables/scores.ts'
import type { ArtifactCard } from '../artifacts/artifact-card.ts'
import { type SeriesBacktest, servedForecasts } from '../backtest/results.ts'
import { TIE_MINUTES } from './score-vintages.ts'

const tenthOf = (probability: number) => Math.min(9, Math.floor(probability * 10))

function aboveMedian(truth: number, p50: number): number {
  if (Math.abs(truth - p50) <= TIE_MINUTES) return 0.5
  return truth > p50 ? 1 : 0
}

/** The forecasts that would have been served in the backtest of an airport, as rows of `backtest_scores`. */
export function backtestSums(run: SeriesBacktest, card: ArtifactCard, trained_at: UtcInstant): BacktestScoreRow[] {
  const sums = new Map<string, BacktestScoreRow>()
  const served = servedForecasts(run)
  const { calibrated, opponents } = run
  const { model, rule, baseline } = calibrated
  for (const [row, truth] of run.truth.entries()) {
    if (run.scored[row] !== 1 || Number.isNaN(truth)) continue
    const [from_hours] = HORIZON_BUCKETS.find(([, to]) => run.horizon[row]! < to)!
    const claim = served.p_within_5[row]!
    const confidence_tenth = tenthOf(claim)
    const day_ms = Math.floor(run.valid_ms[row]! / DAY_MS) * DAY_MS
    const key = `${day_ms}/${from_hours}/${confidence_tenth}`
    const sum = getOrCreate(sums, key, () => noSums({ card, trained_at, day_ms, from_hours, confidence_tenth }))
    const error = Math.abs(truth - served.p50[row]!)
    const loss = pinballOf(truth, served, row)
    const hit = isWithin5(truth, served.p50[row]!) ? 1 : 0
    sum.samples += 1
    sum.error_minutes += error
    sum.pinball_minutes += loss
    sum.below += truth < served.p10[row]! ? 1 : 0
    sum.above += truth > served.p90[row]! ? 1 : 0
    sum.width_minutes += served.p90[row]! - served.p10[row]!
    sum.within_5 += hit
    sum.claimed += 1
    sum.confidence += claim
    sum.brier += (claim - hit) ** 2
    sum.claimed_within_5 += hit
    sum.compared += 1
    sum.compared_error_minutes += error
    sum.compared_pinball_minutes += loss
    sum.baseline_error_minutes += Math.abs(truth - baseline.p50[row]!)
    sum.baseline_pinball_minutes += pinballOf(truth, baseline, row)
    sum.contended += 1
    sum.model_error_minutes += Math.abs(truth - model.p50[row]!)
    sum.model_above_median += aboveMedian(truth, model.p50[row]!)
    sum.rule_error_minutes += Math.abs(truth - rule.p50[row]!)
    if (Number.isNaN(opponents.persistence[row]!)) continue
    sum.opposed += 1
    sum.opposed_error_minutes += error
    sum.persistence_error_minutes += Math.abs(truth - opponents.persistence[row]!)
    sum.trend_error_minutes += Math.abs(truth - opponents.trend[row]!)
  }
  return [...sums.values()]
}

interface SumsKey {
  card: ArtifactCard
  trained_at: UtcInstant
  day_ms: number
  from_hours: number
  confidence_tenth: number
}

function noSums({ card, trained_at, day_ms, from_hours, confidence_tenth }: SumsKey): BacktestScoreRow {
  const { kind, iata, version } = card
  return {
    trained_at,
    model: version,
    day: isoUtc(day_ms),
    kind,
    iata,
    terminal: '',
    direction: null,
    from_hours,
    confidence_tenth,
    ...mapKeys(Object.keys(SUMS) as (keyof typeof SUMS)[], () => 0),
  }
}
