import { z } from 'zod'
import { HORIZON_BUCKETS, HORIZON_HOURS } from '../../config/domain.ts'
import { lowerBound } from '../../config/lower-bound.ts'
import { ProbabilityBySpread, probabilityAt } from '../../config/probability-by-spread.ts'
import { type CalibrationSettings, DEFAULT_RUN_SETTINGS } from '../settings/run-settings.ts'
import { isWithin5 } from './metrics.ts'
import { emptyQuantiles, type Quantiles } from './quantiles.ts'
import { ascending, clamp } from './statistics.ts'

/** The bucket of each hour of the horizon. */
const BUCKET_OF_HOUR = Uint8Array.from({ length: HORIZON_HOURS }, (_, hour) =>
  HORIZON_BUCKETS.findIndex(([from, to]) => hour >= from && hour < to),
)

/** Half-intervals are widened by this many minutes before they are multiplied: a constant past can still change. */
const MIN_HALF_WIDTH = 0.25
const MIN_FACTOR = 0.3
const MAX_FACTOR = 5
/** The share of misses on each side that is aimed at, and its bounds when it follows the misses that happened. */
const MISS = 0.1
const MIN_MISS = 0.01
const MAX_MISS = 0.4
const SPREAD_BUCKETS = 12
/** No finite sample proves certainty, so probabilities stay within these bounds. */
const MIN_PROBABILITY = 0.01
const MAX_PROBABILITY = 0.99

/** What is corrected in one bucket of hours ahead. */
const BucketCalibration = z.strictObject({
  from_hours: z.int().min(0),
  /** p10 = p50 − low_factor × (p50 − p10 + 0.25), in whole minutes; p90 likewise. */
  low_factor: z.number().positive(),
  high_factor: z.number().positive(),
  /** The share of waits below p10, and above p90, that is aimed at so that 10 % are. */
  low_miss: z.number().min(0).max(1),
  high_miss: z.number().min(0).max(1),
  within_5: ProbabilityBySpread,
})

/** Corrections of a forecaster at one airport or terminal, learned from past errors; part of an artifact's card. */
export const Calibration = z.strictObject({
  /** Own past forecast hours that it was learned from. */
  samples: z.int().min(0),
  buckets: z.array(BucketCalibration).length(HORIZON_BUCKETS.length),
})
export type Calibration = z.infer<typeof Calibration>

/** Past forecasts of one series with the observed waits, parallel arrays; `truth` is NaN where nothing is known. */
export interface PastForecasts extends Quantiles {
  truth: Float64Array
  /** Hours ahead. */
  horizon: Uint8Array
  valid_ms: Float64Array
}

/** Scores of one side in one bucket, ascending: a factor above a score would have had that wait inside. */
interface Scores {
  own: Float64Array
  pooled: Float64Array
  own_share: number
}

/**
 * Scores of a row below and above, so that a bound in whole minutes counts: a wait lies below the rounded p10 if and only if the
 * factor is at most the first score, and above the rounded p90 if and only if it is at most the second.
 */
function scoresOf(past: PastForecasts, row: number): [low: number, high: number] {
  const { p10, p50, p90, truth } = past
  const wait = truth[row]!
  const middle = p50[row]!
  return [
    (middle - Math.floor(wait) - 0.5) / (middle - p10[row]! + MIN_HALF_WIDTH),
    (Math.ceil(wait) - 0.5 - middle) / (p90[row]! - middle + MIN_HALF_WIDTH),
  ]
}

/**
 * Learns the calibrations of several series from their past forecasts, which were made without knowing their truths. Each series has its own
 * scores, shrunk to those of all. `earlier` are the calibrations of the day before, whose aims go on; `recent` the rows since then.
 */
export function calibrateAll(
  series: readonly PastForecasts[],
  earlier: readonly (Calibration | null)[] = [],
  recent: readonly (PastForecasts | null)[] = [],
  settings: CalibrationSettings = DEFAULT_RUN_SETTINGS.calibration,
): Calibration[] {
  const known = series.map(knownRows)
  const pooled = HORIZON_BUCKETS.map((_, bucket) => bucketScores(series, known, bucket))
  const within_5 = HORIZON_BUCKETS.map(() => [{ spread: 0, probability: MAX_PROBABILITY }] as ProbabilityBySpread)
  const calibrations = series.map((past, k): Calibration => {
    const aims = aimsOf(earlier[k] ?? null, recent[k] ?? null, settings.feedback)
    const buckets = HORIZON_BUCKETS.map(([from_hours], bucket) => {
      const own = bucketScores([past], [known[k]!], bucket)
      const hours = new Set(known[k]!.filter((row) => isInBucket(past, row, bucket)).map((row) => past.valid_ms[row]!))
        .size
      const own_share = hours / Math.max(1, hours + settings.pool_hours)
      const [low_miss, high_miss] = aims[bucket]!
      const factor = (side: 0 | 1, miss: number) =>
        factorFor({ own: own[side], pooled: pooled[bucket]![side], own_share }, miss)
      return {
        from_hours,
        low_factor: factor(0, low_miss),
        high_factor: factor(1, high_miss),
        low_miss,
        high_miss,
        within_5: within_5[bucket]!,
      }
    })
    return { samples: known[k]!.length, buckets }
  })
  const rates = HORIZON_BUCKETS.map((_, bucket) => hitRates(hitsOf(series, known, calibrations, bucket)))
  for (const { buckets } of calibrations) for (const [bucket, each] of buckets.entries()) each.within_5 = rates[bucket]!
  return calibrations
}

function knownRows({ truth }: PastForecasts): number[] {
  const rows: number[] = []
  for (let row = 0; row < truth.length; row++) if (!Number.isNaN(truth[row]!)) rows.push(row)
  return rows
}

const isInBucket = ({ horizon }: PastForecasts, row: number, bucket: number) => BUCKET_OF_HOUR[horizon[row]!] === bucket

function bucketScores(
  series: readonly PastForecasts[],
  rows: readonly number[][],
  bucket: number,
): [low: Float64Array, high: Float64Array] {
  const low: number[] = []
  const high: number[] = []
  for (const [k, past] of series.entries())
    for (const row of rows[k]!) {
      if (!isInBucket(past, row, bucket)) continue
      const scores = scoresOf(past, row)
      low.push(scores[0])
      high.push(scores[1])
    }
  return [ascending(low), ascending(high)]
}

/** The smallest factor with at most this share of misses, own and pooled scores mixed; 1 without any score. */
function factorFor({ own, pooled, own_share }: Scores, miss: number): number {
  if (pooled.length === 0) return 1
  const share = own.length === 0 ? 0 : own_share
  const missed = (scores: Float64Array, factor: number) =>
    scores.length === 0 ? 0 : 1 - lowerBound(scores, factor) / scores.length
  let low = MIN_FACTOR
  let high = MAX_FACTOR
  for (let step = 0; step < 20; step++) {
    const middle = (low + high) / 2
    if (share * missed(own, middle) + (1 - share) * missed(pooled, middle) > miss) low = middle
    else high = middle
  }
  return high
}

/** The share of misses to aim at in each bucket: what was aimed at, corrected by what has happened since. */
function aimsOf(
  earlier: Calibration | null,
  recent: PastForecasts | null,
  feedback: number,
): [low: number, high: number][] {
  return HORIZON_BUCKETS.map((_, bucket) => {
    const before = earlier?.buckets[bucket]
    if (!before) return [MISS, MISS]
    const rows = recent ? knownRows(recent).filter((row) => isInBucket(recent, row, bucket)) : []
    if (!recent || rows.length === 0) return [before.low_miss, before.high_miss]
    const share = (isMissed: (scores: [number, number]) => boolean) =>
      rows.filter((row) => isMissed(scoresOf(recent, row))).length / rows.length
    const next = (aim: number, happened: number) => clamp(aim + feedback * (MISS - happened), MIN_MISS, MAX_MISS)
    return [
      next(
        before.low_miss,
        share(([low]) => before.low_factor <= low),
      ),
      next(
        before.high_miss,
        share(([, high]) => before.high_factor <= high),
      ),
    ]
  })
}

interface Hit {
  spread: number
  hit: boolean
}

function hitsOf(
  series: readonly PastForecasts[],
  rows: readonly number[][],
  calibrations: readonly Calibration[],
  bucket: number,
): Hit[] {
  return series.flatMap((past, k) =>
    rows[k]!.filter((row) => isInBucket(past, row, bucket)).map((row) => {
      const { p10, p90 } = stretched(past, row, calibrations[k]!.buckets[bucket]!)
      return { spread: p90 - p10, hit: isWithin5(past.truth[row]!, past.p50[row]!) }
    }),
  )
}

type Factors = Pick<Calibration['buckets'][number], 'low_factor' | 'high_factor'>

/** The calibrated interval of a row in whole minutes, around its median. */
function stretched({ p10, p50, p90 }: Quantiles, row: number, { low_factor, high_factor }: Factors) {
  const middle = p50[row]!
  const low = Math.round(Math.max(0, middle - low_factor * (middle - p10[row]! + MIN_HALF_WIDTH)))
  const high = Math.round(middle + high_factor * (p90[row]! - middle + MIN_HALF_WIDTH))
  return { p10: Math.min(low, Math.floor(middle)), p90: Math.max(high, Math.ceil(middle)) }
}

/** Hit rates in buckets of spread with equal counts; neighbours that would rise are pooled (pool adjacent violators). */
export function hitRates(forecasts: Hit[]): ProbabilityBySpread {
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
  const rates = blocks.map(({ spread, hits, size }) => {
    ceiling = clamp((hits + 0.5) / (size + 1), MIN_PROBABILITY, ceiling)
    return { spread: spread / size, probability: ceiling }
  })
  return rates.length > 0 ? rates : [{ spread: 0, probability: 0.5 }]
}

/** Calibrated quantiles and the probability of being within 5 minutes of the median. */
export interface CalibratedForecast extends Quantiles {
  p_within_5: Float64Array
}

/** Applies a calibration: p10 ≤ p50 ≤ p90, none below zero, p10 and p90 in whole minutes; the median does not change. */
export function applyCalibration(
  predicted: Quantiles,
  horizon: Uint8Array,
  { buckets }: Calibration,
): CalibratedForecast {
  const rows = predicted.p50.length
  const calibrated = { ...emptyQuantiles(rows), p_within_5: new Float64Array(rows) }
  for (let row = 0; row < rows; row++) {
    const bucket = buckets[BUCKET_OF_HOUR[horizon[row]!]!]!
    const { p10, p90 } = stretched(predicted, row, bucket)
    calibrated.p10[row] = p10
    calibrated.p50[row] = predicted.p50[row]!
    calibrated.p90[row] = p90
    calibrated.p_within_5[row] = probabilityAt(bucket.within_5, p90 - p10)
  }
  return calibrated
}
