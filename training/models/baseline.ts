import type { FeatureRows } from '../features/features.ts'
import type { Profile } from '../features/profile.ts'
import type { Quantiles } from '../scoring/quantiles.ts'

/** A rule that forecasts from a profile alone: what a model has to beat. */
export type Baseline = (profile: Profile, rows: FeatureRows) => Quantiles

/** The trailing 28-day quantiles of the same local hour: hard to beat, and what serves where the model does not. */
export const sameHour: Baseline = (_, rows) => ({ p10: rows.p10, p50: rows.p50, p90: rows.p90 })

/** The latest observed hour goes on for ever, give or take the spread of the hour of day. */
export const persistence: Baseline = (profile, rows) => {
  const around = (quantile: Float64Array) =>
    quantile.map((minutes, row) => Math.max(0, profile.latest + minutes - rows.p50[row]!))
  return { p10: around(rows.p10), p50: new Float64Array(rows.rows).fill(profile.latest), p90: around(rows.p90) }
}
