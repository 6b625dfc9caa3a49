import { FEATURES, type FeatureRows, forecastRows } from '../../forecasting/features/features.ts'
import type { PreparedSeries } from '../../forecasting/features/profile.ts'
import { applyCalibration } from '../../forecasting/quantiles/calibration.ts'
import { contenderQuantiles, type WeightedNet } from '../models/contenders.ts'
import type { ArtifactCard } from './artifact-card.ts'

/** A forecast hour of examples.json: what goes into the net, and what is served in the end. */
export interface ExampleRow {
  terminal: string
  /** Hours ahead. */
  horizon: number
  /** Values of the inputs in the order of features.json, not normalised. */
  inputs: number[]
  /** What the model corrects, the rule, the baseline, and the unit; minutes. */
  p10: number
  p50: number
  p90: number
  rule: number
  same_hour_p10: number
  same_hour_p50: number
  same_hour_p90: number
  scale: number
  step: number
  /** Share of the recent waits of this local hour within 5 minutes of the rule. */
  near_share: number
  /** What is served, in minutes. */
  served: { p10: number; p50: number; p90: number; p_within_5: number }
}

/** Hours ahead of the examples: some of each bucket of the calibration. */
const EXAMPLE_HOURS = [0, 1, 5, 6, 23, 24, 100, 167]

/** Rows of a training table or of examples, column by column. */
export function rowAt(rows: FeatureRows, row: number) {
  const width = FEATURES.length
  return {
    horizon: rows.horizon[row]!,
    inputs: Array.from(rows.x.subarray(row * width, (row + 1) * width)),
    p10: rows.p10[row]!,
    p50: rows.p50[row]!,
    p90: rows.p90[row]!,
    rule: rows.rule[row]!,
    same_hour_p10: rows.same_hour_p10[row]!,
    same_hour_p50: rows.same_hour_p50[row]!,
    same_hour_p90: rows.same_hour_p90[row]!,
    scale: rows.scale[row]!,
    step: rows.step[row]!,
    near_share: rows.near_share[row]!,
  }
}

/** Example forecasts of an airport and its terminals at the cutoff of their model. */
export function exampleRows(
  net: WeightedNet,
  calibration: ArtifactCard['calibration'],
  series: readonly PreparedSeries[],
  cutoff_ms: number,
): ExampleRow[] {
  return series.flatMap((each) => {
    const own = calibration.find(({ terminal }) => terminal === each.terminal)
    const rows = forecastRows(each, cutoff_ms)
    if (!own || !rows) return []
    const served = applyCalibration(contenderQuantiles(net, rows)[own.served], rows, own.table)
    return EXAMPLE_HOURS.map((row): ExampleRow => {
      const { p10, p50, p90, p_within_5 } = served
      const values = { p10: p10[row]!, p50: p50[row]!, p90: p90[row]!, p_within_5: p_within_5[row]! }
      return Object.assign({ terminal: each.terminal }, rowAt(rows, row), { served: values })
    })
  })
}
