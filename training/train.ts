import { DAY_MS, HOUR_MS, isoUtc, type QueueKind } from '../config/domain.ts'
import type { ErrorCode } from '../config/errors.ts'
import type { Backtest } from '../warehouse/tables/forecasts.ts'
import type { Artifact } from './artifacts/artifact.ts'
import { type ModelCard, modelVersion } from './artifacts/model-card.ts'
import { BACKTEST_DEFAULTS, BURN_IN_DAYS, backtest, type SeriesBacktest, scoreOf } from './backtest/backtest.ts'
import { WARM_UP_DAYS } from './features/examples.ts'
import { FEATURES } from './features/features.ts'
import { prepare } from './features/profile.ts'
import { byAirport, type HourlySeries } from './history/hourly-series.ts'
import { fitPooled, type PooledFit, pooledExamples } from './models/pooled-fit.ts'
import { disposeNet } from './models/quantile-net.ts'
import { calibrate } from './scoring/calibration.ts'

/** An airport is trained from this much history on: three weeks see every weekday thrice, and leave a week to be judged by. */
export const ENOUGH_HISTORY = { days: 21, hours: 300 } as const
/** The backtest covers the last four weeks, or a third of a shorter history. */
const HOLD_OUT_DAYS = 28

/** Why an airport was not trained: recorded, not thrown. */
export interface Untrained {
  iata: string
  code: Extract<ErrorCode, 'NOT_ENOUGH_HISTORY'>
  reason: string
}

/** Says why a series is too short to train on at a cutoff; null when it is long enough. */
export function tooLittle(series: HourlySeries | undefined, cutoff_ms: number): string | null {
  const known = series ? series.hour_ms.filter((_, k) => series.available_ms[k]! <= cutoff_ms) : new Float64Array(0)
  const days = known.length > 0 ? (cutoff_ms - known[0]!) / DAY_MS : 0
  if (days >= ENOUGH_HISTORY.days && known.length >= ENOUGH_HISTORY.hours) return null
  return `${known.length} hours over ${days.toFixed(1)} days; ${ENOUGH_HISTORY.hours} hours over ${ENOUGH_HISTORY.days} days are needed`
}

export interface TrainOptions {
  kind: QueueKind
  /** The fit and the backtest see nothing available later, epoch ms. */
  cutoff_ms: number
  /** When the training runs, epoch ms. */
  trained_ms: number
  seed?: number
  onProgress?: (done: number, total: number) => void
}

/** A row of the table `backtests` with the scores of a fitted model. */
export type ModelBacktest = Backtest & { mae_minutes: number; pinball_minutes: number }

export interface TrainedAirport {
  artifact: Artifact
  row: ModelBacktest
}

export interface Trained {
  trained: TrainedAirport[]
  untrained: Untrained[]
}

/**
 * Backtests and fits the airports of some series at a cutoff: one pooled net, and for each airport its own scores, its own
 * decision whether the model serves, and its own calibration. The artifacts share the net's weights: dispose of any one.
 */
export async function trainSeries(series: readonly HourlySeries[], options: TrainOptions): Promise<Trained> {
  const groups = [...byAirport([...series])]
  const untrained: Untrained[] = []
  const chosen = groups.filter(([iata, group]) => {
    const reason = tooLittle(
      group.find((one) => one.terminal === ''),
      options.cutoff_ms,
    )
    if (reason !== null) untrained.push({ iata, code: 'NOT_ENOUGH_HISTORY', reason })
    return reason === null
  })
  if (chosen.length === 0) return { trained: [], untrained }
  const seed = options.seed ?? BACKTEST_DEFAULTS.seed
  const prepared = chosen.flatMap(([, group]) => group.map(prepare))
  const span = backtestSpan(prepared, options.cutoff_ms)
  const examples = pooledExamples(prepared, options.cutoff_ms, seed)
  const runs = await backtest(prepared, {
    ...span,
    examples,
    known_ms: options.cutoff_ms,
    seed,
    ...(options.onProgress ? { onProgress: options.onProgress } : {}),
  })
  const fit = fitPooled(examples, options.cutoff_ms, seed)
  const trained: TrainedAirport[] = []
  for (const [iata] of chosen) {
    const own = runs.filter((run) => run.iata === iata)
    const made = trainedAirport(iata, own, fit, { ...options, seed, ...span })
    if (made) trained.push(made)
    else untrained.push({ iata, code: 'NOT_ENOUGH_HISTORY', reason: 'no observed hour in the span of the backtest' })
  }
  if (trained.length === 0) disposeNet(fit.net)
  return { trained, untrained }
}

/** First and last origin of the backtest: every scored origin has at least one hour that could be observed by the cutoff. */
function backtestSpan(series: readonly HourlySeries[], cutoff_ms: number): { from_ms: number; to_ms: number } {
  const first = Math.min(...series.map((one) => one.hour_ms[0] ?? cutoff_ms))
  const usable = (cutoff_ms - first) / DAY_MS - WARM_UP_DAYS - BURN_IN_DAYS
  const days = Math.max(3, Math.min(HOLD_OUT_DAYS, usable / 2))
  const hour = Math.floor(cutoff_ms / HOUR_MS) * HOUR_MS
  return { from_ms: hour - Math.round(days * 24) * HOUR_MS, to_ms: hour - 6 * HOUR_MS }
}

type CardOptions = TrainOptions & { seed: number; from_ms: number; to_ms: number }

function trainedAirport(
  iata: string,
  runs: readonly SeriesBacktest[],
  { net, report }: PooledFit,
  options: CardOptions,
): TrainedAirport | null {
  const whole = runs.find((run) => run.terminal === '')
  const model = whole ? scoreOf(whole, 'model') : null
  if (!whole || !model || model.samples === 0) return null
  const baseline = scoreOf(whole, 'baseline')
  const served = model.pinball_minutes < baseline.pinball_minutes ? 'model' : 'baseline'
  const calibration = runs.flatMap((run) => {
    const table = calibrate({ ...run.raw[served], truth: run.truth, valid_ms: run.valid_ms })
    return table ? [{ terminal: run.terminal, table }] : []
  })
  const card: ModelCard = {
    format: 1,
    version: modelVersion(iata, isoUtc(options.cutoff_ms)),
    kind: options.kind,
    iata,
    trained_at: isoUtc(options.trained_ms),
    cutoff: isoUtc(options.cutoff_ms),
    seed: options.seed,
    rows: report.train_rows,
    epochs: report.epochs,
    features: FEATURES.map((name, k) => ({ name, mean: net.normalisation.mean[k]!, std: net.normalisation.std[k]! })),
    backtest: { evaluated_from: isoUtc(options.from_ms), evaluated_to: isoUtc(options.to_ms), model, baseline },
    served,
    calibration,
  }
  return { artifact: { card, net }, row: backtestRow(card) }
}

/** The card's measurement as a row of the table `backtests`. */
export function backtestRow(card: ModelCard): ModelBacktest {
  const { model, baseline, evaluated_from, evaluated_to } = card.backtest
  return {
    kind: card.kind,
    iata: card.iata,
    model: card.version,
    trained_at: card.trained_at,
    cutoff: card.cutoff,
    evaluated_from,
    evaluated_to,
    samples: model.samples,
    mae_minutes: model.mae_minutes,
    baseline_mae_minutes: baseline.mae_minutes,
    pinball_minutes: model.pinball_minutes,
    baseline_pinball_minutes: baseline.pinball_minutes,
    coverage_80: card.backtest[card.served].coverage_80,
    within_5: card.backtest[card.served].within_5,
    served: card.served,
  }
}
