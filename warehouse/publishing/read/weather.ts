import { z } from 'zod'
import { Instant } from '../../../config/answer-schemas.ts'
import { FlightCategory, Freshness, TafChange, VisibilityBound } from '../../../config/vocabulary.ts'
import { definePublished } from './define-published.ts'
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

export const weather = definePublished({
  index: ({ weather: reports }: WeatherContent): WeatherIndex => ({
    weatherByStation: new Map(reports.map((report) => [report.icao, report])),
  }),
  read: ({ weatherByStation }: WeatherIndex, { aged }) => ({
    /** The newest METAR of a station; null when it is older than six hours. */
    weather(icao: string | null) {
      const published = icao ? weatherByStation.get(icao) : undefined
      const report = published && aged(published)
      return report && isUnexpired(report) ? report : null
    },
  }),
})

/** One period of a TAF: the forecast from then on, or a change to it. */
export const TafPeriod = z.strictObject({
  from: Instant,
  to: Instant,
  change: TafChange.nullable().describe(
    'Null: the base; FM: from then on; BECMG: becoming; TEMPO, INTER: at times; PROB: perhaps.',
  ),
  probability: z.number().nullable().describe('Percent, of a PROB period.'),
  ...Sky.shape,
})
export type TafPeriod = z.infer<typeof TafPeriod>

/** The newest terminal aerodrome forecast of a station. */
export const TafForecast = z.strictObject({
  icao: z.string(),
  issued_at: Instant,
  valid_from: Instant,
  valid_to: Instant,
  raw: z.string().describe('The TAF as transmitted.'),
  source: z.string(),
  periods: z.array(TafPeriod),
})
export type TafForecast = z.infer<typeof TafForecast>

export interface TafsContent {
  tafs: TafForecast[]
}

export const tafs = definePublished({
  index: ({ tafs: forecasts }: TafsContent) => ({
    tafByStation: new Map(forecasts.map((forecast) => [forecast.icao, forecast])),
  }),
  read: ({ tafByStation }: { tafByStation: ReadonlyMap<string, TafForecast> }, { atMs }) => ({
    /** The newest TAF of a station; null when its validity has ended. */
    taf(icao: string | null) {
      const forecast = icao ? tafByStation.get(icao) : undefined
      return forecast && atMs < Date.parse(forecast.valid_to) ? forecast : null
    },
  }),
})
