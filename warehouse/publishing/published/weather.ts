import { z } from 'zod'
import { EXPIRY_SECONDS, FlightCategory, Freshness, freshnessOf, VisibilityBound } from '../../../config/domain.ts'
import { Instant } from '../../../config/facts.ts'
import { definePublished } from './define.ts'
import { isUnexpired } from './read-time.ts'

const amount = z.number().nullable()

/** The part of the weather that METARs and TAFs share. */
export const Sky = z.strictObject({
  flight_category: FlightCategory.nullable(),
  wind_direction_deg: amount,
  wind_kt: amount,
  wind_gust_kt: amount,
  visibility_sm: amount,
  visibility_bound: VisibilityBound.nullable().default(null).describe('P6SM: more_than; null: exact.'),
  ceiling_ft: amount,
  ceiling_known: z.boolean().default(false).describe('True with `ceiling_ft` null: no ceiling.'),
  weather: z.string().nullable(),
})
export type Sky = z.infer<typeof Sky>

/** The newest METAR of a station. */
export const WeatherReport = z.strictObject({
  icao: z.string(),
  observed_at: Instant,
  ...Sky.shape,
  temperature_c: amount,
  dewpoint_c: amount,
  weather: Sky.shape.weather.describe('Present weather as coded in the METAR.'),
  raw: z.string().describe('The METAR as transmitted.'),
  source: z.string(),
  age_seconds: z.number().min(0),
  freshness: Freshness,
})
export type WeatherReport = z.infer<typeof WeatherReport>

export interface WeatherContent {
  weather: WeatherReport[]
}

export interface WeatherIndex {
  weatherByStation: ReadonlyMap<string, WeatherReport>
}

export interface WeatherReader {
  /** The newest METAR of a station; null when it is older than six hours. */
  weather: (icao: string | null) => WeatherReport | null
}

export const weather = definePublished({
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
  index: ({ weather: reports }): WeatherIndex => ({
    weatherByStation: new Map(reports.map((report) => [report.icao, report])),
  }),
  read: ({ weatherByStation }: WeatherIndex, { aged }): WeatherReader => ({
    weather(icao) {
      const published = icao ? weatherByStation.get(icao) : undefined
      const report = published && aged(published)
      return report && isUnexpired(report) ? report : null
    },
  }),
})
