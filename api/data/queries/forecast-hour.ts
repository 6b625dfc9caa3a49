import { HOUR_MS } from '../../../config/domain.ts'
import type { ForecastSeries } from '../../../warehouse/serving/published/forecasts.ts'

export interface ForecastHour {
  wait_minutes: number
  low: number
  high: number
  /** Fraction between 0 and 1. */
  confidence: number
}

const fromTenths = (tenths: number) => Math.max(0, Math.round(tenths / 10))

/** The forecast of the hour that starts at `start` (epoch ms), in whole minutes; null outside the series. */
export function hourAt(series: ForecastSeries, start: number): ForecastHour | null {
  const index = (start - series.start_ms) / HOUR_MS
  const p50 = series.p50[index]
  if (p50 === undefined) return null
  return {
    wait_minutes: fromTenths(p50),
    low: fromTenths(series.p10[index]!),
    high: fromTenths(series.p90[index]!),
    confidence: series.confidence[index]! / 100,
  }
}
