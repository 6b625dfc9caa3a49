import type { HourForecast } from '../../../config/assimilation/assimilate.ts'
import { HOUR_MS } from '../../../config/domain.ts'
import type { OwnNowcast, SharedNowcast } from '../../../config/nowcast/learned.ts'
import { recentAt } from './inputs.ts'
import { nowcastOf } from './nowcast.ts'
import type { NowcastSeries } from './series.ts'

/** What the nowcast of a queue is made from. */
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
} as const
export type NowcastBasis = keyof typeof SHARES

/** The hours of a forecast from `start_ms` on, the next of them by the nowcast; later ones go over into the forecast. */
export function withNowcast(
  hours: readonly HourForecast[],
  start_ms: number,
  now: number,
  basis: NowcastBasis,
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
    const nowcast = nowcastOf(series, recent, middle, shared, own)
    const share = Math.min(1, (none - lead) / (none - full))
    const between = (name: 'p10' | 'p50' | 'p90') => hour[name] + share * (nowcast[name] - hour[name])
    const confidence =
      hour.confidence === null ? null : hour.confidence + share * (nowcast.confidence - hour.confidence)
    return { p10: between('p10'), p50: between('p50'), p90: between('p90'), confidence }
  })
}

/** Hours that the nowcast can have changed. */
export const nowcastHours = (basis: NowcastBasis): number => SHARES[basis].none + 1
