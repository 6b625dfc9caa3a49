import { createHash } from 'node:crypto'
import type { BorderDirection } from '../config/border-direction.ts'
import type { ErrorCode } from '../config/errors.ts'
import { DAY_MS, HOUR_MS, isoUtc, startOfHour, type UtcInstant } from '../config/vocabulary.ts'
import { WARM_UP_DAYS } from '../forecasting/features/examples.ts'
import type { HourlySeries } from '../forecasting/features/hourly-series.ts'
import { FEATURES } from '../forecasting/features/inputs.ts'
import { type PreparedSeries, prepareSeries } from '../forecasting/features/profile.ts'
import type { TaskRunner } from '../jobs/tasks/define-task.ts'
import type { Backtest } from '../warehouse/tables/forecasts.ts'
import type { Artifact, TrainingRecord } from './artifacts/artifact.ts'
import { type ArtifactCard, CARD_FORMAT, modelVersion } from './artifacts/artifact-card.ts'
import { exampleRows } from './artifacts/example-rows.ts'
import { backtest, blockStarts } from './backtest/backtest.ts'
import { isAdaptedBetter, type SeriesBacktest, scoreOf } from './backtest/results.ts'
import { localFits, openFits } from './fits/fits.ts'
import { byContender, type Contender } from './forecasters/contenders.ts'
import { bySubject, type ForecastSubject, subjectName } from './history/hourly-series.ts'
import type { PooledFit } from './models/pooled-fit.ts'
import { readWeights } from './models/quantile-net.ts'
import { backtestSums } from './record/backtest-sums.ts'
import { settingsOfKind, type TrainedKind } from './settings/kinds.ts'
import { DEFAULT_TRAINING_SETTINGS, type TrainingSettings } from './settings/training-settings.ts'

/** Why an airport, or a direction of its border queues, was not trained. This is a recorded outcome, not an error. */
export interface Untrained {
  iata: string
  direction?: BorderDirection | undefined
  code: Extract<ErrorCode, 'NOT_ENOUGH_HISTORY'>
  reason: string
  /** Set where there is enough history, and the prior that is drawn to the airport forecasts it better. */
  prior_is_better?: true
}

/** The reason why a series is too short to train on at a cutoff (epoch ms); null when it is long enough. */
export function historyShortfall(
  series: HourlySeries | undefined,
  cutoff_ms: number,
  { min_days, min_hours }: TrainingSettings['history'] = DEFAULT_TRAINING_SETTINGS.history,
): string | null {
  const known = series ? series.hour_ms.filter((_, row) => series.available_ms[row]! <= cutoff_ms) : new Float64Array(0)
  const days = known.length > 0 ? (cutoff_ms - known[0]!) / DAY_MS : 0
  if (days >= min_days && known.length >= min_hours) return null
  return `${known.length} hours over ${days.toFixed(1)} days; ${min_hours} hours over ${min_days} days are needed`
}

export interface TrainOptions {
  kind: TrainedKind
  /** The fit and the backtest use nothing that became available later, epoch ms. */
  cutoff_ms: number
  /** When the training runs, epoch ms. */
  trained_ms: number
  settings?: TrainingSettings
  /** Airports whose models are wanted, of all that the nets learn from; default: all. */
  airports?: readonly string[]
  /** Single lanes, which the nets learn from besides airports and terminals. */
  lanes?: readonly HourlySeries[]
  /** The place of the fits; default: this process. */
  tasks?: TaskRunner
  onProgress?: (done: number, total: number) => void
}

/** A row of the table `backtests` with the scores of a fitted model. */
export type ModelBacktest = Backtest & {
  mae_minutes: number
  pinball_minutes: number
  served_mae_minutes: number
  served_pinball_minutes: number
}

export interface TrainedAirport extends TrainingRecord {
  artifact: Artifact
  row: ModelBacktest
}

export interface TrainResult {
  trained: TrainedAirport[]
  untrained: Untrained[]
}

/**
 * Backtests and fits the airports of some series at a cutoff. All airports share one pooled net; each has its own scores,
 * its own decision whether model or baseline serves, and its own calibration. The caller disposes of the nets.
 */
export async function trainSeries(series: readonly HourlySeries[], options: TrainOptions): Promise<TrainResult> {
  const { cutoff_ms, kind, airports } = options
  const settings = settingsOfKind(kind, options.settings)
  const untrained: Untrained[] = (airports ?? [])
    .filter((iata) => !series.some((queueSeries) => queueSeries.iata === iata))
    .map((iata) => ({
      iata,
      code: 'NOT_ENOUGH_HISTORY',
      reason: historyShortfall(undefined, cutoff_ms, settings.history)!,
    }))
  const isWanted = ([first]: HourlySeries[]) => airports?.includes(first!.iata) ?? true
  const groups = [...bySubject(series).values()].filter((group) => {
    const airportLevel = group.find(({ terminal }) => terminal === '')
    const reason = historyShortfall(airportLevel, cutoff_ms, settings.history)
    if (reason !== null && isWanted(group))
      untrained.push({ ...subjectOf(group[0]!), code: 'NOT_ENOUGH_HISTORY', reason })
    return reason === null
  })
  if (!groups.some(isWanted)) return { trained: [], untrained }
  const prepared = groups.flatMap((group) => group.map(prepareSeries))
  const span = backtestSpan(prepared, cutoff_ms, settings.backtest)
  const lanes = (options.lanes ?? []).map(prepareSeries)
  const backtestSeeds = settings.seeds.slice(0, settings.backtest.seeds)
  const exported = { cutoff_ms, seeds: settings.seeds }
  const refits = blockStarts({ ...span, settings }).map((start) => ({ cutoff_ms: start, seeds: backtestSeeds }))
  const input = { series: prepared, lanes, cutoff_ms, settings }
  const fits = await openFits(options.tasks ?? localFits(), input, [...refits, exported])
  const runs = await backtest(prepared, {
    ...span,
    fitAt: (start) => fits.ensemble({ cutoff_ms: start, seeds: backtestSeeds }),
    truth_cutoff_ms: cutoff_ms,
    settings: { ...settings, seeds: backtestSeeds },
    kind,
    ...(options.onProgress ? { onProgress: options.onProgress } : {}),
  })
  const fit = await fits.ensemble(exported)
  await fits.close()
  const trained: TrainedAirport[] = []
  for (const group of groups.filter(isWanted)) {
    const subject = subjectOf(group[0]!)
    const ownRuns = runs.filter((_, k) => subjectName(prepared[k]!) === subjectName(subject))
    if (ownRuns.some(isAdaptedBetter)) {
      untrained.push({ ...subject, code: 'NOT_ENOUGH_HISTORY', reason: ADAPTED_IS_BETTER, prior_is_better: true })
      continue
    }
    const own = prepared.filter((queueSeries) => subjectName(queueSeries) === subjectName(subject))
    const airport = trainedAirport(subject, ownRuns, fit, own, { ...options, settings, ...span })
    if (airport) trained.push(airport)
    else
      untrained.push({ ...subject, code: 'NOT_ENOUGH_HISTORY', reason: 'no observed hour in the span of the backtest' })
  }
  return { trained, untrained }
}

const ADAPTED_IS_BETTER =
  'the prior, drawn to the airport by its readings, was clearly better than the model in the hours of the backtest'

const subjectOf = ({ iata, direction }: ForecastSubject): ForecastSubject =>
  direction ? { iata, direction } : { iata }

interface BacktestSpan {
  /** First and last scored origin, epoch ms. */
  from_ms: number
  to_ms: number
}

/** Span of the scored origins. It ends six hours before the cutoff, so each origin has hours that were observed by then. */
function backtestSpan(
  series: readonly HourlySeries[],
  cutoff_ms: number,
  { hold_out_days, min_hold_out_days, burn_in_days }: TrainingSettings['backtest'],
): BacktestSpan {
  const first = Math.min(...series.map(({ hour_ms }) => hour_ms[0] ?? cutoff_ms))
  const usableDays = (cutoff_ms - first) / DAY_MS - WARM_UP_DAYS - burn_in_days
  const days = Math.min(hold_out_days, Math.max(min_hold_out_days, usableDays / 2))
  const hour = startOfHour(cutoff_ms)
  return { from_ms: hour - Math.round(days * 24) * HOUR_MS, to_ms: hour - 6 * HOUR_MS }
}

/** The artifact of an airport from its runs; null when no scored hour was observed. */
function trainedAirport(
  subject: ForecastSubject,
  runs: readonly SeriesBacktest[],
  { netOf, share, report }: PooledFit,
  series: readonly PreparedSeries[],
  options: TrainOptions & BacktestSpan & { settings: TrainingSettings },
): TrainedAirport | null {
  const airportRun = runs.find(({ terminal }) => terminal === '')
  if (!airportRun) return null
  const model = scoreOf(airportRun, 'model')
  if (model.samples === 0) return null
  const net = netOf(subject.iata)
  const trained_at = isoUtc(options.trained_ms)
  const unversioned: Omit<ArtifactCard, 'version'> = {
    format: CARD_FORMAT,
    kind: options.kind,
    ...subject,
    cutoff: isoUtc(options.cutoff_ms),
    seeds: options.settings.seeds,
    net_share: share,
    settings: options.settings,
    data: digestOfSeries(series),
    rows: report.rows,
    epochs: report.epochs,
    features: FEATURES.map((name, k) => ({
      name,
      mean: net.normalisation.mean[k]!,
      std: net.normalisation.std[k]!,
      ...(net.normalisation.used[k] ? {} : { used: false }),
    })),
    backtest: {
      evaluated_from: isoUtc(options.from_ms),
      evaluated_to: isoUtc(options.to_ms),
      served: scoreOf(airportRun, 'served'),
      ...byContender((contender) => scoreOf(airportRun, contender)),
    },
    served: servedBy(airportRun, share),
    calibration: runs.map((run) => ({
      terminal: run.terminal,
      served: servedBy(run, share),
      table: run.calibrations[servedBy(run, share)],
      tables: run.calibrations,
    })),
  }
  const version = modelVersion(subjectName(subject), unversioned, digestOf(readWeights(net)))
  const card: ArtifactCard = { ...unversioned, version }
  const record = {
    row: backtestRow(card, trained_at),
    scores: backtestSums(airportRun, card, trained_at),
  }
  const examples = exampleRows({ net, share }, card.calibration, series, options.cutoff_ms)
  return { artifact: { card, net, examples, record }, ...record }
}

function digestOf(columns: readonly (Float32Array | Float64Array)[]): string {
  const hash = createHash('sha256')
  for (const { buffer, byteOffset, byteLength } of columns) hash.update(new Uint8Array(buffer, byteOffset, byteLength))
  return hash.digest('hex')
}

/** SHA-256 of the hours of an airport and its terminals. */
const digestOfSeries = (series: readonly PreparedSeries[]) =>
  digestOf(series.flatMap(({ hour_ms, available_ms, mean }) => [hour_ms, available_ms, mean]))

/** A model without a share of the net is the rule. */
const servedBy = ({ choice }: SeriesBacktest, net_share: number): Contender =>
  choice === 'model' && net_share === 0 ? 'rule' : choice

function backtestRow(card: ArtifactCard, trained_at: UtcInstant): ModelBacktest {
  const { model, rule, baseline, served, evaluated_from, evaluated_to } = card.backtest
  return {
    kind: card.kind,
    iata: card.iata,
    model: card.version,
    trained_at,
    cutoff: card.cutoff,
    evaluated_from,
    evaluated_to,
    samples: model.samples,
    mae_minutes: model.mae_minutes,
    baseline_mae_minutes: baseline.mae_minutes,
    pinball_minutes: model.pinball_minutes,
    baseline_pinball_minutes: baseline.pinball_minutes,
    rule_mae_minutes: rule.mae_minutes,
    rule_pinball_minutes: rule.pinball_minutes,
    served_mae_minutes: served.mae_minutes,
    served_pinball_minutes: served.pinball_minutes,
    coverage_80: served.coverage_80,
    within_5: served.within_5,
    served: card.served,
  }
}
