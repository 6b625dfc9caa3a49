import { HOUR_MS, type QueueStatus } from '../../config/vocabulary.ts'
import type { ForecastSeries } from '../../warehouse/publishing/read/forecasts.ts'
import { openStatus, UNKNOWN_OPEN } from '../../warehouse/publishing/waits/learned-hours.ts'

/** Whether the queue is expected to be open in a forecast hour. */
interface ForecastStatus {
  status: QueueStatus
  /** Fraction between 0 and 1; null when nothing is known of the hours of the queue. */
  open_probability: number | null
}

interface HourMinutes {
  wait_minutes: number
  low: number
  high: number
  /** Fraction between 0 and 1; null when the forecast was never compared with observed waits. */
  confidence: number | null
}

/** The forecast of one hour, in whole minutes; an hour in which the queue is closed has none. */
export type ForecastHour = ForecastStatus & (HourMinutes | { [Name in keyof HourMinutes]: null })

/** The forecast of an hour in which the queue is not expected to be closed. */
export type OpenHour = ForecastStatus & HourMinutes

export const isOpenHour = (hour: ForecastHour): hour is OpenHour => hour.wait_minutes !== null

/**
 * The quantiles of the forecast hour that contains an instant, in tenths of a minute; null outside the series and in an
 * hour in which the queue is closed.
 */
export function quantilesAt(series: ForecastSeries, instant: number): { p10: number; p50: number; p90: number } | null {
  const index = Math.floor((instant - series.start_ms) / HOUR_MS)
  const p50 = series.p50[index]
  if (p50 === undefined || openStatus(series.open[index]) === 'closed') return null
  return { p10: series.p10[index]!, p50, p90: series.p90[index]! }
}

/** Tenths of a minute as whole minutes, never negative. */
export const minutesFromTenths = (tenths: number) => Math.max(0, Math.round(tenths / 10))

/** The forecast of the hour that contains an instant (epoch ms); null outside the series. */
export function forecastHourAt(series: ForecastSeries, instant: number): ForecastHour | null {
  const index = Math.floor((instant - series.start_ms) / HOUR_MS)
  if (series.p50[index] === undefined) return null
  const percent = series.open[index] ?? UNKNOWN_OPEN
  const status = openStatus(percent)
  const open_probability = percent === UNKNOWN_OPEN ? null : percent / 100
  const quantiles = quantilesAt(series, instant)
  if (!quantiles) return { status, open_probability, wait_minutes: null, low: null, high: null, confidence: null }
  return {
    status,
    open_probability,
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
