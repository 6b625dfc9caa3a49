import type { FeatureRows } from '../../forecasting/features/features.ts'
import type { Quantiles } from '../../forecasting/quantiles/quantiles.ts'
import { defineForecaster, onStep } from './forecaster.ts'

/** The spread of the climatology may reach below no wait. */
export const ruleQuantiles = ({ p10, p50, p90 }: FeatureRows): Quantiles => ({
  p10: p10.map((minutes) => Math.max(0, minutes)),
  p50,
  p90,
})

/** The expectation of the airport's process, with the spread of a climatology. */
export const rule = defineForecaster({ name: 'rule', predict: (rows) => onStep(ruleQuantiles(rows), rows) })
