import { z } from 'zod'
import { emptyQuantiles, type Quantiles } from './quantiles.ts'
import { clamp, sortedQuantile } from './statistics.ts'

/** How a forecaster's own past errors correct it: part of an artifact's card. */
export const Calibration = z.strictObject({
  /** Past forecast hours behind the tables. */
  samples: z.int().min(0),
  /** p50 − p10 is stretched by this, so that 10 % fall below. */
  low_factor: z.number().positive(),
  /** p90 − p50 likewise. */
  high_factor: z.number().positive(),
  /** Probability of being within 5 minutes of p50, by calibrated spread p90 − p10 in minutes: ascending, never rising. */
  within_5: z.array(z.strictObject({ spread: z.number().min(0), probability: z.number().min(0).max(1) })).min(1),
})
export type Calibration = z.infer<typeof Calibration>

/** Narrowest half-interval that is stretched, minutes: below it a source's rounding is the spread. */
const MIN_HALF_WIDTH = 0.25
const FACTOR_BOUNDS = [0.5, 4] as const
/** So many imaginary hours at factor 1 hold a short history back; overlapping forecasts of one hour count as one hour. */
const PRIOR_HOURS = 150
const SPREAD_BUCKETS = 10
/** Probabilities stay away from certainty that no finite sample can show. */
const PROBABILITY_BOUNDS = [0.01, 0.99] as const

/** Past forecasts with what was observed (truth NaN: not observed, left out), parallel arrays. */
export interface PastForecasts extends Quantiles {
  truth: Float64Array
  valid_ms: Float64Array
}

/**
 * Learns a calibration from past forecasts that were made without seeing their truths: split-conformal on each side of
 * the median, with the half-width as the unit, then the hit rate by spread. Null when none of them was observed.
 */
export function calibrate(past: PastForecasts): Calibration | null {
  const rows: number[] = []
  for (let row = 0; row < past.truth.length; row++) if (!Number.isNaN(past.truth[row]!)) rows.push(row)
  if (rows.length === 0) return null
  const hours = new Set(rows.map((row) => past.valid_ms[row]!)).size
  const factor = (overshoot: (row: number) => number) => {
    const learnt = conformalQuantile(Float64Array.from(rows, overshoot).sort(), 0.9)
    return clamp((learnt * hours + PRIOR_HOURS) / (hours + PRIOR_HOURS), ...FACTOR_BOUNDS)
  }
  const { truth, p10, p50, p90 } = past
  const factors = {
    low_factor: factor((row) => (p50[row]! - truth[row]!) / halfWidth(p50[row]! - p10[row]!)),
    high_factor: factor((row) => (truth[row]! - p50[row]!) / halfWidth(p90[row]! - p50[row]!)),
  }
  const spread = rows.map((row) => {
    const stretched = stretch({ p10: p10[row]!, p50: p50[row]!, p90: p90[row]! }, factors)
    return { spread: stretched.p90 - stretched.p10, hit: Math.abs(truth[row]! - p50[row]!) <= 5 }
  })
  return { samples: rows.length, ...factors, within_5: hitRates(spread) }
}

/** The ⌈(n+1)·q⌉-th smallest: the finite-sample conformal quantile. */
function conformalQuantile(sorted: Float64Array, quantile: number): number {
  return sortedQuantile(sorted, Math.min(1, (quantile * (sorted.length + 1)) / sorted.length))
}

function halfWidth(minutes: number): number {
  return Math.max(MIN_HALF_WIDTH, minutes)
}

function stretch(
  { p10, p50, p90 }: { p10: number; p50: number; p90: number },
  { low_factor, high_factor }: Pick<Calibration, 'low_factor' | 'high_factor'>,
) {
  return {
    p10: Math.max(0, p50 - low_factor * halfWidth(p50 - p10)),
    p90: p50 + high_factor * halfWidth(p90 - p50),
  }
}

/** Hit rate in equal-count buckets of spread, made non-rising by pooling neighbours that disagree (PAV). */
function hitRates(forecasts: { spread: number; hit: boolean }[]): Calibration['within_5'] {
  const sorted = forecasts.toSorted((a, b) => a.spread - b.spread)
  const blocks: { spread: number; hits: number; size: number }[] = []
  for (let bucket = 0; bucket < SPREAD_BUCKETS; bucket++) {
    const part = sorted.slice(
      Math.floor((bucket * sorted.length) / SPREAD_BUCKETS),
      Math.floor(((bucket + 1) * sorted.length) / SPREAD_BUCKETS),
    )
    if (part.length === 0) continue
    let block = { spread: 0, hits: 0, size: 0 }
    for (const { spread, hit } of part)
      block = { spread: block.spread + spread, hits: block.hits + (hit ? 1 : 0), size: block.size + 1 }
    for (let last = blocks.at(-1); last && last.hits / last.size <= block.hits / block.size; last = blocks.at(-1)) {
      block = { spread: block.spread + last.spread, hits: block.hits + last.hits, size: block.size + last.size }
      blocks.pop()
    }
    blocks.push(block)
  }
  let ceiling: number = PROBABILITY_BOUNDS[1]
  return blocks.map(({ spread, hits, size }) => {
    ceiling = clamp((hits + 0.5) / (size + 1), PROBABILITY_BOUNDS[0], ceiling)
    return { spread: spread / size, probability: ceiling }
  })
}

/** A forecast as it is served: calibrated quantiles and the probability of being within 5 minutes of the median. */
export interface Calibrated extends Quantiles {
  p_within_5: Float64Array
}

/** Applies a calibration: p10 ≤ p50 ≤ p90, none below zero; the median is left as it is. */
export function applyCalibration(predicted: Quantiles, calibration: Calibration): Calibrated {
  const rows = predicted.p50.length
  const calibrated = { ...emptyQuantiles(rows), p_within_5: new Float64Array(rows) }
  for (let row = 0; row < rows; row++) {
    const p50 = predicted.p50[row]!
    const { p10, p90 } = stretch({ p10: predicted.p10[row]!, p50, p90: predicted.p90[row]! }, calibration)
    calibrated.p10[row] = p10
    calibrated.p50[row] = p50
    calibrated.p90[row] = p90
    calibrated.p_within_5[row] = probabilityAt(calibration.within_5, p90 - p10)
  }
  return calibrated
}

/** Linear between the table's spreads, constant beyond its ends. */
export function probabilityAt(table: Calibration['within_5'], spread: number): number {
  const above = table.findIndex((step) => step.spread >= spread)
  if (above === -1) return table.at(-1)!.probability
  if (above === 0) return table[0]!.probability
  const low = table[above - 1]!
  const high = table[above]!
  const part = (spread - low.spread) / (high.spread - low.spread)
  return low.probability + part * (high.probability - low.probability)
}
