import { concatenate } from '../../config/concatenate.ts'
import { type FeatureRows, featureRows, horizonHours, joinRows } from '../features/features.ts'
import { type PreparedSeries, type Profile, profileAt } from '../features/profile.ts'
import type { Baseline } from '../models/baseline.ts'
import { predictNet, type QuantileNet } from '../models/quantile-net.ts'
import { applyCalibration, type CalibratedForecast, calibrate } from '../scoring/calibration.ts'
import { emptyQuantiles, joinQuantiles, type Quantiles } from '../scoring/quantiles.ts'

/** The two forecasters that a backtest compares. */
export type Contender = 'model' | 'baseline'

/** Forecasts of one series at some origins, origins ascending, HORIZON_HOURS rows per origin; parallel arrays. */
export interface BlockForecasts {
  issued_ms: Float64Array
  valid_ms: Float64Array
  /** Observed hourly mean, minutes; NaN where the hour was not observed. */
  truth: Float64Array
  /** Quantiles before calibration; later blocks learn their calibration from these. */
  raw: Record<Contender, Quantiles>
  /** Calibrated as they would have been served; NaN where no earlier forecast could teach a calibration. */
  calibrated: Record<Contender, CalibratedForecast>
  /** 1 where the forecast is scored: it is calibrated and was issued in the scored span. */
  scored: Uint8Array
}

/** Raw forecasts of one series at some origins; null when no hour was known at any of them. */
export function forecastBlock(
  series: PreparedSeries,
  net: QuantileNet,
  baseline: Baseline,
  origins: readonly number[],
): Pick<BlockForecasts, 'issued_ms' | 'valid_ms' | 'raw'> | null {
  const described: { profile: Profile; rows: FeatureRows; valid_ms: Float64Array }[] = []
  for (const origin of origins) {
    const profile = profileAt(series, origin)
    const valid_ms = horizonHours(origin)
    if (profile) described.push({ profile, rows: featureRows(series, profile, valid_ms), valid_ms })
  }
  if (described.length === 0) return null
  return {
    issued_ms: concatenate(
      described.map(({ profile, valid_ms }) => new Float64Array(valid_ms.length).fill(profile.issued_ms)),
    ),
    valid_ms: concatenate(described.map(({ valid_ms }) => valid_ms)),
    raw: {
      model: predictNet(net, joinRows(described.map(({ rows }) => rows))),
      baseline: joinQuantiles(described.map(({ profile, rows }) => baseline(profile, rows))),
    },
  }
}

/**
 * Calibrates raw forecasts with earlier ones. `truthAt` returns the wait observed in an hour as it was known when the
 * block began (NaN: not observed or not known yet). Null when no earlier forecast hour was known.
 */
export function calibrateBlock(
  raw: Quantiles,
  earlier: readonly Pick<BlockForecasts, 'valid_ms' | 'raw'>[],
  contender: Contender,
  truthAt: (hour_ms: number) => number,
): CalibratedForecast | null {
  const valid_ms = concatenate(earlier.map((block) => block.valid_ms))
  const past = joinQuantiles(earlier.map((block) => block.raw[contender]))
  const calibration = calibrate({ ...past, truth: valid_ms.map(truthAt), valid_ms })
  return calibration && applyCalibration(raw, calibration)
}

/** NaN for every forecast hour: the value of `calibrated` where no calibration was possible. */
export function uncalibrated(rows: number): CalibratedForecast {
  const quantiles = emptyQuantiles(rows)
  for (const column of Object.values(quantiles)) column.fill(Number.NaN)
  return { ...quantiles, p_within_5: new Float64Array(rows).fill(Number.NaN) }
}

/** Joins blocks in order. */
export function joinBlocks(blocks: readonly BlockForecasts[]): BlockForecasts {
  const column = (name: 'issued_ms' | 'valid_ms' | 'truth') => concatenate(blocks.map((block) => block[name]))
  const raw = (contender: Contender) => joinQuantiles(blocks.map((block) => block.raw[contender]))
  const calibrated = (contender: Contender) => ({
    ...joinQuantiles(blocks.map((block) => block.calibrated[contender])),
    p_within_5: concatenate(blocks.map((block) => block.calibrated[contender].p_within_5)),
  })
  return {
    issued_ms: column('issued_ms'),
    valid_ms: column('valid_ms'),
    truth: column('truth'),
    raw: { model: raw('model'), baseline: raw('baseline') },
    calibrated: { model: calibrated('model'), baseline: calibrated('baseline') },
    scored: Uint8Array.from(blocks.flatMap((block) => Array.from(block.scored))),
  }
}
