import { z } from 'zod'
import { HORIZON_BUCKETS, HORIZON_HOURS, HOUR_MS } from '../../config/vocabulary.ts'
import { clamp, lowerBound } from '../statistics/statistics.ts'
import {
  Confidence,
  confidenceAt,
  learnConfidence,
  MAX_PROBABILITY,
  MIN_PROBABILITY,
  type PastConfidenceRows,
} from './confidence.ts'
import type { ProbabilityBySpread } from './probability-by-spread.ts'
import { emptyQuantiles, type Quantiles } from './quantiles.ts'
import type { WaitQuantiles } from './wait-quantile.ts'

/** How intervals are calibrated. A training says what each setting means and allows. */
export interface CalibrationSettings {
  days: number
  confidence_days: number
  pool_hours: number
  feedback_hours: number
}

export const DEFAULT_CALIBRATION: CalibrationSettings = {
  days: 7,
  confidence_days: 28,
  pool_hours: 100,
  feedback_hours: 40,
}

const BUCKET_OF_HOUR = Uint8Array.from({ length: HORIZON_HOURS }, (_, hour) =>
  HORIZON_BUCKETS.findIndex(([from, to]) => hour >= from && hour < to),
)

/** Half-intervals are widened by this many minutes before they are multiplied: a constant past can still change. */
const MIN_HALF_WIDTH = 0.25
const MIN_FACTOR = 0.3
const MAX_FACTOR = 5
/** The share of misses on each side that is wanted, and the least that is aimed at when it follows the observed misses. */
const MISS = 0.1
const MIN_MISS = 0.04
const SPREAD_BUCKETS = 12

/** The correction in one bucket of hours ahead. */
const BucketCalibration = z.strictObject({
  from_hours: z.int().min(0),
  /** p10 = p50 − low_factor × (p50 − p10 + 0.25), in whole minutes; p90 likewise. */
  low_factor: z.number().positive(),
  high_factor: z.number().positive(),
  /** The share of waits below p10, and above p90, that is aimed at so that 10 % are. */
  low_miss: z.number().min(0).max(1),
  high_miss: z.number().min(0).max(1),
})

/** Corrections of a forecaster at one airport or terminal, learned from past errors; part of an artifact's card. */
export const Calibration = z.strictObject({
  /** Own past forecast hours that it was learned from. */
  samples: z.int().min(0),
  buckets: z.array(BucketCalibration).length(HORIZON_BUCKETS.length),
  /** The probability of being within 5 minutes of the median, learned from the forecasts of all airports. */
  confidence: Confidence,
})
export type Calibration = z.infer<typeof Calibration>

/** Past forecasts of one series with the observed waits, parallel arrays; `truth` is NaN if nothing is known. */
export interface PastForecasts extends PastConfidenceRows {
  /** Hours ahead. */
  horizon: Uint8Array
  valid_ms: Float64Array
}

/** Scores of one side in one bucket: a factor above a score would have had that wait inside. */
interface Scores {
  /** Ascending. */
  own: Float64Array
  pooled: PooledScores
  own_share: number
}

/** Scores of all series together. */
interface PooledScores {
  count: number
  /** The share of them that are at least a factor. */
  missed: (factor: number) => number
}

/**
 * Scores of a wait below and above its interval, so that a bound in whole minutes counts: it lies below the rounded p10 if and only if
 * the factor is at most the first score, and above the rounded p90 if and only if it is at most the second.
 */
export function missScores({ p10, p50, p90 }: WaitQuantiles, wait: number): [low: number, high: number] {
  return [
    (p50 - Math.floor(wait) - 0.5) / (p50 - p10 + MIN_HALF_WIDTH),
    (Math.ceil(wait) - 0.5 - p50) / (p90 - p50 + MIN_HALF_WIDTH),
  ]
}

const quantilesAt = ({ p10, p50, p90 }: Quantiles, row: number): WaitQuantiles => ({
  p10: p10[row]!,
  p50: p50[row]!,
  p90: p90[row]!,
})

const scoresOf = (past: PastForecasts, row: number) => missScores(quantilesAt(past, row), past.truth[row]!)

/**
 * Learns the calibrations of several series from their past forecasts, which were made without knowing their truths. Each series has its own
 * scores, shrunk to those of all. `earlier` are the calibrations of the day before, whose aims go on; `recent` the rows since then. `longer`
 * are the forecasts of more days, which the confidence is learned from.
 */
export function calibrateAll(
  series: readonly PastForecasts[],
  earlier: readonly (Calibration | null)[] = [],
  recent: readonly (PastForecasts | null)[] = [],
  settings: CalibrationSettings = DEFAULT_CALIBRATION,
  longer: readonly PastConfidenceRows[] = series,
): Calibration[] {
  const known = series.map(knownRows)
  const scores = series.map((past, k) => known[k]!.map((rows) => sortedScores(past, rows)))
  const pooled = HORIZON_BUCKETS.map((_, bucket) =>
    ([0, 1] as const).map((side) => pooledScores(scores.map((score) => score[bucket]![side]))),
  )
  const confidence = learnConfidence(longer)
  return series.map((past, k): Calibration => {
    const aims = aimsOf(earlier[k] ?? null, recent[k] ?? null, settings.feedback_hours)
    const buckets = HORIZON_BUCKETS.map(([from_hours], bucket) => {
      const hours = distinctHours(past, known[k]![bucket]!)
      const own_share = hours / Math.max(1, hours + settings.pool_hours)
      const [low_miss, high_miss] = aims[bucket]!
      const factor = (side: 0 | 1, miss: number) =>
        factorFor({ own: scores[k]![bucket]![side], pooled: pooled[bucket]![side]!, own_share }, miss)
      return {
        from_hours,
        low_factor: factor(0, low_miss),
        high_factor: factor(1, high_miss),
        low_miss,
        high_miss,
      }
    })
    return { samples: known[k]!.reduce((sum, rows) => sum + rows.length, 0), buckets, confidence }
  })
}

/** The rows of each bucket whose truth is known. */
function knownRows({ truth, horizon }: PastForecasts): Int32Array[] {
  const counts = new Int32Array(HORIZON_BUCKETS.length)
  for (let row = 0; row < truth.length; row++) if (!Number.isNaN(truth[row]!)) counts[BUCKET_OF_HOUR[horizon[row]!]!]!++
  const rows = Array.from(counts, (count) => new Int32Array(count))
  counts.fill(0)
  for (let row = 0; row < truth.length; row++) {
    if (Number.isNaN(truth[row]!)) continue
    const bucket = BUCKET_OF_HOUR[horizon[row]!]!
    rows[bucket]![counts[bucket]!++] = row
  }
  return rows
}

function distinctHours({ valid_ms }: PastForecasts, rows: Int32Array): number {
  if (rows.length === 0) return 0
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (const row of rows) {
    first = Math.min(first, valid_ms[row]!)
    last = Math.max(last, valid_ms[row]!)
  }
  const isCounted = new Uint8Array(Math.floor((last - first) / HOUR_MS) + 1)
  for (const row of rows) isCounted[Math.floor((valid_ms[row]! - first) / HOUR_MS)] = 1
  return isCounted.reduce((sum, counted) => sum + counted, 0)
}

/** The scores of some rows on each side, ascending. */
function sortedScores(past: PastForecasts, rows: Int32Array): [low: Float64Array, high: Float64Array] {
  const low = new Float64Array(rows.length)
  const high = new Float64Array(rows.length)
  for (let k = 0; k < rows.length; k++) {
    const scores = scoresOf(past, rows[k]!)
    low[k] = scores[0]
    high[k] = scores[1]
  }
  return [low.sort(), high.sort()]
}

/** Each share is counted once: the searches for the factors of all series begin alike. */
function pooledScores(seriesScores: readonly Float64Array[]): PooledScores {
  const shares = new Map<number, number>()
  const count = seriesScores.reduce((sum, scores) => sum + scores.length, 0)
  const missed = (factor: number) => {
    const found = shares.get(factor)
    if (found !== undefined) return found
    let below = 0
    for (const scores of seriesScores) below += lowerBound(scores, factor)
    const share = 1 - below / count
    shares.set(factor, share)
    return share
  }
  return { count, missed }
}

/** The smallest factor with at most this share of misses, own and pooled scores mixed; 1 without any score. */
function factorFor({ own, pooled, own_share }: Scores, miss: number): number {
  if (pooled.count === 0) return 1
  const share = own.length === 0 ? 0 : own_share
  const ownMissed = (factor: number) => (own.length === 0 ? 0 : 1 - lowerBound(own, factor) / own.length)
  let low = MIN_FACTOR
  let high = MAX_FACTOR
  for (let step = 0; step < 20; step++) {
    const middle = (low + high) / 2
    if (share * ownMissed(middle) + (1 - share) * pooled.missed(middle) > miss) low = middle
    else high = middle
  }
  return high
}

/**
 * The share of misses to aim at in each bucket: as far below the wanted share as the misses of the last days were above it. Each
 * observation counts by its hours and fades with those after it, so that the noise of single days does not add up.
 */
function aimsOf(
  earlier: Calibration | null,
  recent: PastForecasts | null,
  feedback_hours: number,
): [low: number, high: number][] {
  const known = recent ? knownRows(recent) : []
  return HORIZON_BUCKETS.map((_, bucket) => {
    const before = earlier?.buckets[bucket]
    if (!before) return [MISS, MISS]
    const rows = known[bucket]
    if (!recent || !rows || rows.length === 0) return [before.low_miss, before.high_miss]
    let below = 0
    let above = 0
    for (const row of rows) {
      const [low, high] = scoresOf(recent, row)
      if (before.low_factor <= low) below++
      if (before.high_factor <= high) above++
    }
    const hours = distinctHours(recent, rows)
    const next = (aim: number, missed: number) => {
      const opposite = 2 * MISS - missed / rows.length
      return Math.max(MIN_MISS, aim + (hours / (hours + feedback_hours)) * (opposite - aim))
    }
    return [next(before.low_miss, below), next(before.high_miss, above)]
  })
}

type Factors = Pick<Calibration['buckets'][number], 'low_factor' | 'high_factor'>

/** The calibrated interval of an hour in whole minutes, around its median. */
export function stretched({ p10, p50, p90 }: WaitQuantiles, { low_factor, high_factor }: Factors) {
  const low = Math.round(Math.max(0, p50 - low_factor * (p50 - p10 + MIN_HALF_WIDTH)))
  const high = Math.round(p50 + high_factor * (p90 - p50 + MIN_HALF_WIDTH))
  return { p10: Math.min(low, Math.floor(p50)), p90: Math.max(high, Math.ceil(p50)) }
}

/** The rate without any forecast that came true. */
const UNKNOWN_RATE: ProbabilityBySpread = [{ spread: 0, probability: 0.5 }]

interface Hit {
  spread: number
  hit: boolean
}

/** Hit rates in buckets of spread with about equal counts, equal spreads in one; neighbours that would rise are pooled (pool adjacent violators). */
export function hitRates(forecasts: readonly Hit[]): ProbabilityBySpread {
  const spreads = Float64Array.from(forecasts, ({ spread }) => spread)
  const order = stableOrder(spreads)
  const blocks: { spread: number; hits: number; size: number }[] = []
  let end = 0
  for (let bucket = 0; bucket < SPREAD_BUCKETS; bucket++) {
    const start = end
    end = Math.max(start, Math.floor(((bucket + 1) * order.length) / SPREAD_BUCKETS))
    while (end > start && end < order.length && spreads[order[end]!] === spreads[order[end - 1]!]) end++
    if (start === end) continue
    let block = { spread: 0, hits: 0, size: end - start }
    for (let position = start; position < end; position++) {
      block.spread += spreads[order[position]!]!
      if (forecasts[order[position]!]!.hit) block.hits++
    }
    for (let last = blocks.at(-1); last && last.hits / last.size <= block.hits / block.size; last = blocks.at(-1)) {
      block = { spread: block.spread + last.spread, hits: block.hits + last.hits, size: block.size + last.size }
      blocks.pop()
    }
    blocks.push(block)
  }
  let ceiling = MAX_PROBABILITY
  const rates = blocks.map(({ spread, hits, size }) => {
    ceiling = clamp((hits + 0.5) / (size + 1), MIN_PROBABILITY, ceiling)
    return { spread: spread / size, probability: ceiling }
  })
  return rates.length > 0 ? rates : UNKNOWN_RATE
}

/** Positions of values in ascending order, equal ones in their order: of a million forecasts few spreads differ. */
function stableOrder(values: Float64Array): Uint32Array {
  const next = new Map<number, number>()
  for (const value of values) next.set(value, (next.get(value) ?? 0) + 1)
  let start = 0
  for (const [value, count] of [...next].sort(([a], [b]) => a - b)) {
    next.set(value, start)
    start += count
  }
  const order = new Uint32Array(values.length)
  for (let k = 0; k < values.length; k++) {
    const position = next.get(values[k]!)!
    order[position] = k
    next.set(values[k]!, position + 1)
  }
  return order
}

/** Calibrated quantiles and the probability of being within 5 minutes of the median. */
export interface CalibratedForecast extends Quantiles {
  p_within_5: Float64Array
}

export const SERVED_COLUMNS = ['p10', 'p50', 'p90', 'p_within_5'] as const

/** The columns that a calibration needs beside the quantiles. */
export interface CalibratedRows {
  /** Hours ahead. */
  horizon: Uint8Array
  near_share: Float64Array
}

/** Applies a calibration: p10 ≤ p50 ≤ p90, none below zero, p10 and p90 in whole minutes; the median does not change. */
export function applyCalibration(
  predicted: Quantiles,
  { horizon, near_share }: CalibratedRows,
  { buckets, confidence }: Calibration,
): CalibratedForecast {
  const rows = predicted.p50.length
  const calibrated = { ...emptyQuantiles(rows), p_within_5: new Float64Array(rows) }
  for (let row = 0; row < rows; row++) {
    const bucket = buckets[BUCKET_OF_HOUR[horizon[row]!]!]!
    const hour = quantilesAt(predicted, row)
    const { p10, p90 } = stretched(hour, bucket)
    calibrated.p10[row] = p10
    calibrated.p50[row] = hour.p50
    calibrated.p90[row] = p90
    calibrated.p_within_5[row] = confidenceAt(confidence, { ...hour, near_share: near_share[row]! })
  }
  return calibrated
}
