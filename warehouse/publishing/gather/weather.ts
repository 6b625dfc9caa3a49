import { EXPIRY_SECONDS, freshnessOf } from '../../../config/vocabulary.ts'
import type { WeatherContent, WeatherReport } from '../read/weather.ts'
import { defineGathered } from './define-gathered.ts'

export const gatherWeather = defineGathered({
  gather: async ({ warehouse, now }): Promise<WeatherContent> => {
    const from = new Date(now - EXPIRY_SECONDS * 1_000).toISOString()
    const rows = await warehouse.query<Omit<WeatherReport, 'age_seconds' | 'freshness'>>(
      `SELECT icao, observed_at, flight_category, wind_direction_deg, wind_kt, wind_gust_kt, visibility_sm, visibility_bound,
         ceiling_ft, coalesce(ceiling_known, ceiling_ft IS NOT NULL) AS ceiling_known, temperature_c, dewpoint_c, weather, raw, source
       FROM metars WHERE date >= $day AND observed_at > $from::TIMESTAMPTZ
       QUALIFY row_number() OVER (PARTITION BY icao ORDER BY observed_at DESC, fetched_at DESC,
         regexp_matches(raw, '\\b(COR|CC[A-Z])\\b') DESC) = 1 ORDER BY icao`,
      { day: from.slice(0, 10), from },
    )
    const reports = rows.map((row) => {
      const age = Math.max(0, Math.round((now - Date.parse(row.observed_at)) / 1_000))
      return { ...row, age_seconds: age, freshness: freshnessOf(age) }
    })
    return { weather: reports }
  },
})
