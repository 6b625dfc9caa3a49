import { memoizeByObject } from '../../config/once.ts'
import { localClock, weekHourAt } from '../../config/time-zones/local-time.ts'
import { DAY_MS, HOUR_MS, WEEK_HOURS } from '../../config/vocabulary.ts'
import { horizonHours } from '../../forecasting/features/features.ts'
import { knownRows } from '../../forecasting/features/hourly-series.ts'
import { LOOKBACK_DAYS, type PreparedSeries } from '../../forecasting/features/profile.ts'
import { SeriesWalk } from '../../forecasting/features/series-expectation.ts'
import { kernelAroundUsual } from '../../forecasting/gaussian-process/log-waits.ts'
import { type OwnReadings, priorTableIndex } from '../../forecasting/prior/typical.ts'
import { stretched } from '../../forecasting/quantiles/calibration.ts'
import { probabilityAt } from '../../forecasting/quantiles/probability-by-spread.ts'
import type { WaitQuantiles } from '../../forecasting/quantiles/wait-quantile.ts'

/** How the prior is drawn to an airport by its own readings, from the first one on. */

/** The learned part of `OwnReadings` that the quantiles before calibration need. */
export type OwnStrengths = Pick<OwnReadings, 'process' | 'spread'>

/** An hour of the week as own readings have moved it, before calibration. */
export interface AdaptedHour extends WaitQuantiles {
  /** Weight of the own hours at and around this clock hour, in hours. */
  evidence: number
}

/** Moves p10 and p90 away from p50 by a factor; p10 stays at or above 0. */
export function widen({ p10, p50, p90 }: WaitQuantiles, factor: number): WaitQuantiles {
  return { p10: Math.max(0, p50 - factor * (p50 - p10)), p50, p90: p50 + factor * (p90 - p50) }
}

/** Hours between two hours of the day, 0 to 12. */
export function hoursApart(a: number, b: number): number {
  const apart = Math.abs(a - b)
  return Math.min(apart, 24 - apart)
}

/** A table by hour of the week, Monday 0:00 first. */
export type WeekTable = readonly WaitQuantiles[]

/** Mean absolute deviation to the distance of the 10 % and the 90 % quantile, of a normal curve. */
const DISTANCE_OF_MEAN_DEVIATION = 1.6
/** At this weight of own hours, their spread and that among all airports count half each. */
const HALF_EVIDENCE_HOURS = 2
/** How far own readings of another clock hour, and of earlier days, say how waits spread. */
const SPREAD_NEAR_HOURS = 4
const SPREAD_FADE_DAYS = 14

/** The prior's table, which knows Monday to Friday and the weekend, by hour of the week. */
export const weekOf = <Cell>(table: readonly Cell[]): Cell[] =>
  Array.from({ length: WEEK_HOURS }, (_, hour) => table[priorTableIndex(hour % 24, Math.floor(hour / 24) + 1)]!)

/** Weight of an hour of the clock for another, by the hours between them. */
const NEARNESS = Float64Array.from({ length: 13 }, (_, apart) => Math.exp(-0.5 * (apart / SPREAD_NEAR_HOURS) ** 2))

/** The kernel of what an airport's waits are above or below the prior. It has tables of its own, so that each process has one. */
const kernelOf = memoizeByObject((process: OwnReadings['process']) =>
  kernelAroundUsual({ ...process, decay_hours: 24 * process.fade_days }),
)

/** The forecasts of an airport, one instant after the other, from a table that its own readings move. */
export class AdaptedSeries {
  readonly #series: PreparedSeries
  readonly #table: WeekTable
  readonly #strengths: OwnStrengths
  readonly #walk: SeriesWalk

  constructor(series: PreparedSeries, table: WeekTable, strengths: OwnStrengths) {
    this.#series = series
    this.#table = table
    this.#strengths = strengths
    const { deviation } = strengths.process
    const minutes = table.map(({ p50 }) => p50)
    this.#walk = new SeriesWalk(series, { minutes, deviation, kernel: kernelOf(strengths.process) })
  }

  /** The week that begins with the hour of an instant (epoch ms), from what was available then; by hour of the week. */
  weekAt(issued_ms: number): AdaptedHour[] {
    const forecast = this.#walk.forecastAt(issued_ms)
    const week = Array.from(this.#table)
    const valid_ms = horizonHours(issued_ms)
    const horizonClock = localClock(this.#series.timezone, valid_ms)
    for (const [k, valid] of valid_ms.entries()) {
      const weekHour = weekHourAt(horizonClock, k)
      const { p10, p50, p90 } = this.#table[weekHour]!
      const expected = forecast.expected(valid / HOUR_MS, weekHour)
      week[weekHour] = { p10: expected - (p50 - p10), p50: expected, p90: expected + (p90 - p50) }
    }
    return this.#spread(week, issued_ms)
  }

  /** The week with intervals as wide as the own readings around each clock hour lie from it, as far as there are any. */
  #spread(week: WeekTable, issued_ms: number): AdaptedHour[] {
    const { mean, clock, hour_ms } = this.#series
    const { spread } = this.#strengths
    const sums = new Float64Array(24)
    const evidences = new Float64Array(24)
    for (const row of knownRows(this.#series, issued_ms, LOOKBACK_DAYS)) {
      const clockHour = clock.hour[row]!
      const error = Math.abs(mean[row]! - week[weekHourAt(clock, row)]!.p50)
      const fade = Math.exp(-(issued_ms - hour_ms[row]!) / DAY_MS / SPREAD_FADE_DAYS)
      for (let hour = 0; hour < 24; hour++) {
        const weight = NEARNESS[hoursApart(hour, clockHour)]! * fade
        sums[hour]! += weight * error
        evidences[hour]! += weight
      }
    }
    return week.map(({ p10, p50, p90 }, index) => {
      const evidence = evidences[index % 24]!
      const expected = spread.base_minutes + spread.per_minute * p50
      const known = evidence + spread.prior_hours
      const own = (DISTANCE_OF_MEAN_DEVIATION * (sums[index % 24]! + spread.prior_hours * expected)) / known
      const share = evidence / (evidence + HALF_EVIDENCE_HOURS)
      const mixed = (priorValue: number) => (1 - share) * priorValue + share * own
      return { p10: p50 - mixed(p50 - p10), p50, p90: p50 + mixed(p90 - p50), evidence }
    })
  }
}

/** A calibrated hour: p10 and p90 in whole minutes, and the probability of being within 5 minutes of p50. */
export interface CalibratedHour extends WaitQuantiles {
  p_within_5: number
}

/** Applies the learned correction for an hour's evidence: p10 ≤ p50 ≤ p90, none below zero. */
export function calibratedHour(hour: AdaptedHour, steps: OwnReadings['calibration']): CalibratedHour {
  const [before, after, fraction] = stepsAround(steps, hour.evidence)
  const between = (low: number, high: number) => low + fraction * (high - low)
  const factors = {
    low_factor: between(before.low_factor, after.low_factor),
    high_factor: between(before.high_factor, after.high_factor),
  }
  const bounds = stretched(hour, factors)
  const width = bounds.p90 - bounds.p10
  return {
    ...bounds,
    p50: hour.p50,
    p_within_5: between(probabilityAt(before.within_5, width), probabilityAt(after.within_5, width)),
  }
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
  const gained = Math.log1p(evidence) - Math.log1p(before.evidence_hours)
  return [before, after, gained / (Math.log1p(after.evidence_hours) - Math.log1p(before.evidence_hours))]
}
