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
  forecastBlock,
  joinBlocks,
  serveBlock,
  unserved,
} from './backtest-block.ts'

export interface BacktestOptions {
  /** First and last scored origin, epoch ms. */
  from_ms: number
  to_ms: number
  /** Truths known later than this are not used; `to_ms` plus the horizon unless given. */
  known_ms?: number
  every_hours?: number
  /** The net is fitted anew so often, each time on what was known then. */
  refit_days?: number
  seed?: number
  /** What the model is compared with; the 28-day same-hour quantiles unless given. */
  rule?: Baseline
  /** Examples up to the last refit or later, where the caller has made them already. */
  examples?: Examples
  onProgress?: (done: number, total: number) => void
}

/** Every forecast of a backtest of one airport (terminal '') or terminal. */
export interface SeriesBacktest extends BlockForecasts {
  iata: string
  terminal: string
}

/** Before the scored span, a week of forecasts that only teach the first calibration. */
export const BURN_IN_DAYS = 7
export const BACKTEST_DEFAULTS = { every_hours: 6, refit_days: 7, seed: 1, rule: sameHour } as const

/**
 * Rolling-origin backtest of the model and the baseline on the same hours. At each origin the features hold only what was
 * available then; the net is fitted on at the start of each block of `refit_days`, on examples known then; a block is
 * calibrated by the forecasts of earlier blocks whose truths were known at its start. Nothing ever sees ahead.
 */
export async function backtest(series: readonly PreparedSeries[], options: BacktestOptions): Promise<SeriesBacktest[]> {
  await startBackend()
  const settled = { ...BACKTEST_DEFAULTS, ...options }
  const starts = blockStarts(settled)
  const examples = options.examples ?? pooledExamples(series, starts.at(-1)!, settled.seed)
  const runs = series.map((one) => ({ one, truthAt: truthFinder(one), blocks: [] as BlockForecasts[] }))
  let net: QuantileNet | undefined
  for (const [k, start] of starts.entries()) {
    net = fitPooled(examples, start, settled.seed, net).net
    const origins = originsOf(start, starts[k + 1] ?? settled.to_ms + 1, settled.every_hours)
    for (const run of runs) {
      const block = runBlock(run, net, origins, settled)
      if (block) run.blocks.push(block)
    }
    settled.onProgress?.(k + 1, starts.length)
  }
  if (net) disposeNet(net)
  return runs.map(({ one, blocks }) => ({ iata: one.iata, terminal: one.terminal, ...joinBlocks(blocks) }))
}

/** The burn-in, then a block every `refit_days` from the first scored origin to the last. */
function blockStarts({ from_ms, to_ms, refit_days }: { from_ms: number; to_ms: number; refit_days: number }): number[] {
  const starts = [from_ms - BURN_IN_DAYS * DAY_MS]
  for (let start = from_ms; start <= to_ms; start += refit_days * DAY_MS) starts.push(start)
  return starts
}

function originsOf(start: number, end: number, every_hours: number): number[] {
  const origins: number[] = []
  for (let origin = start; origin < end; origin += every_hours * HOUR_MS) origins.push(origin)
  return origins
}

interface Run {
  one: PreparedSeries
  truthAt: (hour_ms: number, known_ms: number) => number
  blocks: BlockForecasts[]
}

function runBlock(
  { one, truthAt, blocks }: Run,
  net: QuantileNet,
  origins: readonly number[],
  options: BacktestOptions & { rule: Baseline },
): BlockForecasts | null {
  const start = origins[0]
  const block = start === undefined ? null : forecastBlock(one, net, options.rule, origins)
  if (start === undefined || !block) return null
  const known_ms = options.known_ms ?? options.to_ms + HORIZON_HOURS * HOUR_MS
  const rows = block.valid_ms.length
  const served = (contender: Contender) =>
    serveBlock(block.raw[contender], blocks, contender, (hour) => truthAt(hour, start)) ?? unserved(rows)
  const both = { model: served('model'), baseline: served('baseline') }
  const counts = start >= options.from_ms && !Number.isNaN(both.model.p50[0]!)
  return {
    ...block,
    truth: block.valid_ms.map((hour) => truthAt(hour, known_ms)),
    served: both,
    scored: new Uint8Array(rows).fill(counts ? 1 : 0),
  }
}

/** Finds the observed mean of an hour; NaN unless it was observed and known by an instant. */
function truthFinder(series: PreparedSeries): Run['truthAt'] {
  const rows = new Map(Array.from(series.hour_ms, (hour, k) => [hour, k]))
  return (hour, known_ms) => {
    const row = rows.get(hour)
    return row !== undefined && series.available_ms[row]! <= known_ms ? series.mean[row]! : Number.NaN
  }
}

/** Score of one contender over the scored, observed hours, or those of some horizons (hours ahead, from ≤ h < to). */
export function scoreOf(
  run: SeriesBacktest,
  contender: Contender,
  horizon: [number, number] = [0, HORIZON_HOURS],
): Score {
  return score(run.truth, run.served[contender], (row) => {
    const ahead = row % HORIZON_HOURS
    return run.scored[row] === 1 && ahead >= horizon[0] && ahead < horizon[1]
  })
}
