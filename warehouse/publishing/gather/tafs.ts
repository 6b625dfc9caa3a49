import { getOrCreate } from '../../../config/once.ts'
import { DAY_MS } from '../../../config/vocabulary.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import type { TafForecast, TafPeriod, TafsContent } from '../read/tafs.ts'
import { defineGathered } from './define-gathered.ts'

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
