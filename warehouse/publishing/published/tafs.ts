import { z } from 'zod'
import { DAY_MS, TafChange } from '../../../config/domain.ts'
import { Instant } from '../../../config/facts.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { definePublished } from './define.ts'
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

export interface TafsIndex {
  tafByStation: ReadonlyMap<string, TafForecast>
}

export interface TafsReader {
  /** The newest TAF of a station; null when its validity has ended. */
  taf: (icao: string | null) => TafForecast | null
}

/** Whether a forecast was cancelled: then the one before it is not valid any more either. */
const isCancelled = (raw: string) => /(^| )CNL(=| |$)/.test(raw)

type TafRow = TafPeriod & Pick<TafForecast, 'icao' | 'issued_at' | 'raw' | 'source'>

export const tafs = definePublished({
  gather: async ({ warehouse, now }): Promise<TafsContent> => ({ tafs: await newestTafs(warehouse, now) }),
  // Snapshots from before 2026-11-22 have no TAFs.
  absent: { tafs: [] },
  index: ({ tafs: forecasts }): TafsIndex => ({
    tafByStation: new Map(forecasts.map((forecast) => [forecast.icao, forecast])),
  }),
  read: ({ tafByStation }: TafsIndex, { atMs }): TafsReader => ({
    taf(icao) {
      const forecast = icao ? tafByStation.get(icao) : undefined
      return forecast && atMs < Date.parse(forecast.valid_to) ? forecast : null
    },
  }),
})

/** The newest TAF of each station that is valid at `now` (epoch ms), periods in order. A TAF is valid for at most 30 hours. */
export async function newestTafs(warehouse: Warehouse, now: number): Promise<TafForecast[]> {
  const from = new Date(now - 2 * DAY_MS).toISOString()
  const rows = await warehouse.query<TafRow>(
    `SELECT icao, issued_at, raw, source, period_from AS "from", period_to AS "to", change, probability, flight_category,
       wind_direction_deg, wind_kt, wind_gust_kt, visibility_sm, visibility_bound, ceiling_ft,
       coalesce(ceiling_known, ceiling_ft IS NOT NULL) AS ceiling_known, weather
     FROM tafs WHERE date >= $day AND issued_at > $from::TIMESTAMPTZ AND issued_at <= $now::TIMESTAMPTZ
     QUALIFY dense_rank() OVER (PARTITION BY icao ORDER BY issued_at DESC, raw DESC) = 1
     ORDER BY icao, "from", change NULLS FIRST, probability`,
    { day: from.slice(0, 10), from, now: new Date(now).toISOString() },
  )
  const forecasts = new Map<string, TafForecast>()
  for (const { icao, issued_at, raw, source, ...period } of rows) {
    const forecast = forecasts.get(icao) ?? {
      icao,
      issued_at,
      valid_from: period.from,
      valid_to: period.to,
      raw,
      source,
      periods: [],
    }
    if (period.to > forecast.valid_to) forecast.valid_to = period.to
    forecast.periods.push(period)
    forecasts.set(icao, forecast)
  }
  return [...forecasts.values()].filter(({ valid_to, raw }) => Date.parse(valid_to) > now && !isCancelled(raw))
}
