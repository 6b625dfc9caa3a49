import type { FeatureRows } from '../features/features.ts'
import type { Profile } from '../features/profile.ts'
import type { Quantiles } from '../scoring/quantiles.ts'

/** A rule that forecasts from a profile alone: a model has to beat it to serve. */
export type Baseline = (profile: Profile, rows: FeatureRows) => Quantiles

/** Quantiles of the same local hour in the trailing 28 days. It is hard to beat, and serves where the model does not beat it. */
export const sameHour: Baseline = (_, rows) => ({ p10: rows.p10, p50: rows.p50, p90: rows.p90 })

/** The latest observed hour continues for ever, with the spread of the hour of day around it. */
export const persistence: Baseline = (profile, rows) => {
  const shifted = (quantile: Float64Array) =>
    quantile.map((minutes, row) => Math.max(0, profile.latest + minutes - rows.p50[row]!))
  return { p10: shifted(rows.p10), p50: new Float64Array(rows.rows).fill(profile.latest), p90: shifted(rows.p90) }
}
