import { DAY_MS, HOUR_MS } from '../../config/vocabulary.ts'
import { horizonHours } from '../../forecasting/features/features.ts'
import type { HourlySeries } from '../../forecasting/features/hourly-series.ts'
import { prepareSeries } from '../../forecasting/features/profile.ts'
import { opponentsAt, TREND_DAYS } from '../../forecasting/opponents/opponents.ts'
import type { Forecast } from '../../warehouse/tables/forecasts.ts'
import { hoursFrom } from '../history/hourly-series.ts'

/** The forecasts of a subject with what the rules from elsewhere say of the same hours, to the hundredth of a minute; `group` are its series. */
export function withOpponents(
  forecasts: readonly Forecast[],
  group: readonly HourlySeries[],
  issued_ms: number,
): Forecast[] {
  const valid_ms = horizonHours(issued_ms)
  const rules = new Map(
    group.map((series) => {
      const recent = hoursFrom(series, issued_ms - TREND_DAYS * DAY_MS)
      return [series.terminal, opponentsAt(prepareSeries(recent), issued_ms, valid_ms)]
    }),
  )
  return forecasts.map((row) => {
    const opponents = rules.get(row.terminal)
    const ahead = (Date.parse(row.valid_at) - valid_ms[0]!) / HOUR_MS
    return {
      ...row,
      persistence_p50: opponents ? hundredths(opponents.persistence[ahead]!) : null,
      trend_p50: opponents ? hundredths(opponents.trend[ahead]!) : null,
    }
  })
}

/** Medians that are compared afterwards are stored to the hundredth of a minute, which takes a fifth of the space. */
export const hundredths = (minutes: number) => Math.round(minutes * 100) / 100
