import { HOUR_MS } from '../../config/vocabulary.ts'
import { covariance, type Kernel } from '../gaussian-process/gaussian-process.ts'
import { ADDED_MINUTES, kernelAroundUsual, RECENT_KERNEL } from '../gaussian-process/log-waits.ts'
import { probabilityAt } from '../quantiles/probability-by-spread.ts'
import { clamp } from '../statistics/statistics.ts'
import { nowcastCoefficients } from './coefficients.ts'

/** A forecast hour, in minutes. */
export interface HourForecast {
  p10: number
  p50: number
  p90: number
  /** Probability of being within 5 minutes of p50; null if nothing is known of it. */
  confidence: number | null
}

/** The newest wait of a queue, as it is shown. */
export interface NewestWait {
  observed_ms: number
  wait_minutes: number
  /** `reported`: travellers' reports are in it. */
  basis: 'measured' | 'reported'
}

/** The knowledge behind a forecast: `typical` the worldwide prior alone, `predicted` the queue's own hours up to the last one. */
export type ForecastBasis = 'typical' | 'predicted'

/** The version that the record of adjustments names. */
export const ASSIMILATION_VERSION = 'process@2026-11-26'

const allDaysKernel = ({ components, noise }: Kernel): Kernel => ({
  components: components.filter(({ days }) => days === 'all'),
  noise,
})

/**
 * The uncertainty of the logarithm of a wait when a reading comes: without own hours the airport's level against the usual one,
 * with them the last days and hours alone. Weekdays are left out: one reading hardly distinguishes them.
 */
const UNKNOWN: Record<ForecastBasis, Kernel> = {
  typical: allDaysKernel(kernelAroundUsual({ level: 2, time_of_day: 1.2, hour: 0.6 })),
  predicted: RECENT_KERNEL,
}

/** From the first lead on, the adjusted forecast fades into the issued one, which it equals from the second lead on. */
const FADING_HOURS = [24, 48] as const
/** A reading deviates by at most this factor. */
const MAX_RATIO = 8
/** One reading says little of how hours and days differ, so that an interval keeps this part of its width. */
const MIN_WIDTH = 0.65
/** Nothing is known about how well travellers' reports foretell, so half of their deviation counts and the interval keeps both. */
const REPORTED_SHARE = 0.5

/** The correlation of a reading with the wait some hours later, as far as the forecast knows neither. */
function correlation(basis: ForecastBasis, lead_hours: number): number {
  const kernel = UNKNOWN[basis]
  return covariance(kernel, 0, lead_hours % 24, lead_hours) / (covariance(kernel, 0, 0, 0) + kernel.noise)
}

/**
 * The forecast of consecutive hours from `start_ms` on, adjusted to the newest wait; `expected_minutes` is the issued median of
 * the hour in which that wait was observed. It is what a Gaussian process expects after the reading: the deviation is carried
 * forward and fades with the time from the observation to the middle of the hour, so an older reading counts less, and the
 * reading makes the interval narrower. p10 ≤ p50 ≤ p90 and none is below zero.
 */
export function assimilate(
  issued: readonly HourForecast[],
  start_ms: number,
  expected_minutes: number,
  newest: NewestWait,
  basis: ForecastBasis,
): HourForecast[] {
  return issued.map((hour, ahead) => {
    const lead_hours = (start_ms + (ahead + 0.5) * HOUR_MS - newest.observed_ms) / HOUR_MS
    const adjusted = adjustedHour(hour, lead_hours, newest.wait_minutes, expected_minutes, basis)
    return newest.basis === 'reported' ? halfTrusted(hour, adjusted) : adjusted
  })
}

/** One hour, adjusted to a wait that was observed `lead_hours` before its middle. */
export function adjustedHour(
  hour: HourForecast,
  lead_hours: number,
  wait_minutes: number,
  expected_minutes: number,
  basis: ForecastBasis,
): HourForecast {
  const [from, to] = FADING_HOURS
  const remaining = clamp((to - lead_hours) / (to - from), 0, 1)
  if (remaining === 0) return hour
  const weight = remaining * correlation(basis, Math.max(0, lead_hours))
  const deviation = (wait_minutes + ADDED_MINUTES) / (expected_minutes + ADDED_MINUTES)
  const ratio = clamp(deviation, 1 / MAX_RATIO, MAX_RATIO) ** weight
  const moved = (minutes: number) => Math.max(0, (minutes + ADDED_MINUTES) * ratio - ADDED_MINUTES)
  const width = Math.max(MIN_WIDTH, Math.sqrt(1 - weight ** 2))
  const p50 = moved(hour.p50)
  const p10 = p50 - width * (p50 - moved(hour.p10))
  const p90 = p50 + width * (moved(hour.p90) - p50)
  if (hour.confidence === null) return { p10, p50, p90, confidence: null }
  const widthProbability = probabilityAt(nowcastCoefficients().shared.within_5, p90 - p10)
  const share = weight / correlation(basis, 0)
  return { p10, p50, p90, confidence: hour.confidence + share * (widthProbability - hour.confidence) }
}

function halfTrusted(issued: HourForecast, adjusted: HourForecast): HourForecast {
  return {
    p10: Math.min(issued.p10, adjusted.p10),
    p50: issued.p50 + REPORTED_SHARE * (adjusted.p50 - issued.p50),
    p90: Math.max(issued.p90, adjusted.p90),
    confidence:
      issued.confidence === null || adjusted.confidence === null
        ? null
        : Math.min(issued.confidence, adjusted.confidence),
  }
}
