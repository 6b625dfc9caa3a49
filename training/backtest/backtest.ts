import { mapKeys } from '../../config/map-keys.ts'
import { DAY_MS, HORIZON_HOURS, HOUR_MS } from '../../config/vocabulary.ts'
import { type FeatureRows, forecastRows, horizonHours, joinRows } from '../../forecasting/features/features.ts'
import type { PreparedSeries } from '../../forecasting/features/profile.ts'
import { OPPONENTS, opponentsAt } from '../../forecasting/opponents/opponents.ts'
import { applyCalibration, SERVED_COLUMNS } from '../../forecasting/quantiles/calibration.ts'
import { emptyQuantiles, type Quantiles } from '../../forecasting/quantiles/quantiles.ts'
import { lowerBound } from '../../forecasting/statistics/statistics.ts'
import { byContender, CONTENDERS, contenderQuantiles } from '../forecasters/contenders.ts'
import { fitEnsemble, type PooledFit, pooledExamples } from '../models/pooled-fit.ts'
import { startBackend } from '../models/tensorflow-backend.ts'
import { adaptedForecaster, modelShare } from '../prior/adapted-forecast.ts'
import type { TrainedKind } from '../settings/kinds.ts'
import { DEFAULT_TRAINING_SETTINGS, type TrainingSettings } from '../settings/training-settings.ts'
import { calibrationsAt, emptyRecord, type SeriesRun, type State } from './past-forecasts.ts'
import type { SeriesBacktest } from './results.ts'

export interface BacktestOptions {
  /** First and last scored origin, epoch ms. */
  from_ms: number
  to_ms: number
  /** Truths that became known later than this are not used, epoch ms; default: `to_ms` plus the horizon. */
  truth_cutoff_ms?: number
  settings?: TrainingSettings
  /** Default: security. Only security has a worldwide prior that serves before a model does. */
  kind?: TrainedKind
  /** Series that the nets learn from besides those that are forecast. */
  lanes?: readonly PreparedSeries[]
  /** The nets of a refit, when the caller fits them elsewhere or has the examples; default: fitted here from the series and the lanes. */
  fitAt?: FitAt
  onProgress?: (done: number, total: number) => void
}

type ResolvedOptions = BacktestOptions & { settings: TrainingSettings }

/**
 * Rolling-origin backtest of all contenders on the same hours. At each origin the inputs hold only what was available then. The nets are fitted anew at
 * the start of each block of `refit_days` on examples known then; each day the forecasts are calibrated, and the contender
 * that serves is chosen, by earlier forecasts whose truths were known then. Nothing uses a later row.
 */
export async function backtest(series: readonly PreparedSeries[], options: BacktestOptions): Promise<SeriesBacktest[]> {
  await startBackend()
  const { settings = DEFAULT_TRAINING_SETTINGS } = options
  const resolved: ResolvedOptions = { ...options, settings }
  const blocks = blocksOf(resolved)
  const last_cutoff_ms = blocks.at(-1)!.cutoff_ms
  const fitAt = options.fitAt ?? fitHere(series, options.lanes ?? [], last_cutoff_ms, settings)
  const rows = HORIZON_HOURS * originsOf(resolved).length
  const runs = series.map((queueSeries): SeriesRun => ({ series: queueSeries, record: emptyRecord(rows), days: [] }))
  for (const [k, { cutoff_ms, days }] of blocks.entries()) {
    const fit = await fitAt(cutoff_ms)
    for (const origins of days) runDay(runs, fit, origins, resolved)
    fit.dispose()
    resolved.onProgress?.(k + 1, blocks.length)
  }
  const after = last_cutoff_ms > resolved.to_ms ? resolved.to_ms : resolved.to_ms + HOUR_MS
  const last = calibrationsAt(runs, Math.max(after, options.truth_cutoff_ms ?? 0), settings)
  return runs.map((run, k) => joined(run, last[k]!, resolved))
}

/** Fits the nets that a backtest forecasts with from a cutoff on (epoch ms). */
export type FitAt = (cutoff_ms: number) => Promise<PooledFit>

function fitHere(
  series: readonly PreparedSeries[],
  lanes: readonly PreparedSeries[],
  last_ms: number,
  settings: TrainingSettings,
): FitAt {
  const examples = pooledExamples(series, lanes, last_ms, settings)
  return async (cutoff_ms) => fitEnsemble(examples, cutoff_ms, settings)
}

/** The scored span of a backtest, and how its origins are spaced. */
export type OriginsOfSpan = Pick<ResolvedOptions, 'from_ms' | 'to_ms' | 'settings'>

/** All origins from the burn-in on, ascending (epoch ms). */
export const originsOf = (span: OriginsOfSpan): number[] => blocksOf(span).flatMap(({ days }) => days.flat())

/** A fit of the nets, and the origins that it forecasts, day by day. */
interface Block {
  cutoff_ms: number
  days: number[][]
}

function blocksOf(span: OriginsOfSpan): Block[] {
  const starts = blockStarts(span)
  return starts.map((cutoff_ms, k) => ({ cutoff_ms, days: daysOf(cutoff_ms, starts[k + 1] ?? span.to_ms + 1, span) }))
}

/** The start of the burn-in, then a block every `refit_days` until the last scored origin. */
export function blockStarts({ from_ms, to_ms, settings }: OriginsOfSpan): number[] {
  const { refit_days, burn_in_days } = settings.backtest
  const starts: number[] = []
  for (let start = from_ms - burn_in_days * DAY_MS; start <= to_ms; start += refit_days * DAY_MS) starts.push(start)
  return starts
}

function daysOf(start: number, end: number, { settings }: OriginsOfSpan): number[][] {
  const days: number[][] = []
  const step = settings.backtest.every_hours * HOUR_MS
  for (let day = start; day < end; day += DAY_MS) {
    const origins: number[] = []
    for (let origin = day; origin < Math.min(day + DAY_MS, end); origin += step) origins.push(origin)
    days.push(origins)
  }
  return days
}

const QUANTILE_COLUMNS = ['p10', 'p50', 'p90'] as const
const CALIBRATED_COLUMNS = ['p10', 'p90', 'p_within_5'] as const

/** Forecasts a day's origins of all series, calibrated and chosen by what was known when the day began. */
function runDay(
  runs: readonly SeriesRun[],
  fit: PooledFit,
  origins: readonly number[],
  options: ResolvedOptions,
): void {
  const start_ms = origins[0]
  if (start_ms === undefined) return
  const states = calibrationsAt(runs, start_ms, options.settings)
  for (const [k, run] of runs.entries()) {
    const { calibrations, choice } = states[k]!
    run.calibrations = calibrations
    run.calibrated_ms = start_ms
    const { record } = run
    const from = record.rows
    const rows = writeOrigins(run, origins)
    if (!rows) continue
    const raw = contenderQuantiles({ net: fit.netOf(run.series.iata), share: fit.share }, rows)
    for (const contender of CONTENDERS) {
      const calibrated = applyCalibration(raw[contender], rows, calibrations[contender])
      for (const column of QUANTILE_COLUMNS) record.raw[contender][column].set(raw[contender][column], from)
      for (const column of CALIBRATED_COLUMNS) record.calibrated[contender][column].set(calibrated[column], from)
    }
    record.served.fill(CONTENDERS.indexOf(choice), from, record.rows)
    run.days.push({ start_ms, from, to: record.rows, losses: null })
  }
}

/** Writes the hours of some origins to the record of a series; returns their inputs, or null when no hour was known at any of them. */
function writeOrigins({ series, record }: SeriesRun, origins: readonly number[]): FeatureRows | null {
  const parts: FeatureRows[] = []
  for (const issued_ms of origins) {
    const rows = forecastRows(series, issued_ms)
    if (!rows) continue
    parts.push(rows)
    const from = record.rows
    record.rows += rows.rows
    const valid_ms = horizonHours(issued_ms)
    record.issued_ms.fill(issued_ms, from, record.rows)
    record.valid_ms.set(valid_ms, from)
    record.horizon.set(rows.horizon, from)
    record.near_share.set(rows.near_share, from)
    let row = lowerBound(series.hour_ms, valid_ms[0]!)
    for (let k = 0; k < valid_ms.length; k++) {
      const isObserved = series.hour_ms[row] === valid_ms[k]
      record.truth_row[from + k] = isObserved ? row++ : -1
    }
  }
  return parts.length === 0 ? null : joinRows(parts)
}

function joined(
  { series, record }: SeriesRun,
  { calibrations, choice }: State,
  options: ResolvedOptions,
): SeriesBacktest {
  const { rows } = record
  const truth_cutoff_ms = options.truth_cutoff_ms ?? options.to_ms + HORIZON_HOURS * HOUR_MS
  const part = <T extends Float64Array | Uint8Array>(column: T) => column.subarray(0, rows) as T
  const quantilesPart = ({ p10, p50, p90 }: Quantiles) => ({ p10: part(p10), p50: part(p50), p90: part(p90) })
  const issued_ms = part(record.issued_ms)
  const truth = new Float64Array(rows)
  for (let k = 0; k < rows; k++) {
    const row = record.truth_row[k]!
    truth[k] = row >= 0 && series.available_ms[row]! <= truth_cutoff_ms ? series.mean[row]! : Number.NaN
  }
  return {
    iata: series.iata,
    terminal: series.terminal,
    issued_ms,
    valid_ms: part(record.valid_ms),
    horizon: part(record.horizon),
    truth,
    raw: byContender((contender) => quantilesPart(record.raw[contender])),
    calibrated: byContender((contender) => {
      const calibrated = record.calibrated[contender]
      return { ...quantilesPart(calibrated), p_within_5: part(calibrated.p_within_5) }
    }),
    served: part(record.served),
    scored: Uint8Array.from(issued_ms, (issued) => (issued >= options.from_ms ? 1 : 0)),
    calibrations,
    choice,
    opponents: opponentsAtOrigins(series, issued_ms, options.from_ms),
    adapted: options.kind === 'immigration' ? null : adaptedAtOrigins(series, issued_ms),
  }
}

/** The forecasts of the rules from elsewhere at the scored origins. */
function opponentsAtOrigins(
  series: PreparedSeries,
  issued_ms: Float64Array,
  from_ms: number,
): SeriesBacktest['opponents'] {
  const opponents = mapKeys(OPPONENTS, () => new Float64Array(issued_ms.length).fill(Number.NaN))
  for (let row = 0; row < issued_ms.length; row += HORIZON_HOURS) {
    if (issued_ms[row]! < from_ms) continue
    const rules = opponentsAt(series, issued_ms[row]!, horizonHours(issued_ms[row]!))
    if (rules) for (const opponent of OPPONENTS) opponents[opponent].set(rules[opponent], row)
  }
  return opponents
}

/** The adapted prior at the origins at which an airport is new; its rows at other origins are not used. */
function adaptedAtOrigins(series: PreparedSeries, issued_ms: Float64Array): SeriesBacktest['adapted'] {
  const rows = issued_ms.length
  const model_share = Float64Array.from(issued_ms, (issued) => modelShare(series, issued))
  if (series.terminal !== '' || model_share.every((share) => share === 1)) return null
  // For an airport outside the directory nothing is known, not even its size.
  const adapted = adaptedForecaster(series)
  if (!adapted) return null
  const forecast = { ...emptyQuantiles(rows), p_within_5: new Float64Array(rows) }
  for (let row = 0; row < rows; row += HORIZON_HOURS) {
    if (model_share[row] === 1) continue
    for (const [k, hour] of adapted(issued_ms[row]!).entries())
      for (const column of SERVED_COLUMNS) forecast[column][row + k] = hour[column]
  }
  return { forecast, model_share }
}
