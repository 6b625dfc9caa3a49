import { z } from 'zod'
import { Instant } from '../../../config/answer-schemas.ts'
import { TafChange } from '../../../config/vocabulary.ts'
import { definePublished } from './define-published.ts'
import { Sky } from './weather.ts'

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
