import type { BorderDirection } from '../../config/border-direction.ts'
import { DAY_MS, HOUR_MS } from '../../config/domain.ts'
import type { Warehouse } from '../storage/warehouse.ts'
import type { BorderBacktest, BorderForecast } from './snapshot/border-types.ts'

interface ForecastRow {
  iata: string
  direction: BorderDirection
  model: string
  valid_at: string
  p10: number
  p50: number
  p90: number
  samples: number
}

/** The newest border forecast of each airport and direction that reaches the current hour, from that hour on. */
export async function borderForecasts(warehouse: Warehouse, now: number): Promise<BorderForecast[]> {
  const start_ms = Math.floor(now / HOUR_MS) * HOUR_MS
  const day = new Date(start_ms - 2 * DAY_MS).toISOString().slice(0, 10)
  const rows = await warehouse.query<ForecastRow>(
    `SELECT iata, direction, model, valid_at, p10, p50, p90, samples FROM forecasts
     WHERE kind = 'immigration' AND date >= $day AND valid_at >= $from::TIMESTAMPTZ
     QUALIFY issued_at = max(issued_at) OVER (PARTITION BY iata, direction) ORDER BY iata, direction, valid_at`,
    { day, from: new Date(start_ms).toISOString() },
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
