import { DAY_MS, HOUR_MS } from '../../config/domain.ts'
import { LOOKBACK_DAYS, type PreparedSeries } from '../../forecasting/features/profile.ts'
import { type OwnReadings, priorTableIndex } from '../../forecasting/prior/typical.ts'
import { probabilityAt } from '../../forecasting/quantiles/probability-by-spread.ts'
import { clamp, lowerBound, weightedQuantiles } from '../../forecasting/statistics/statistics.ts'
import { hoursApart, type SlotQuantiles } from './prior-table.ts'

/** How the prior is drawn to an airport by its own readings, from the first one on. */

/** The learned part of `OwnReadings` that the quantiles before calibration need. */
export type OwnStrengths = Pick<OwnReadings, 'level' | 'hour' | 'spread'>

/** A slot of the prior's table as own readings have moved it, before calibration. */
export interface AdaptedSlot extends SlotQuantiles {
  /** Weight of the own hours at and around this clock hour, in hours. */
  evidence: number
}

/** Own hours that were known at an instant; parallel arrays. */
export interface OwnHours {
  minutes: Float64Array
  /** Slot of the prior's table. */
  slot: Uint8Array
  age_days: Float64Array
}

/** A single wait counts for at most this many minutes of deviation from the prior when the level is learned. */
const MAX_DEVIATION = 15
/** Mean absolute deviation to the distance of the 10 % and the 90 % quantile, of a normal curve. */
const DISTANCE_OF_MEAN_DEVIATION = 1.6
/** Half-intervals are widened by this many minutes before they are multiplied: a constant past can still change. */
const MIN_HALF_WIDTH = 0.25
/** With this weight of own hours their spread counts half, and that among all airports half. */
const HALF_EVIDENCE_HOURS = 2

/** The hours of a series that had ended and were available at an instant (epoch ms), of the last half year. */
export function ownHoursAt(series: PreparedSeries, issued_ms: number): OwnHours {
  const { hour_ms, available_ms, mean, clock } = series
  const rows: number[] = []
  const end = lowerBound(hour_ms, issued_ms - HOUR_MS + 1)
  for (let row = lowerBound(hour_ms, issued_ms - LOOKBACK_DAYS * DAY_MS); row < end; row++)
    if (available_ms[row]! <= issued_ms) rows.push(row)
  return {
    minutes: Float64Array.from(rows, (row) => mean[row]!),
    slot: Uint8Array.from(rows, (row) => priorTableIndex(clock.hour[row]!, clock.weekday[row]!)),
    age_days: Float64Array.from(rows, (row) => (issued_ms - hour_ms[row]!) / DAY_MS),
  }
}

/** Weight of an hour of the clock for another, by the hours between them. */
const nearness = (standard_deviation: number) =>
  Float64Array.from({ length: 13 }, (_, apart) => Math.exp(-0.5 * (apart / standard_deviation) ** 2))

/**
 * Moves a table by own hours: first its level, which is learned from a wide neighbourhood of the clock, so that the nights say little
 * about the days; then single hours, by the median of what deviates from the level. Both are shrunk towards the table.
 */
export function adaptTable(
  table: readonly SlotQuantiles[],
  { minutes, slot, age_days }: OwnHours,
  { level, hour, spread }: OwnStrengths,
): AdaptedSlot[] {
  const count = minutes.length
  const clockHour = slot.map((each) => each % 24)
  const levelFade = age_days.map((age) => Math.exp(-age / level.fade_days))
  const hourFade = age_days.map((age) => Math.exp(-age / hour.fade_days))
  const deviation = minutes.map((wait, k) => wait - table[slot[k]!]!.p50)
  const wide = nearness(level.near_hours)
  const narrow = nearness(hour.near_hours)
  const levels = Float64Array.from({ length: 24 }, (_, at) => {
    let sum = 0
    let total = level.prior_hours
    for (let k = 0; k < count; k++) {
      const weight = wide[hoursApart(at, clockHour[k]!)]! * levelFade[k]!
      sum += weight * clamp(deviation[k]!, -MAX_DEVIATION, MAX_DEVIATION)
      total += weight
    }
    return total > 0 ? sum / total : 0
  })
  const rest = deviation.map((each, k) => each - levels[clockHour[k]!]!)
  const shifts = Float64Array.from({ length: 24 }, (_, at) => {
    const values = [0]
    const weights = [hour.prior_hours]
    for (let k = 0; k < count; k++) {
      const apart = hoursApart(at, clockHour[k]!)
      if (apart > 3 * hour.near_hours + 0.5) continue
      values.push(rest[k]!)
      weights.push(narrow[apart]! * hourFade[k]!)
    }
    return values.length > 1 ? weightedQuantiles(values, weights, [0.5])[0]! : 0
  })
  const medians = table.map(({ p50 }, at) => Math.max(0, p50 + levels[at % 24]! + shifts[at % 24]!))
  const error = minutes.map((wait, k) => Math.abs(wait - medians[slot[k]!]!))
  const spreads = Array.from({ length: 24 }, (_, at) => {
    let sum = 0
    let evidence = 0
    for (let k = 0; k < count; k++) {
      const weight = wide[hoursApart(at, clockHour[k]!)]! * hourFade[k]!
      sum += weight * error[k]!
      evidence += weight
    }
    return { sum, evidence }
  })
  return table.map((cell, at) => {
    const { sum, evidence } = spreads[at % 24]!
    const p50 = medians[at]!
    const expected = spread.base_minutes + spread.per_minute * p50
    const own = (DISTANCE_OF_MEAN_DEVIATION * (sum + spread.prior_hours * expected)) / (evidence + spread.prior_hours)
    const share = evidence / (evidence + HALF_EVIDENCE_HOURS)
    const low = (1 - share) * (cell.p50 - cell.p10) + share * own
    const high = (1 - share) * (cell.p90 - cell.p50) + share * own
    return { p10: p50 - low, p50, p90: p50 + high, evidence }
  })
}

/** A calibrated slot: p10 and p90 in whole minutes, and the probability of being within 5 minutes of p50. */
export interface CalibratedSlot extends SlotQuantiles {
  p_within_5: number
}

/** Applies the learned correction for a slot's evidence: p10 ≤ p50 ≤ p90, none below zero. */
export function calibratedSlot(
  { p10, p50, p90, evidence }: AdaptedSlot,
  steps: OwnReadings['calibration'],
): CalibratedSlot {
  const [before, after, fraction] = stepsAround(steps, evidence)
  const between = (low: number, high: number) => low + fraction * (high - low)
  const low_factor = between(before.low_factor, after.low_factor)
  const high_factor = between(before.high_factor, after.high_factor)
  const low = Math.round(Math.max(0, p50 - low_factor * (p50 - p10 + MIN_HALF_WIDTH)))
  const high = Math.round(p50 + high_factor * (p90 - p50 + MIN_HALF_WIDTH))
  const bounds = { p10: Math.min(low, Math.floor(p50)), p50, p90: Math.max(high, Math.ceil(p50)) }
  const width = bounds.p90 - bounds.p10
  return { ...bounds, p_within_5: between(probabilityAt(before.within_5, width), probabilityAt(after.within_5, width)) }
}

type CalibrationStep = OwnReadings['calibration'][number]

/** The steps on both sides of an evidence, and where it lies between them on a scale of its logarithm. */
function stepsAround(
  steps: readonly CalibrationStep[],
  evidence: number,
): [before: CalibrationStep, after: CalibrationStep, fraction: number] {
  const above = steps.findIndex(({ evidence_hours }) => evidence_hours >= evidence)
  if (above === -1) return [steps.at(-1)!, steps.at(-1)!, 0]
  if (above === 0) return [steps[0]!, steps[0]!, 0]
  const [before, after] = [steps[above - 1]!, steps[above]!]
  const at = Math.log1p(evidence) - Math.log1p(before.evidence_hours)
  return [before, after, at / (Math.log1p(after.evidence_hours) - Math.log1p(before.evidence_hours))]
}

/**
 * Scores of a slot's wait below and above its interval: it lies below the rounded p10 if and only if the factor is at most the first,
 * and above the rounded p90 if and only if it is at most the second.
 */
export function missScores({ p10, p50, p90 }: SlotQuantiles, wait: number): [low: number, high: number] {
  return [
    (p50 - Math.floor(wait) - 0.5) / (p50 - p10 + MIN_HALF_WIDTH),
    (Math.ceil(wait) - 0.5 - p50) / (p90 - p50 + MIN_HALF_WIDTH),
  ]
}
