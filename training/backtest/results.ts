import { HORIZON_HOURS } from '../../config/vocabulary.ts'
import type { Opponent } from '../../forecasting/opponents/opponents.ts'
import { type CalibratedForecast, type Calibration, SERVED_COLUMNS } from '../../forecasting/quantiles/calibration.ts'
import { emptyQuantiles, type Quantiles } from '../../forecasting/quantiles/quantiles.ts'
import { type Score, score } from '../../forecasting/skill/metrics.ts'
import { CONTENDERS, type Contender } from '../forecasters/contenders.ts'

/** All forecasts of a backtest of one airport (terminal '') or terminal: origins ascending, HORIZON_HOURS rows each; parallel arrays. */
export interface SeriesBacktest {
  iata: string
  terminal: string
  issued_ms: Float64Array
  valid_ms: Float64Array
  /** Hours ahead. */
  horizon: Uint8Array
  /** Observed hourly mean, minutes; NaN if the hour was not observed. */
  truth: Float64Array
  raw: Record<Contender, Quantiles>
  /** Calibrated with what was known at the start of the day of issue. */
  calibrated: Record<Contender, CalibratedForecast>
  /** The contender that would have been served, as an index into CONTENDERS: decided by the past alone. */
  served: Uint8Array
  /** 1 where the forecast was issued in the scored span. */
  scored: Uint8Array
  /** The calibration and contender of an origin after the last one. */
  calibrations: Record<Contender, Calibration>
  choice: Contender
  /** The forecasts of the rules from elsewhere for the same hours; NaN if nothing was known, or if the forecast is not scored. */
  opponents: Record<Opponent, Float64Array>
  /** The forecast at origins at which the airport is too new for a trained model, alone or mixed with it; null without such an origin. */
  adapted: { forecast: CalibratedForecast; model_share: Float64Array } | null
}

/** The forecasts that would have been served. */
export function servedForecasts(run: SeriesBacktest): CalibratedForecast {
  const rows = run.valid_ms.length
  const served = { ...emptyQuantiles(rows), p_within_5: new Float64Array(rows) }
  for (let row = 0; row < rows; row++) {
    const calibrated = run.calibrated[CONTENDERS[run.served[row]!]!]
    const share = run.adapted?.model_share[row] ?? 1
    for (const column of SERVED_COLUMNS) {
      const model = calibrated[column][row]!
      const before = share < 1 ? run.adapted!.forecast[column][row]! : model
      served[column][row] = before + share * (model - before)
    }
  }
  return served
}

/** Fewer hours decide nothing between the adapted prior and a new model; a smaller increase of the loss does not last. */
const MIN_COMPARED_HOURS = 72
const CLEARLY_MORE = 0.04

/** Whether the adapted prior was clearly better than the model in the scored hours in which an airport was new: then the model has not earned its place. */
export function isAdaptedBetter({ adapted, scored, truth, calibrated, choice }: SeriesBacktest): boolean {
  if (!adapted) return false
  const isCompared = (row: number) => scored[row] === 1 && adapted.model_share[row]! < 1
  const before = score(truth, adapted.forecast, isCompared)
  const model = score(truth, calibrated[choice], isCompared)
  return before.samples >= MIN_COMPARED_HOURS && before.pinball_minutes < (1 - CLEARLY_MORE) * model.pinball_minutes
}

/** Score of one contender, or of what was served, over the scored and observed hours, optionally of some horizons only (hours ahead, from ≤ h < to). */
export function scoreOf(
  run: SeriesBacktest,
  contender: Contender | 'served',
  horizon: readonly [from: number, to: number] = [0, HORIZON_HOURS],
): Score {
  const [from, to] = horizon
  const forecast = contender === 'served' ? servedForecasts(run) : run.calibrated[contender]
  return score(run.truth, forecast, (row) => {
    const ahead = run.horizon[row]!
    return run.scored[row] === 1 && ahead >= from && ahead < to
  })
}
