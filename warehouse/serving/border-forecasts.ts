import type { Airport } from '../../config/airports/directory.ts'
import { type BorderDirection, borderDirection } from '../../config/border-direction.ts'
import { DAY_MS } from '../../config/domain.ts'
import { isSchengenAirport } from '../../config/reference/schengen-airports.ts'
import type { Warehouse } from '../storage/warehouse.ts'
import { BACKTEST_DAYS, borderForecast, type ObservedHour, TRAILING_DAYS } from './border-forecast.ts'
import type { BorderForecast } from './snapshot/border-types.ts'

interface Row {
  iata: string
  terminal: string
  checkpoint: string
  hour: string
  available_at: string
  mean: number
  samples: number
}

interface Series {
  iata: string
  direction: BorderDirection
  observed: ObservedHour[]
}

/** The hours of each direction: the mean over all readings of its queues, known once the last of them was. */
export function borderSeries(rows: readonly Row[]): Series[] {
  const series = new Map<string, Map<string, Row[]>>()
  for (const row of rows) {
    const name = `${row.iata} ${borderDirection(row.terminal, row.checkpoint)}`
    const hours = series.get(name) ?? new Map<string, Row[]>()
    hours.set(row.hour, [...(hours.get(row.hour) ?? []), row])
    series.set(name, hours)
  }
  return [...series].map(([name, hours]) => {
    const [iata = '', direction] = name.split(' ') as [string, BorderDirection]
    return { iata, direction, observed: [...hours.values()].map(hourOf) }
  })
}

function hourOf(rows: Row[]): ObservedHour {
  const samples = rows.reduce((sum, row) => sum + row.samples, 0)
  return {
    start_ms: Date.parse(rows[0]!.hour),
    available_ms: Math.max(...rows.map(({ available_at }) => Date.parse(available_at))),
    minutes: rows.reduce((sum, row) => sum + row.mean * row.samples, 0) / samples,
  }
}

/** Border forecasts of the Schengen airports whose border queues were observed, from their own hours only. */
export async function borderForecasts(
  warehouse: Warehouse,
  airports: readonly Airport[],
  now: number,
): Promise<BorderForecast[]> {
  const schengen = new Map(airports.filter(isSchengenAirport).map(({ iata, timezone }) => [iata, timezone]))
  const from = new Date(now - (TRAILING_DAYS + BACKTEST_DAYS + 1) * DAY_MS).toISOString()
  const rows = await warehouse.query<Row>(
    `SELECT iata, terminal, checkpoint, hour, available_at, mean, samples FROM rollups
     WHERE kind = 'immigration' AND level = 'lane' AND lane IN ('standard', 'all') AND date >= $day
       AND hour >= $from::TIMESTAMPTZ AND list_contains(string_split($schengen, ','), iata)
     ORDER BY iata, hour, terminal, checkpoint`,
    { day: from.slice(0, 10), from, schengen: [...schengen.keys()].join(',') },
  )
  return borderSeries(rows).flatMap((series) => borderForecast(series, schengen.get(series.iata)!, now) ?? [])
}
