import { HOUR_MS } from '../../../config/domain.ts'
import type { ForecastSeries } from '../../../warehouse/serving/published/forecasts.ts'

/** The forecast of one hour, in whole minutes. */
export interface ForecastHour {
  wait_minutes: number
  low: number
  high: number
  /** Fraction between 0 and 1; null when the forecast was never compared with what happened. */
  confidence: number | null
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
    confidence: confidenceAt(series, instant),
  }
}

/** A forecast without a backtest has no evidence for a confidence, whatever number was stored with it. */
function confidenceAt({ model, confidence, start_ms }: ForecastSeries, instant: number): number | null {
  if (model.backtest.samples === 0) return null
  return confidence[Math.floor((instant - start_ms) / HOUR_MS)]! / 100
}
