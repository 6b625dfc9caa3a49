import type { BorderDirection } from '../../../config/border-direction.ts'
import { getOrCreate } from '../../../config/once.ts'
import { DAY_MS, HOUR_MS, startOfHour, utcDayOf } from '../../../config/vocabulary.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { backtests, forecasts } from '../../tables/forecasts.ts'
import {
  type BorderBacktest,
  type BorderForecast,
  type BorderForecastsContent,
  type BorderHour,
  keyOf,
} from '../read/border-forecasts.ts'
import { defineGathered } from './define-gathered.ts'

export const gatherBorderForecasts = defineGathered({
  gather: async ({ warehouse, now }): Promise<BorderForecastsContent> => ({
    // These tables change once an hour, and there are many publications in it.
    border_forecasts: await warehouse.remembered(
      'border forecasts',
      [forecasts, backtests],
      Math.floor(now / HOUR_MS),
      () => newestBorderForecasts(warehouse, now),
    ),
  }),
})

interface ForecastRow extends BorderHour {
  iata: string
  terminal: string
  direction: BorderDirection | null
  model: string
  valid_at: string
}

/** The newest border forecast of each queue that reaches the current hour, from that hour on. */
export async function newestBorderForecasts(warehouse: Warehouse, now: number): Promise<BorderForecast[]> {
  const start_ms = startOfHour(now)
  const day = utcDayOf(start_ms - 2 * DAY_MS)
  const rows = await warehouse.query<ForecastRow>(
    `SELECT iata, terminal, direction, model, valid_at, p10, p50, p90, samples, p_within_5 AS confidence FROM forecasts
     WHERE kind = 'immigration' AND date >= $day AND valid_at >= $from::TIMESTAMPTZ AND issued_at <= $now::TIMESTAMPTZ
     QUALIFY issued_at = max(issued_at) OVER (PARTITION BY iata, terminal, direction)
     ORDER BY iata, terminal, direction, valid_at`,
    { day, from: new Date(start_ms).toISOString(), now: new Date(now).toISOString() },
  )
  const cards = await borderModels(warehouse, day)
  const byQueue = new Map<string, BorderForecast>()
  for (const { iata, terminal, direction, model: version, valid_at, ...hour } of rows) {
    const card = cards.get(nameOf(version))
    const forecast = getOrCreate(
      byQueue,
      keyOf(iata, { direction, terminal }),
      (): BorderForecast => ({
        iata,
        terminal,
        direction,
        basis: 'predicted',
        version,
        trained_at: card?.trained_at ?? null,
        start_ms,
        hours: [],
        backtest: card?.backtest ?? NO_BACKTEST,
        note: null,
      }),
    )
    const ahead = (Date.parse(valid_at) - start_ms) / HOUR_MS
    while (forecast.hours.length < ahead) forecast.hours.push(null)
    forecast.hours.push(hour)
  }
  return [...byQueue.values()]
}

/** A version without the contender that serves: the backtest of a model is that of whatever it serves. */
const nameOf = (version: string) => version.slice(version.indexOf(':') + 1)

const NO_BACKTEST: BorderBacktest = {
  mae_minutes: null,
  baseline_mae_minutes: null,
  coverage_80: null,
  within_5: null,
  samples: 0,
}

/** A model serves until the next training, which may fail for some days. */
const MODEL_DAYS = 14

/** When the models of border forecasts were made and how they did, by the name of their version. */
async function borderModels(
  warehouse: Warehouse,
  day: string,
): Promise<Map<string, { trained_at: string; backtest: BorderBacktest }>> {
  const from = utcDayOf(Date.parse(day) - MODEL_DAYS * DAY_MS)
  const rows = await warehouse.query<BorderBacktest & { model: string; trained_at: string }>(
    `SELECT model, trained_at, coalesce(served_mae_minutes, mae_minutes, baseline_mae_minutes) AS mae_minutes, baseline_mae_minutes, coverage_80, within_5, samples FROM backtests
     WHERE kind = 'immigration' AND date >= $from`,
    { from },
  )
  return new Map(rows.map(({ model, trained_at, ...backtest }) => [nameOf(model), { trained_at, backtest }]))
}
