import type { FlightCategory, Freshness } from '../../../config/domain.ts'
import { EXPIRY_SECONDS, freshnessOf } from '../../../config/domain.ts'
import type { Warehouse } from '../../storage/warehouse.ts'

export interface WeatherReport {
  icao: string
  observed_at: string
  flight_category: FlightCategory | null
  wind_direction_deg: number | null
  wind_kt: number | null
  wind_gust_kt: number | null
  visibility_sm: number | null
  ceiling_ft: number | null
  temperature_c: number | null
  dewpoint_c: number | null
  weather: string | null
  raw: string
  source: string
  age_seconds: number
  freshness: Freshness
}

/** Sky as a report or a forecast has it. */
export type Sky = Pick<
  WeatherReport,
  'flight_category' | 'wind_direction_deg' | 'wind_kt' | 'wind_gust_kt' | 'visibility_sm' | 'ceiling_ft' | 'weather'
>

/** The newest METAR of each station within six hours of `now` (epoch ms). */
export async function weatherViews(warehouse: Warehouse, now: number): Promise<WeatherReport[]> {
  const from = new Date(now - EXPIRY_SECONDS * 1_000).toISOString()
  const rows = await warehouse.query<Omit<WeatherReport, 'age_seconds' | 'freshness'>>(
    `SELECT icao, observed_at, flight_category, wind_direction_deg, wind_kt, wind_gust_kt, visibility_sm, ceiling_ft,
       temperature_c, dewpoint_c, weather, raw, source
     FROM metars WHERE date >= $day AND observed_at > $from::TIMESTAMPTZ
     QUALIFY row_number() OVER (PARTITION BY icao ORDER BY observed_at DESC, fetched_at DESC) = 1 ORDER BY icao`,
    { day: from.slice(0, 10), from },
  )
  return rows.map((row) => {
    const age = Math.max(0, Math.round((now - Date.parse(row.observed_at)) / 1_000))
    return { ...row, age_seconds: age, freshness: freshnessOf(age) }
  })
}
