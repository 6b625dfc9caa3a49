import { NO_OWN_FACTORS, type OwnFactors } from '../../forecasting/assimilation/assimilate.ts'
import { learnedAssimilation } from '../../forecasting/assimilation/learned.ts'
import { ascending, clamp, conformalQuantile, mean } from '../../forecasting/statistics/statistics.ts'
import type { AdjustmentFactors } from '../../warehouse/tables/adjustments.ts'
import type { AssimilationExample } from './examples.ts'
import { adjustedExample } from './scores.ts'

/** What an airport's own readings say about the shared curves, with the errors on the last part of its backtest. */
export type OwnAdjustment = OwnFactors &
  Pick<AdjustmentFactors, 'samples' | 'mae_minutes' | 'issued_mae_minutes' | 'coverage_80'>

/** Only the next hours are learned from: later ones say little about how far a reading is to be trusted. */
export const OWN_LEAD_HOURS = 3
/** This many imaginary hours at which the shared curves are right keep a short history from moving the factors much. */
const PRIOR_HOURS = 150
const MAX_CARRY = 3
const CARRY_STEP = 0.1
const MIN_WIDTH = 0.5
const MAX_WIDTH = 2
/** Half-intervals below this many minutes count as this, as in the calibration of forecasts. */
const MIN_HALF_WIDTH = 0.25
/** Without this many examples nothing is learned. */
const MIN_EXAMPLES = 30
/** The first part of the examples is learned from for the errors; the rest is scored. */
const LEARNED_SHARE = 0.6

/** Learns the factors of one airport from its examples; null when there are too few of them. */
export function ownAdjustment(examples: readonly AssimilationExample[]): OwnAdjustment | null {
  const near = examples
    .filter(({ lead_hours }) => lead_hours <= OWN_LEAD_HOURS + 0.5)
    .toSorted((a, b) => a.observed_ms - b.observed_ms)
  if (near.length < MIN_EXAMPLES) return null
  const cut = near[Math.floor(near.length * LEARNED_SHARE)]!.observed_ms
  // Readings near the cut share their hours with the later part, so they are in neither.
  const gap = (OWN_LEAD_HOURS + 1) * 3_600_000
  const earlier = factorsFrom(near.filter(({ observed_ms }) => observed_ms < cut - gap))
  const later = near.filter(({ observed_ms }) => observed_ms >= cut)
  const scored = later.map((example) => ({ example, adjusted: adjusted(example, earlier) }))
  const factors = factorsFrom(near)
  return {
    carry: factors.carry,
    low: factors.low,
    high: factors.high,
    samples: scored.length,
    mae_minutes: mean(scored.map(({ example, adjusted: { p50 } }) => Math.abs(example.truth - p50))),
    issued_mae_minutes: mean(later.map(({ truth, p50 }) => Math.abs(truth - p50))),
    coverage_80: mean(
      scored.map(({ example: { truth }, adjusted: { p10, p90 } }) => (truth >= p10 && truth <= p90 ? 1 : 0)),
    ),
  }
}

const adjusted = (example: AssimilationExample, own: OwnFactors) =>
  adjustedExample(example, learnedAssimilation().predicted, own)

/** The carry with the smallest error of the median, then the widths that leave 10 % on each side; all shrunk to 1. */
function factorsFrom(examples: readonly AssimilationExample[]): OwnFactors {
  const hours = new Set(examples.map(({ observed_ms, lead_hours }) => Math.round(observed_ms / 3_600_000 + lead_hours)))
    .size
  if (hours === 0) return NO_OWN_FACTORS
  const shrunk = (own: number) => (own * hours + PRIOR_HOURS) / (hours + PRIOR_HOURS)
  const errorOf = (carry: number) =>
    mean(examples.map((example) => Math.abs(example.truth - adjusted(example, { carry, low: 1, high: 1 }).p50)))
  const carries = Array.from({ length: Math.round(MAX_CARRY / CARRY_STEP) + 1 }, (_, k) => k * CARRY_STEP)
  const best = carries.map((carry) => ({ carry, error: errorOf(carry) })).reduce((a, b) => (b.error < a.error ? b : a))
  const carry = shrunk(best.carry)
  const forecasts = examples.map((example) => {
    const { p10, p50, p90 } = adjusted(example, { carry, low: 1, high: 1 })
    return { truth: example.truth, p10, p50, p90 }
  })
  const width = (overshoots: number[]) =>
    clamp(shrunk(conformalQuantile(ascending(overshoots), 0.9)), MIN_WIDTH, MAX_WIDTH)
  return {
    carry,
    low: width(forecasts.map(({ truth, p10, p50 }) => (p50 - truth) / Math.max(MIN_HALF_WIDTH, p50 - p10))),
    high: width(forecasts.map(({ truth, p50, p90 }) => (truth - p50) / Math.max(MIN_HALF_WIDTH, p90 - p50))),
  }
}
