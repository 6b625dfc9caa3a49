import { DAY_MS, HOUR_MS, isoUtc } from '../config/domain.ts'
import { openWarehouse, type Warehouse } from '../warehouse/storage/warehouse.ts'
import { backtests, type Forecast, forecasts } from '../warehouse/tables/forecasts.ts'
import { type Rollup, rollups } from '../warehouse/tables/rollups.ts'
import { backtest, forecast, rollup } from './warehouse/test-rows.ts'

/** The present of the archive: Saturday 21 November 2026, 14:20 UTC. It holds three forecast runs of JFK and five days of observed hours. */
export const ARCHIVE_NOW = Date.parse('2026-11-21T14:20:00Z')
const HOUR = Math.floor(ARCHIVE_NOW / HOUR_MS) * HOUR_MS

interface ForecastRun {
  issued_ms: number
  model: string
  /** The median in minutes of its first hour; it rises by a minute per hour for nine hours, then starts again. */
  minutes: number
}
/** Issued seven seconds past the hour, as scheduled predictions are. */
export const FORECAST_RUNS: ForecastRun[] = [
  { issued_ms: HOUR - 3 * DAY_MS + 7_000, model: 'baseline:JFK@2026-11-18T04Z', minutes: 10 },
  { issued_ms: HOUR - DAY_MS + 7_222, model: 'model:JFK@2026-11-20T04Z', minutes: 20 },
  { issued_ms: HOUR + 7_000, model: 'model:JFK@2026-11-21T04Z', minutes: 30 },
]

const forecastRows = ({ issued_ms, model, minutes }: ForecastRun): Forecast[] =>
  ['', 'T4'].flatMap((terminal, k) =>
    Array.from({ length: 168 }, (_, hour) => {
      const p50 = minutes + (hour % 10) + 40 * k
      const valid_ms = Math.floor(issued_ms / HOUR_MS) * HOUR_MS + hour * HOUR_MS
      return forecast(issued_ms, valid_ms, p50, { terminal, model, p10: p50 - 5, p90: p50 + 9.26, p_within_5: 0.734 })
    }),
  )

/** Observed hours of the last five days. Most are available when they end, every fifth one five hours later, one two days later. */
export const OBSERVED_HOURS: Rollup[] = Array.from({ length: 5 * 24 }, (_, back) => back + 1).flatMap((back) => {
  const hour = HOUR - back * HOUR_MS
  let late = back % 5 === 0 ? 5 * HOUR_MS : 0
  if (back === 60) late = 2 * DAY_MS
  return (['airport', 'terminal'] as const).map((level, k) =>
    rollup(hour, 10 + (back % 7) + 20 * k, {
      level,
      terminal: k === 0 ? '' : 'T4',
      available_at: isoUtc(hour + HOUR_MS + late),
      p50: 9,
      p90: 15,
      max: 18,
      samples: 12,
      source: back % 7 === 0 ? 'crowd' : 'panynj',
    }),
  )
})

/** Opens a warehouse with these rows in a folder. The newest model has no backtest. */
export async function openArchiveWarehouse(folder: string): Promise<Warehouse> {
  const warehouse = await openWarehouse(folder)
  for (const issue of FORECAST_RUNS) await warehouse.land(forecasts, forecastRows(issue))
  await warehouse.land(rollups, OBSERVED_HOURS)
  const older = {
    model: 'model:JFK@2026-11-18T04Z',
    trained_at: '2026-11-18T04:00:00Z',
    served: 'baseline',
    served_mae_minutes: 4.1,
  } as const
  await warehouse.land(backtests, [backtest({}), backtest(older)])
  return warehouse
}
