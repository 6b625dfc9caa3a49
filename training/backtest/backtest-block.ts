import { type FeatureRows, featureRows, horizonHours, joinRows } from '../features/features.ts'
import { type PreparedSeries, type Profile, profileAt } from '../features/profile.ts'
import type { Baseline } from '../models/baseline.ts'
import { predictNet, type QuantileNet } from '../models/quantile-net.ts'
import { applyCalibration, type Calibrated, calibrate } from '../scoring/calibration.ts'
import { concatenate, emptyQuantiles, joinQuantiles, type Quantiles } from '../scoring/quantiles.ts'

/** The two that a backtest compares. */
export const CONTENDERS = ['model', 'baseline'] as const
export type Contender = (typeof CONTENDERS)[number]

/** Forecasts of one series at some origins, HORIZON_HOURS an origin, origins ascending; parallel arrays. */
export interface BlockForecasts {
  issued_ms: Float64Array
  valid_ms: Float64Array
  /** Hourly mean that was observed, minutes; NaN where it was not. */
  truth: Float64Array
  /** Before calibration: what a later calibration is learnt from. */
  raw: Record<Contender, Quantiles>
  /** As they would have been served; NaN where there was nothing to calibrate by yet. */
  served: Record<Contender, Calibrated>
  /** 1 where the forecast counts: calibrated, and issued in the scored span. */
  scored: Uint8Array
}

/** Raw forecasts of one series at some origins; null when nothing was known at any of them. */
export function forecastBlock(
  series: PreparedSeries,
  net: QuantileNet,
  rule: Baseline,
  origins: readonly number[],
): Pick<BlockForecasts, 'issued_ms' | 'valid_ms' | 'raw'> | null {
  const made: { profile: Profile; rows: FeatureRows; valid: Float64Array }[] = []
  for (const origin of origins) {
    const profile = profileAt(series, origin)
    const valid = horizonHours(origin)
    if (profile) made.push({ profile, rows: featureRows(series, profile, valid), valid })
  }
  if (made.length === 0) return null
  return {
    issued_ms: concatenate(made.map(({ profile, valid }) => new Float64Array(valid.length).fill(profile.issued_ms))),
    valid_ms: concatenate(made.map(({ valid }) => valid)),
    raw: {
      model: predictNet(net, joinRows(made.map(({ rows }) => rows))),
      baseline: joinQuantiles(made.map(({ profile, rows }) => rule(profile, rows))),
    },
  }
}

/** Calibrates raw forecasts by earlier ones, of which `truthThen` tells what had been observed by then (NaN: nothing). */
export function serveBlock(
  raw: Quantiles,
  earlier: readonly Pick<BlockForecasts, 'valid_ms' | 'raw'>[],
  contender: Contender,
  truthThen: (hour_ms: number) => number,
): Calibrated | null {
  const valid_ms = concatenate(earlier.map((part) => part.valid_ms))
  const past = joinQuantiles(earlier.map((part) => part.raw[contender]))
  const calibration = calibrate({ ...past, truth: valid_ms.map(truthThen), valid_ms })
  return calibration && applyCalibration(raw, calibration)
}

/** Stands where no calibration was possible. */
export function unserved(rows: number): Calibrated {
  const none = emptyQuantiles(rows)
  for (const column of Object.values(none)) column.fill(Number.NaN)
  return { ...none, p_within_5: new Float64Array(rows).fill(Number.NaN) }
}

/** Blocks one after the other. */
export function joinBlocks(parts: readonly BlockForecasts[]): BlockForecasts {
  const column = (name: 'issued_ms' | 'valid_ms' | 'truth') => concatenate(parts.map((part) => part[name]))
  const served = (contender: Contender) => ({
    ...joinQuantiles(parts.map((part) => part.served[contender])),
    p_within_5: concatenate(parts.map((part) => part.served[contender].p_within_5)),
  })
  const raw = (contender: Contender) => joinQuantiles(parts.map((part) => part.raw[contender]))
  return {
    issued_ms: column('issued_ms'),
    valid_ms: column('valid_ms'),
    truth: column('truth'),
    raw: { model: raw('model'), baseline: raw('baseline') },
    served: { model: served('model'), baseline: served('baseline') },
    scored: Uint8Array.from(parts.flatMap((part) => Array.from(part.scored))),
  }
}
