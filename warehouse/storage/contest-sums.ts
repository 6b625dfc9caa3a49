import { DAY_MS, isoUtc } from '../../config/vocabulary.ts'
import type { Warehouse } from './warehouse.ts'

/** How a forecaster from elsewhere did at an airport beside the airport's own model: sums over the same forecast hours. */
export interface ContestSums {
  forecaster: string
  iata: string
  /** Forecast hours, each of one issue, and the observed hours that they are about. */
  samples: number
  hours: number
  error_minutes: number
  model_error_minutes: number
  /** Forecast hours within 5 minutes of its median. */
  within_5: number
}

/** The days that decide who serves. */
const CONTEST_DAYS = 28

/** The forecasters from elsewhere with forecasts of these days by airport, from the first import on, and how many of their forecasts are of hours that have not begun. */
export const readImported = (warehouse: Warehouse, now: number) =>
  warehouse.query<{ forecaster: string; iata: string; open_forecasts: number }>(
    `SELECT forecaster, iata, count(*) FILTER (WHERE valid_at > $now::TIMESTAMPTZ)::DOUBLE AS open_forecasts
     FROM outside_forecasts WHERE valid_at >= $from::TIMESTAMPTZ GROUP BY ALL ORDER BY iata, forecaster`,
    { from: isoUtc(now - CONTEST_DAYS * DAY_MS), now: isoUtc(now) },
  )

/**
 * The contests of these days, the best of an airport first. They compare the medians of forecasts that were issued in the same
 * hour for the same hour. Only what was imported before its hour began counts: later its wait may have been known.
 */
export const contestSums = (warehouse: Warehouse, now: number): Promise<ContestSums[]> =>
  warehouse.query<ContestSums>(
    `WITH outside AS (
      SELECT forecaster, iata, date_trunc('hour', issued_at) AS issue, valid_at, arg_max(p50, issued_at) AS p50
      FROM outside_forecasts WHERE valid_at >= $from::TIMESTAMPTZ AND available_at <= valid_at GROUP BY ALL
    ), own AS (
      SELECT iata, date_trunc('hour', issued_at) AS issue, valid_at, arg_max(model_p50, issued_at) AS p50
      FROM forecasts WHERE kind = 'security' AND terminal = '' AND model_p50 IS NOT NULL AND valid_at >= $from::TIMESTAMPTZ GROUP BY ALL
    ), truth AS (
      SELECT iata, hour, mean FROM rollups
      WHERE kind = 'security' AND level = 'airport' AND hour >= $from::TIMESTAMPTZ AND available_at <= $now::TIMESTAMPTZ
    )
    SELECT forecaster, o.iata, count(*)::DOUBLE AS samples, count(DISTINCT o.valid_at)::DOUBLE AS hours,
      sum(abs(mean - o.p50)) AS error_minutes, sum(abs(mean - w.p50)) AS model_error_minutes,
      count(*) FILTER (WHERE abs(mean - o.p50) <= 5)::DOUBLE AS within_5
    FROM outside o JOIN own w USING (iata, issue, valid_at) JOIN truth t ON t.iata = o.iata AND t.hour = o.valid_at
    GROUP BY ALL ORDER BY o.iata, error_minutes / model_error_minutes, forecaster`,
    { from: isoUtc(now - CONTEST_DAYS * DAY_MS), now: isoUtc(now) },
  )
