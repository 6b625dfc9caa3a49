import { HOUR_MS } from '../../config/domain.ts'
import { probabilityAt } from '../quantiles/probability-by-spread.ts'
import type { LearnedAdjustment, Step } from './learned.ts'

/** A forecast hour, in minutes. */
export interface HourForecast {
  p10: number
  p50: number
  p90: number
  /** Probability of being within 5 minutes of p50; null where nothing is known of it. */
  confidence: number | null
}

/** The newest wait of a queue, as it is shown. */
export interface NewestWait {
  observed_ms: number
  wait_minutes: number
  /** `reported`: travellers' reports are in it. */
  basis: 'measured' | 'reported'
}

/** What an airport's own history says about the pooled adjustment; 1 changes nothing. */
export interface OwnFactors {
  /** Multiplies the carried part of the deviation. */
  carry: number
  /** Multiply the adjusted distances p50 − p10 and p90 − p50. */
  low: number
  high: number
}

export const NO_OWN_FACTORS: OwnFactors = { carry: 1, low: 1, high: 1 }

/** From the last learned lead to this one the adjusted forecast goes over into the issued one. */
export const LAST_LEAD_HOURS = 48
/** A spread below this many minutes counts as this, and hours differ at most by this factor in how far a wait deviates. */
const MIN_SPREAD = 1
const MAX_SPREAD_RATIO = 4
/** Nothing is known about how well travellers' reports foretell, so half of their deviation counts and the interval keeps both. */
const REPORTED_SHARE = 0.5

/**
 * The forecast of consecutive hours from `start_ms` on, adjusted to the newest wait. `expected` is the issued forecast of
 * the hour in which that wait was observed. The deviation is carried forward and fades with the time from the observation
 * to the middle of the hour, so an older reading counts less. p10 ≤ p50 ≤ p90 and none is below zero.
 */
export function assimilate(
  issued: readonly HourForecast[],
  start_ms: number,
  expected: HourForecast,
  newest: NewestWait,
  learned: LearnedAdjustment,
  own: OwnFactors = NO_OWN_FACTORS,
): HourForecast[] {
  const deviation = { minutes: newest.wait_minutes - expected.p50, spread: expected.p90 - expected.p10 }
  return issued.map((hour, ahead) => {
    const lead_hours = (start_ms + (ahead + 0.5) * HOUR_MS - newest.observed_ms) / HOUR_MS
    if (lead_hours >= LAST_LEAD_HOURS) return hour
    const adjusted = adjustedHour(hour, lead_hours, deviation, learned, own)
    return newest.basis === 'reported' ? halfTrusted(hour, adjusted) : adjusted
  })
}

/** A reading's distance from the median that was forecast for its hour, and the spread p90 − p10 of that forecast, in minutes. */
export interface Deviation {
  minutes: number
  spread: number
}

/** How much larger or smaller a deviation is in an hour whose waits spread differently: the root of the ratio of spreads. */
export function deviationRatio(hour: Pick<HourForecast, 'p10' | 'p90'>, spread: number): number {
  const ratio = Math.max(MIN_SPREAD, hour.p90 - hour.p10) / Math.max(MIN_SPREAD, spread)
  return Math.sqrt(Math.min(MAX_SPREAD_RATIO, Math.max(1 / MAX_SPREAD_RATIO, ratio)))
}

/** One hour, adjusted to a deviation that was observed `lead_hours` before its middle. */
export function adjustedHour(
  hour: HourForecast,
  lead_hours: number,
  deviation: Deviation,
  { steps, within_5 }: Pick<LearnedAdjustment, 'steps' | 'within_5'>,
  own: OwnFactors,
): HourForecast {
  const [before, after, fraction] = stepsAround(steps, lead_hours)
  const between = (of: (step: Step) => number) => of(before) + fraction * (of(after) - of(before))
  const carried = deviation.minutes * deviationRatio(hour, deviation.spread)
  const side = deviation.minutes > 0 ? 'above' : 'below'
  const shift = carried * between(({ p50 }) => p50[side])
  const low = between(({ p10 }) => p10.spread) * (hour.p10 - hour.p50) + carried * between(({ p10 }) => p10[side])
  const high = between(({ p90 }) => p90.spread) * (hour.p90 - hour.p50) + carried * between(({ p90 }) => p90[side])
  const p50 = Math.max(0, hour.p50 + own.carry * shift)
  const p10 = Math.max(0, Math.min(p50, p50 + own.low * (low - shift)))
  const p90 = Math.max(p50, p50 + own.high * (high - shift))
  const adjusted = { p10, p50, p90, confidence: hour.confidence === null ? null : probabilityAt(within_5, p90 - p10) }
  const share = Math.min(1, Math.max(0, (LAST_LEAD_HOURS - lead_hours) / (LAST_LEAD_HOURS - steps.at(-1)!.lead_hours)))
  return share === 1 ? adjusted : mixed(hour, adjusted, share)
}

/** The steps on both sides of a lead, and where it lies between them; a lead beyond the ends counts as the nearest step. */
export function stepsAround(steps: readonly Step[], lead_hours: number): [Step, Step, number] {
  const after = steps.findIndex((step) => step.lead_hours >= lead_hours)
  if (after === -1) return [steps.at(-1)!, steps.at(-1)!, 0]
  if (after === 0) return [steps[0]!, steps[0]!, 0]
  const [low, high] = [steps[after - 1]!, steps[after]!]
  return [low, high, (lead_hours - low.lead_hours) / (high.lead_hours - low.lead_hours)]
}

function mixed(issued: HourForecast, adjusted: HourForecast, share: number): HourForecast {
  const between = (from: number, to: number) => from + share * (to - from)
  const known = issued.confidence !== null && adjusted.confidence !== null
  const p50 = between(issued.p50, adjusted.p50)
  // Rounding may turn the order of almost equal quantiles.
  return {
    p10: Math.min(p50, between(issued.p10, adjusted.p10)),
    p50,
    p90: Math.max(p50, between(issued.p90, adjusted.p90)),
    confidence: known ? between(issued.confidence!, adjusted.confidence!) : null,
  }
}

function halfTrusted(issued: HourForecast, adjusted: HourForecast): HourForecast {
  const middle = mixed(issued, adjusted, REPORTED_SHARE)
  return {
    p10: Math.min(issued.p10, adjusted.p10),
    p50: middle.p50,
    p90: Math.max(issued.p90, adjusted.p90),
    confidence:
      issued.confidence === null || adjusted.confidence === null
        ? null
        : Math.min(issued.confidence, adjusted.confidence),
  }
}
