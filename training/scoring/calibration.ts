import { z } from 'zod'
import { ProbabilityBySpread, probabilityAt } from '../../config/probability-by-spread.ts'
import { quantile } from '../../config/quantile.ts'
import { isWithin5 } from './metrics.ts'
import { emptyQuantiles, type Quantiles } from './quantiles.ts'
import { ascending, clamp } from './statistics.ts'

/** Corrections that a forecaster learns from its own past errors; part of an artifact's card. */
export const Calibration = z.strictObject({
  /** Past forecast hours that the calibration was learnt from. */
  samples: z.int().min(0),
  /** p50 − p10 is multiplied by this, so that 10 % of the observed waits are below p10. */
  low_factor: z.number().positive(),
  /** p90 − p50 is multiplied by this, so that 10 % of the observed waits are above p90. */
  high_factor: z.number().positive(),
  within_5: ProbabilityBySpread,
})
export type Calibration = z.infer<typeof Calibration>

/** Half-intervals below this many minutes count as this: a source that rounds has no smaller spread. */
const MIN_HALF_WIDTH = 0.25
const MIN_FACTOR = 0.5
const MAX_FACTOR = 4
/**
 * This many imaginary hours with factor 1 are added, so that a short history moves the factors little. Overlapping
 * forecasts of one hour count as one hour.
 */
const PRIOR_HOURS = 150
const SPREAD_BUCKETS = 10
/** No finite sample proves certainty, so probabilities stay within these bounds. */
const MIN_PROBABILITY = 0.01
const MAX_PROBABILITY = 0.99

/** Past forecasts and the observed waits, parallel arrays; `truth` is NaN where the hour was not observed. */
export interface PastForecasts extends Quantiles {
  truth: Float64Array
  valid_ms: Float64Array
}

interface HourQuantiles {
  p10: number
  p50: number
  p90: number
}

/**
 * Learns a calibration from past forecasts that were made without knowing their truths: split-conformal factors on each
 * side of the median in units of the half-width, then the share of hits by spread. Null when no hour was observed.
 */
export function calibrate(past: PastForecasts): Calibration | null {
  const rows: number[] = []
  for (let row = 0; row < past.truth.length; row++) if (!Number.isNaN(past.truth[row]!)) rows.push(row)
  if (rows.length === 0) return null
  const hours = new Set(rows.map((row) => past.valid_ms[row]!)).size
  const factor = (overshoot: (row: number) => number) => {
    const learnt = conformalQuantile(ascending(rows.map(overshoot)), 0.9)
    return clamp((learnt * hours + PRIOR_HOURS) / (hours + PRIOR_HOURS), MIN_FACTOR, MAX_FACTOR)
  }
  const { truth, p10, p50, p90 } = past
  const factors = {
    low_factor: factor((row) => (p50[row]! - truth[row]!) / halfWidth(p50[row]! - p10[row]!)),
    high_factor: factor((row) => (truth[row]! - p50[row]!) / halfWidth(p90[row]! - p50[row]!)),
  }
  const hits = rows.map((row) => {
    const stretched = stretch({ p10: p10[row]!, p50: p50[row]!, p90: p90[row]! }, factors)
    return { spread: stretched.p90 - stretched.p10, hit: isWithin5(truth[row]!, p50[row]!) }
  })
  return { samples: rows.length, ...factors, within_5: hitRates(hits) }
}

/** The finite-sample conformal quantile of n numbers: the ⌈(n+1)·q⌉-th smallest. */
export function conformalQuantile(sorted: Float64Array, fraction: number): number {
  return quantile(sorted, Math.min(1, (fraction * (sorted.length + 1)) / sorted.length))
}

function halfWidth(minutes: number): number {
  return Math.max(MIN_HALF_WIDTH, minutes)
}

function stretch(
  { p10, p50, p90 }: HourQuantiles,
  { low_factor, high_factor }: Pick<Calibration, 'low_factor' | 'high_factor'>,
) {
  return {
    p10: Math.max(0, p50 - low_factor * halfWidth(p50 - p10)),
    p90: p50 + high_factor * halfWidth(p90 - p50),
  }
}

/** Hit rates in buckets of spread with equal counts; neighbours that would rise are pooled (pool adjacent violators). */
export function hitRates(forecasts: { spread: number; hit: boolean }[]): ProbabilityBySpread {
  const sorted = forecasts.toSorted((a, b) => a.spread - b.spread)
  const blocks: { spread: number; hits: number; size: number }[] = []
  for (let bucket = 0; bucket < SPREAD_BUCKETS; bucket++) {
    const start = Math.floor((bucket * sorted.length) / SPREAD_BUCKETS)
    const end = Math.floor(((bucket + 1) * sorted.length) / SPREAD_BUCKETS)
    if (start === end) continue
    let block = { spread: 0, hits: 0, size: 0 }
    for (const { spread, hit } of sorted.slice(start, end))
      block = { spread: block.spread + spread, hits: block.hits + (hit ? 1 : 0), size: block.size + 1 }
    for (let last = blocks.at(-1); last && last.hits / last.size <= block.hits / block.size; last = blocks.at(-1)) {
      block = { spread: block.spread + last.spread, hits: block.hits + last.hits, size: block.size + last.size }
      blocks.pop()
    }
    blocks.push(block)
  }
  let ceiling = MAX_PROBABILITY
  return blocks.map(({ spread, hits, size }) => {
    ceiling = clamp((hits + 0.5) / (size + 1), MIN_PROBABILITY, ceiling)
    return { spread: spread / size, probability: ceiling }
  })
}

/** Calibrated quantiles and the probability of being within 5 minutes of the median. */
export interface CalibratedForecast extends Quantiles {
  p_within_5: Float64Array
}

/** Applies a calibration: p10 ≤ p50 ≤ p90, none below zero; the median does not change. */
export function applyCalibration(predicted: Quantiles, calibration: Calibration): CalibratedForecast {
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
