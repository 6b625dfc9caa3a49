import { getOrCreate } from '../../../config/once.ts'
import { ageOf, DAY_MS, EXPIRY_SECONDS } from '../../../config/vocabulary.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import {
  Sky,
  type TafForecast,
  type TafPeriod,
  type TafsContent,
  type WeatherContent,
  type WeatherReport,
} from '../read/weather.ts'
import { defineGathered } from './define-gathered.ts'

/** The columns of `Sky`, which both tables have. Rows of earlier releases do not say whether the ceiling is known. */
const SKY = Object.keys(Sky.shape)
  .join(', ')
  .replace('ceiling_known', 'coalesce(ceiling_known, ceiling_ft IS NOT NULL) AS ceiling_known')

export const gatherWeather = defineGathered({
  gather: async ({ warehouse, now }): Promise<WeatherContent> => {
    const from = new Date(now - EXPIRY_SECONDS * 1_000).toISOString()
    const rows = await warehouse.query<Omit<WeatherReport, 'age_seconds' | 'freshness'>>(
      `SELECT icao, observed_at, ${SKY}, temperature_c, dewpoint_c, raw, source FROM metars
       WHERE date >= $day AND observed_at > $from::TIMESTAMPTZ
       QUALIFY row_number() OVER (PARTITION BY icao ORDER BY observed_at DESC, fetched_at DESC,
         regexp_matches(raw, '\\b(COR|CC[A-Z])\\b') DESC) = 1 ORDER BY icao`,
      { day: from.slice(0, 10), from },
    )
    return { weather: rows.map((row) => ({ ...row, ...ageOf(row.observed_at, now) })) }
  },
})

/** Whether a forecast was cancelled: then the one before it is not valid any more either. */
const isCancelled = (raw: string) => /(^| )CNL(=| |$)/.test(raw)

type TafRow = TafPeriod & Pick<TafForecast, 'icao' | 'issued_at' | 'raw' | 'source'>

export const gatherTafs = defineGathered({
  gather: async ({ warehouse, now }): Promise<TafsContent> => ({ tafs: await newestTafs(warehouse, now) }),
})

/** The newest TAF of each station that is valid at `now` (epoch ms), periods in order. A TAF is valid for at most 30 hours. */
export async function newestTafs(warehouse: Warehouse, now: number): Promise<TafForecast[]> {
  const from = new Date(now - 2 * DAY_MS).toISOString()
  const rows = await warehouse.query<TafRow>(
    `SELECT icao, issued_at, raw, source, period_from AS "from", period_to AS "to", change, probability, ${SKY} FROM tafs
     WHERE date >= $day AND issued_at > $from::TIMESTAMPTZ AND issued_at <= $now::TIMESTAMPTZ
     QUALIFY dense_rank() OVER (PARTITION BY icao ORDER BY issued_at DESC, raw DESC) = 1
     ORDER BY icao, "from", change NULLS FIRST, probability`,
    { day: from.slice(0, 10), from, now: new Date(now).toISOString() },
  )
  const forecasts = new Map<string, TafForecast>()
  for (const { icao, issued_at, raw, source, ...period } of rows) {
    const forecast = getOrCreate(forecasts, icao, () => ({
      icao,
      issued_at,
      valid_from: period.from,
      valid_to: period.to,
      raw,
      source,
      periods: [],
    }))
    if (period.to > forecast.valid_to) forecast.valid_to = period.to
    forecast.periods.push(period)
  }
  return [...forecasts.values()].filter(({ valid_to, raw }) => Date.parse(valid_to) > now && !isCancelled(raw))
}
