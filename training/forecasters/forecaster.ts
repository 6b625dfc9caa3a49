import type { FeatureRows } from '../../forecasting/features/features.ts'
import type { Quantiles } from '../../forecasting/quantiles/quantiles.ts'
import type { QuantileNet } from '../models/quantile-net.ts'

/** A fitted net of a training, and its share in the model's forecast, 0 to 1; the rest is the rule's. */
export interface WeightedNet {
  net: QuantileNet
  share: number
}

/** One way to forecast: a contender, which serves an airport while it is clearly better than the model there. */
export interface Forecaster<Name extends string = string> {
  name: Name
  /** Quantiles before calibration, minutes, from what was known at the issue and what the training has fitted. */
  predict: (rows: FeatureRows, fitted: WeightedNet) => Quantiles
}

export const defineForecaster = <const Name extends string>(forecaster: Forecaster<Name>) => forecaster

/**
 * Whole-minute waits have a whole-minute median: a median between two values is never the nearest. The bounds stay in order
 * around it.
 */
export function onStep({ p10, p50, p90 }: Quantiles, { step }: FeatureRows): Quantiles {
  const middle = p50.map((minutes, row) => (step[row]! > 0 ? step[row]! * Math.round(minutes / step[row]!) : minutes))
  return {
    p10: p10.map((minutes, row) => Math.min(minutes, middle[row]!)),
    p50: middle,
    p90: p90.map((minutes, row) => Math.max(minutes, middle[row]!)),
  }
}
