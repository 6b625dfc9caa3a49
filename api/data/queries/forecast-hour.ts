import { HOUR_MS } from '../../../config/domain.ts'
import type { ForecastSeries } from '../../../warehouse/serving/published/forecasts.ts'

/** The forecast of one hour, in whole minutes. */
export interface ForecastHour {
  wait_minutes: number
  low: number
  high: number
  /** Fraction between 0 and 1. */
  confidence: number
}

/** The quantiles of the forecast hour that contains an instant, in tenths of a minute; null outside the series. */
export function quantilesAt(series: ForecastSeries, instant: number): { p10: number; p50: number; p90: number } | null {
  const index = Math.floor((instant - series.start_ms) / HOUR_MS)
  const p50 = series.p50[index]
  return p50 === undefined ? null : { p10: series.p10[index]!, p50, p90: series.p90[index]! }
}

/** Tenths of a minute as whole minutes, never negative. */
export const minutesFromTenths = (tenths: number) => Math.max(0, Math.round(tenths / 10))

/** The forecast of the hour that contains an instant (epoch ms); null outside the series. */
export function forecastHourAt(series: ForecastSeries, instant: number): ForecastHour | null {
  const quantiles = quantilesAt(series, instant)
  if (!quantiles) return null
  return {
    wait_minutes: minutesFromTenths(quantiles.p50),
    low: minutesFromTenths(quantiles.p10),
    high: minutesFromTenths(quantiles.p90),
    confidence: series.confidence[Math.floor((instant - series.start_ms) / HOUR_MS)]! / 100,
  }
}
