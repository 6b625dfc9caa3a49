import { DAY_MS, HORIZON_HOURS, HOUR_MS } from '../../config/domain.ts'
import type { Examples } from '../features/examples.ts'
import type { PreparedSeries } from '../features/profile.ts'
import { type Baseline, sameHour } from '../models/baseline.ts'
import { fitPooled, pooledExamples } from '../models/pooled-fit.ts'
import { disposeNet, type QuantileNet } from '../models/quantile-net.ts'
import { startBackend } from '../models/tensorflow-backend.ts'
import { type Score, score } from '../scoring/metrics.ts'
import {
  type BlockForecasts,
  type Contender,
  calibrateBlock,
  forecastBlock,
  joinBlocks,
  uncalibrated,
} from './backtest-block.ts'

export interface BacktestOptions {
  /** First and last scored origin, epoch ms. */
  from_ms: number
  to_ms: number
  /** Truths that became known later than this are not used, epoch ms; default: `to_ms` plus the horizon. */
  truth_cutoff_ms?: number
  /** Hours between origins. */
  every_hours?: number
  /** Days between refits of the net, each on what was known then. */
  refit_days?: number
  seed?: number
  /** The model is compared with this; default: the 28-day same-hour quantiles. */
  baseline?: Baseline
  /** Examples up to the last refit or later, when the caller already has them. */
  examples?: Examples
  onProgress?: (done: number, total: number) => void
}

/** All forecasts of a backtest of one airport (terminal '') or terminal. */
export interface SeriesBacktest extends BlockForecasts {
  iata: string
  terminal: string
}

/** Days before the scored span whose forecasts only teach the first calibration. */
export const BURN_IN_DAYS = 7
export const BACKTEST_DEFAULTS = { every_hours: 6, refit_days: 7, seed: 1, baseline: sameHour } as const

type ResolvedOptions = BacktestOptions & Required<Pick<BacktestOptions, keyof typeof BACKTEST_DEFAULTS>>

/**
 * Rolling-origin backtest of the model and the baseline on the same hours. At each origin the features hold only what was
 * available then. The net is refitted at the start of each block of `refit_days` on examples known then, and the block
 * is calibrated with forecasts of earlier blocks whose truths were known then. Nothing uses a later row.
 */
export async function backtest(series: readonly PreparedSeries[], options: BacktestOptions): Promise<SeriesBacktest[]> {
  await startBackend()
  const resolved: ResolvedOptions = { ...BACKTEST_DEFAULTS, ...options }
  const starts = blockStarts(resolved)
  const examples = options.examples ?? pooledExamples(series, starts.at(-1)!, resolved.seed)
  const runs = series.map((each): SeriesRun => ({ series: each, truthAt: truthFinder(each), blocks: [] }))
  let net: QuantileNet | undefined
  for (const [k, start] of starts.entries()) {
    net = fitPooled(examples, start, resolved.seed, net).net
    const origins = originsOf(start, starts[k + 1] ?? resolved.to_ms + 1, resolved.every_hours)
    for (const run of runs) {
      const block = runBlock(run, net, origins, resolved)
      if (block) run.blocks.push(block)
    }
    resolved.onProgress?.(k + 1, starts.length)
  }
  if (net) disposeNet(net)
  return runs.map((run) => ({ iata: run.series.iata, terminal: run.series.terminal, ...joinBlocks(run.blocks) }))
}

/** The start of the burn-in, then a block every `refit_days` from the first scored origin to the last. */
function blockStarts({ from_ms, to_ms, refit_days }: ResolvedOptions): number[] {
  const starts = [from_ms - BURN_IN_DAYS * DAY_MS]
  for (let start = from_ms; start <= to_ms; start += refit_days * DAY_MS) starts.push(start)
  return starts
}

function originsOf(start: number, end: number, every_hours: number): number[] {
  const origins: number[] = []
  for (let origin = start; origin < end; origin += every_hours * HOUR_MS) origins.push(origin)
  return origins
}

/** A series during its backtest. */
interface SeriesRun {
  series: PreparedSeries
  truthAt: TruthAt
  blocks: BlockForecasts[]
}

/** The observed mean of an hour; NaN unless it was observed and known by an instant. */
type TruthAt = (hour_ms: number, known_by_ms: number) => number

function truthFinder(series: PreparedSeries): TruthAt {
  const rowOfHour = new Map(Array.from(series.hour_ms, (hour, row) => [hour, row]))
  return (hour, known_by_ms) => {
    const row = rowOfHour.get(hour)
    return row !== undefined && series.available_ms[row]! <= known_by_ms ? series.mean[row]! : Number.NaN
  }
}

function runBlock(
  { series, truthAt, blocks }: SeriesRun,
  net: QuantileNet,
  origins: readonly number[],
  options: ResolvedOptions,
): BlockForecasts | null {
  const start = origins[0]
  if (start === undefined) return null
  const block = forecastBlock(series, net, options.baseline, origins)
  if (!block) return null
  const truth_cutoff_ms = options.truth_cutoff_ms ?? options.to_ms + HORIZON_HOURS * HOUR_MS
  const rows = block.valid_ms.length
  const calibrated = (contender: Contender) =>
    calibrateBlock(block.raw[contender], blocks, contender, (hour) => truthAt(hour, start)) ?? uncalibrated(rows)
  const model = calibrated('model')
  const isScored = start >= options.from_ms && !Number.isNaN(model.p50[0]!)
  return {
    ...block,
    truth: block.valid_ms.map((hour) => truthAt(hour, truth_cutoff_ms)),
    calibrated: { model, baseline: calibrated('baseline') },
    scored: new Uint8Array(rows).fill(isScored ? 1 : 0),
  }
}

/** Score of one contender over the scored and observed hours, optionally of some horizons only (hours ahead, from ≤ h < to). */
export function scoreOf(
  run: SeriesBacktest,
  contender: Contender,
  horizon: readonly [from: number, to: number] = [0, HORIZON_HOURS],
): Score {
  const [from, to] = horizon
  return score(run.truth, run.calibrated[contender], (row) => {
    const ahead = row % HORIZON_HOURS
    return run.scored[row] === 1 && ahead >= from && ahead < to
  })
}
