import { type AirportSize, HOUR_MS } from '../../config/vocabulary.ts'
import { adjustedHour, type ForecastBasis, type HourForecast } from './assimilate.ts'
import type { OwnNowcast, SharedNowcast } from './coefficients.ts'
import { nowcastOf } from './nowcast.ts'
import { type Recent, recentAt } from './nowcast-inputs.ts'
import type { NowcastSeries } from './series.ts'
import { levelAt, typicalWaitAt } from './usual-waits.ts'

/** The input of a queue's nowcast. */
export interface NowcastSource {
  series: NowcastSeries
  own: OwnNowcast | null
  shared: SharedNowcast
}

/**
 * Hours ahead up to which the nowcast alone serves, and from which on the forecast does: a forecast from own history knows the
 * later hours better, the worldwide prior never does.
 */
const SHARES = {
  predicted: { full: 1, none: 6 },
  typical: { full: 6, none: 24 },
} as const satisfies Record<ForecastBasis, unknown>

/** The hours of a forecast from `start_ms` on, the next of them by the nowcast; later ones go over into the forecast. */
export function withNowcast(
  hours: readonly HourForecast[],
  start_ms: number,
  now: number,
  basis: ForecastBasis,
  { series, own, shared }: NowcastSource,
): HourForecast[] {
  const recent = recentAt(series, now)
  if (!recent) return [...hours]
  const { full, none } = SHARES[basis]
  return hours.map((hour, ahead) => {
    const from = Math.max(now, start_ms + ahead * HOUR_MS)
    const middle = (from + start_ms + (ahead + 1) * HOUR_MS) / 2
    const lead = (middle - now) / HOUR_MS
    if (lead < 0 || lead >= none) return hour
    const nowcast = nowcastOf(series, recent, middle, shared, own, 'hour')
    const share = Math.min(1, (none - lead) / (none - full))
    const between = (name: 'p10' | 'p50' | 'p90') => hour[name] + share * (nowcast[name] - hour[name])
    const confidence =
      hour.confidence === null ? null : hour.confidence + share * (nowcast.confidence - hour.confidence)
    return { p10: between('p10'), p50: between('p50'), p90: between('p90'), confidence }
  })
}

/**
 * Observed periods of ten minutes without which the nowcast does not serve: the forecast of an airport's own model knows its day
 * better. For an airport on the prior, the carried deviation was as good or better up to 12 periods, and the nowcast better from
 * then on (1.84 against 2.26 minutes 15 minutes ahead, 2.91 against 3.33 six hours ahead, over the first days of all historical
 * sets).
 */
const MIN_SLOTS = { predicted: 144, typical: 12 } as const

/** Whether enough of a queue is known for a nowcast. */
export const isNowcastKnown = (series: NowcastSeries, issued_ms: number, basis: ForecastBasis): boolean =>
  levelAt(series, issued_ms).slots >= MIN_SLOTS[basis]

/** The worldwide prior of an instant, with the deviation of the newest wait carried forward. */
export function carriedPrior(airport: { size: AirportSize; timezone: string }, recent: Recent, valid_ms: number) {
  const expected = typicalWaitAt(airport, recent.observed_ms)
  const { p10, p50, p90 } = typicalWaitAt(airport, valid_ms)
  const lead_hours = (valid_ms - recent.observed_ms) / HOUR_MS
  return adjustedHour({ p10, p50, p90, confidence: null }, lead_hours, recent.last, expected.p50, 'typical')
}

/** Hours that the nowcast can have changed. */
export const nowcastHours = (basis: ForecastBasis): number => SHARES[basis].none + 1
