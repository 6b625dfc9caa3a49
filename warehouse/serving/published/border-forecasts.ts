import type { BorderDirection } from '../../../config/border-direction.ts'
import { DAY_MS, HOUR_MS } from '../../../config/domain.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { definePublished } from './define.ts'

/** An hour of a border forecast, in minutes to the tenth. */
export interface BorderHour {
  p10: number
  p50: number
  p90: number
  /** Observed hours that the quantiles are taken from. */
  samples: number
}

/** Scores of the same rule over the last seven days; null when no forecast hour was observed. */
export interface BorderBacktest {
  mae_minutes: number | null
  /** Fraction of the observed hours between p10 and p90. */
  coverage_80: number | null
  /** Fraction of the observed hours within 5 minutes of p50. */
  within_5: number | null
  samples: number
}

/** Forecast of the border queues of an airport that lead in one direction. */
export interface BorderForecast {
  iata: string
  direction: BorderDirection
  /** e.g. baseline:ZRH/entry@2026-11-21T14Z */
  version: string
  /** Start of the first hour, epoch milliseconds. */
  start_ms: number
  /** One entry an hour; null where the local hour was observed on too few days. */
  hours: (BorderHour | null)[]
  backtest: BorderBacktest
}

export interface BorderForecastsContent {
  border_forecasts: BorderForecast[]
}

export interface BorderForecastsReader {
  /** Forecast of the border queues in one direction; null where too few hours of them were observed. */
  borderForecast: (iata: string, direction: BorderDirection) => BorderForecast | null
}

export const borderForecasts = definePublished({
  gather: async ({ warehouse, now }): Promise<BorderForecastsContent> => ({
    border_forecasts: await newestBorderForecasts(warehouse, now),
  }),
  // Snapshots from before 2026-11-22 have no border forecasts.
  absent: { border_forecasts: [] },
  index: ({ border_forecasts }) => ({
    borderForecastByQueue: new Map(border_forecasts.map((one) => [`${one.iata}/${one.direction}`, one])),
  }),
  read: (index: { borderForecastByQueue: ReadonlyMap<string, BorderForecast> }): BorderForecastsReader => ({
    borderForecast: (iata, direction) => index.borderForecastByQueue.get(`${iata}/${direction}`) ?? null,
  }),
})

interface ForecastRow extends BorderHour {
  iata: string
  direction: BorderDirection
  model: string
  valid_at: string
}

/** The newest border forecast of each airport and direction that reaches the current hour, from that hour on. */
export async function newestBorderForecasts(warehouse: Warehouse, now: number): Promise<BorderForecast[]> {
  const start_ms = Math.floor(now / HOUR_MS) * HOUR_MS
  const day = new Date(start_ms - 2 * DAY_MS).toISOString().slice(0, 10)
  const rows = await warehouse.query<ForecastRow>(
    `SELECT iata, direction, model, valid_at, p10, p50, p90, samples FROM forecasts
     WHERE kind = 'immigration' AND date >= $day AND valid_at >= $from::TIMESTAMPTZ AND issued_at <= $now::TIMESTAMPTZ
     QUALIFY issued_at = max(issued_at) OVER (PARTITION BY iata, direction) ORDER BY iata, direction, valid_at`,
    { day, from: new Date(start_ms).toISOString(), now: new Date(now).toISOString() },
  )
  const backtests = await borderBacktests(warehouse, day)
  const forecasts = new Map<string, BorderForecast>()
  for (const { iata, direction, model: version, valid_at, ...hour } of rows) {
    const forecast = forecasts.get(version) ?? {
      iata,
      direction,
      version,
      start_ms,
      hours: [],
      backtest: backtests.get(version) ?? NO_BACKTEST,
    }
    const ahead = (Date.parse(valid_at) - start_ms) / HOUR_MS
    while (forecast.hours.length < ahead) forecast.hours.push(null)
    forecast.hours.push(hour)
    forecasts.set(version, forecast)
  }
  return [...forecasts.values()]
}

const NO_BACKTEST: BorderBacktest = { mae_minutes: null, coverage_80: null, within_5: null, samples: 0 }

/** Backtests of border forecasts made since a UTC day, by version. */
async function borderBacktests(warehouse: Warehouse, day: string): Promise<Map<string, BorderBacktest>> {
  const rows = await warehouse.query<BorderBacktest & { model: string }>(
    `SELECT model, baseline_mae_minutes AS mae_minutes, coverage_80, within_5, samples FROM backtests
     WHERE kind = 'immigration' AND date >= $day`,
    { day },
  )
  return new Map(rows.map(({ model, ...backtest }) => [model, backtest]))
}
