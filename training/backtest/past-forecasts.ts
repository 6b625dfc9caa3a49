import { DAY_MS, HORIZON_HOURS, HOUR_MS } from '../../config/vocabulary.ts'
import type { PreparedSeries } from '../../forecasting/features/profile.ts'
import {
  type CalibratedForecast,
  type Calibration,
  calibrateAll,
  type PastForecasts,
} from '../../forecasting/quantiles/calibration.ts'
import { emptyQuantiles, type Quantiles } from '../../forecasting/quantiles/quantiles.ts'
import { pinballOf } from '../../forecasting/skill/metrics.ts'
import { byContender, CONTENDERS, type Contender, servesInPlace } from '../forecasters/contenders.ts'
import type { TrainingSettings } from '../settings/training-settings.ts'

/** The forecasts of a series within its backtest, written day by day: origins ascending, HORIZON_HOURS rows each; parallel arrays. */
export interface ForecastRecord {
  /** Rows that are written. */
  rows: number
  issued_ms: Float64Array
  valid_ms: Float64Array
  horizon: Uint8Array
  /** Row of the series that is the truth; −1 where the hour was not observed. */
  truth_row: Int32Array
  near_share: Float64Array
  raw: Record<Contender, Quantiles>
  calibrated: Record<Contender, CalibratedForecast>
  served: Uint8Array
}

/** The rows of one day of a record, and what each contender lost on them once all their truths are known. */
interface DayOfRecord {
  start_ms: number
  from: number
  to: number
  losses: Record<Contender, number> | null
}

/** A series during its backtest. */
export interface SeriesRun {
  series: PreparedSeries
  record: ForecastRecord
  days: DayOfRecord[]
  /** Calibrations of the last day, which correct the next one. */
  calibrations?: Record<Contender, Calibration>
  calibrated_ms?: number
}

export function emptyRecord(rows: number): ForecastRecord {
  const raw = byContender(() => emptyQuantiles(rows))
  return {
    rows: 0,
    issued_ms: new Float64Array(rows),
    valid_ms: new Float64Array(rows),
    horizon: new Uint8Array(rows),
    truth_row: new Int32Array(rows),
    near_share: new Float64Array(rows),
    raw,
    // A calibration does not change the median.
    calibrated: byContender((contender) => ({
      p10: new Float64Array(rows),
      p50: raw[contender].p50,
      p90: new Float64Array(rows),
      p_within_5: new Float64Array(rows),
    })),
    served: new Uint8Array(rows),
  }
}

export interface State {
  calibrations: Record<Contender, Calibration>
  choice: Contender
}

/** The calibration and contender of each series at an instant, from forecasts whose truths were known then. */
export function calibrationsAt(runs: readonly SeriesRun[], at_ms: number, settings: TrainingSettings): State[] {
  const { days, confidence_days } = settings.calibration
  const past = runs.map((run) => pastForecasts(run, at_ms - days * DAY_MS, at_ms))
  const longer = runs.map((run) => pastForecasts(run, at_ms - confidence_days * DAY_MS, at_ms))
  const recent = runs.map((run) => pastForecasts(run, run.calibrated_ms ?? at_ms, at_ms))
  const tables = byContender((contender) =>
    calibrateAll(
      past.map((run) => run[contender]),
      runs.map(({ calibrations }) => calibrations?.[contender] ?? null),
      recent.map((run) => run[contender]),
      settings.calibration,
      longer.map((run) => run[contender]),
    ),
  )
  return runs.map((run, k) => ({
    calibrations: byContender((contender) => tables[contender][k]!),
    choice: choiceAt(run, at_ms, settings.choice),
  }))
}

/** Truths may become known this long after their hour: CBP publishes three days late. */
const MAX_LAG_MS = 4 * DAY_MS

/** Forecasts whose truths became known in a span. */
function pastForecasts(
  { series, record, days }: SeriesRun,
  from_ms: number,
  to_ms: number,
): Record<Contender, PastForecasts> {
  const earliest = from_ms - MAX_LAG_MS - (HORIZON_HOURS + 24) * HOUR_MS
  const first = days.find(({ start_ms }) => start_ms >= earliest)?.from ?? record.rows
  const truth = new Float64Array(record.rows - first)
  for (let k = 0; k < truth.length; k++) {
    const row = record.truth_row[first + k]!
    const isKnown = row >= 0 && series.available_ms[row]! <= to_ms && series.available_ms[row]! > from_ms
    truth[k] = isKnown ? series.mean[row]! : Number.NaN
  }
  const part = <T extends Float64Array | Uint8Array>(column: T) => column.subarray(first, record.rows) as T
  const [valid_ms, horizon, near_share] = [part(record.valid_ms), part(record.horizon), part(record.near_share)]
  return byContender((contender) => {
    const { p10, p50, p90 } = record.raw[contender]
    return { p10: part(p10), p50: part(p50), p90: part(p90), near_share, truth, horizon, valid_ms }
  })
}

/** The contender that serves: the richest, unless a simpler one was clearly better in the last weeks. */
function choiceAt({ series, record, days }: SeriesRun, at_ms: number, settings: TrainingSettings['choice']): Contender {
  const recent = days.filter(({ start_ms }) => start_ms >= at_ms - settings.days * DAY_MS)
  const losses = byContender(() => 0)
  const isCounted = new Uint8Array(series.hour_ms.length)
  for (const day of recent) {
    for (let position = day.from; position < day.to; position++) {
      const row = record.truth_row[position]!
      if (row >= 0 && series.available_ms[row]! <= at_ms) isCounted[row] = 1
    }
    const dayLosses = day.losses ?? lossesOf(day, { series, record }, at_ms)
    for (const contender of CONTENDERS) losses[contender] += dayLosses[contender]
  }
  const hours = isCounted.reduce((sum, counted) => sum + counted, 0)
  const best = bestOf(losses)
  return servesInPlace(losses[best], losses.model, hours, settings) ? best : 'model'
}

/** The losses of each contender on the known hours of a day of origins; kept with the day once all are known. */
function lossesOf(
  day: DayOfRecord,
  { series, record }: Pick<SeriesRun, 'series' | 'record'>,
  at_ms: number,
): Record<Contender, number> {
  const losses = byContender(() => 0)
  let isComplete = true
  for (let position = day.from; position < day.to; position++) {
    const row = record.truth_row[position]!
    if (row < 0) continue
    if (series.available_ms[row]! > at_ms) isComplete = false
    else
      for (const contender of CONTENDERS)
        losses[contender] += pinballOf(series.mean[row]!, record.calibrated[contender], position)
  }
  if (isComplete) day.losses = losses
  return losses
}

const bestOf = (losses: Record<Contender, number>) =>
  CONTENDERS.reduce((best, contender) => (losses[contender] < losses[best] ? contender : best))
