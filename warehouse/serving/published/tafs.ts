import { DAY_MS } from '../../../config/domain.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import type { Sky } from './weather.ts'

/** One period of a TAF: what is forecast from then on, or a change to it. */
export interface TafPeriod extends Sky {
  from: string
  to: string
  /** Null for what holds in the main; TEMPO and PROB are for a while, or perhaps. */
  change: 'FM' | 'BECMG' | 'TEMPO' | 'PROB' | null
  probability: number | null
}

/** The newest terminal aerodrome forecast of a station. */
export interface TafForecast {
  icao: string
  issued_at: string
  valid_from: string
  valid_to: string
  raw: string
  source: string
  periods: TafPeriod[]
}

type Row = TafPeriod & Pick<TafForecast, 'icao' | 'issued_at' | 'raw' | 'source'>

/** The newest TAF of each station that is valid at `now` (epoch ms), its periods in order; valid at most 30 hours. */
export async function tafViews(warehouse: Warehouse, now: number): Promise<TafForecast[]> {
  const from = new Date(now - 2 * DAY_MS).toISOString()
  const rows = await warehouse.query<Row>(
    `SELECT icao, issued_at, raw, source, period_from AS "from", period_to AS "to", change, probability, flight_category,
       wind_direction_deg, wind_kt, wind_gust_kt, visibility_sm, ceiling_ft, weather
     FROM tafs WHERE date >= $day AND issued_at > $from::TIMESTAMPTZ AND issued_at <= $now::TIMESTAMPTZ
     QUALIFY dense_rank() OVER (PARTITION BY icao ORDER BY issued_at DESC, raw DESC) = 1
     ORDER BY icao, "from", change NULLS FIRST, probability`,
    { day: from.slice(0, 10), from, now: new Date(now).toISOString() },
  )
  const views = new Map<string, TafForecast>()
  for (const { icao, issued_at, raw, source, ...period } of rows) {
    const view = views.get(icao) ?? {
      icao,
      issued_at,
      valid_from: period.from,
      valid_to: period.to,
      raw,
      source,
      periods: [],
    }
    if (period.to > view.valid_to) view.valid_to = period.to
    view.periods.push(period)
    views.set(icao, view)
  }
  return [...views.values()].filter(({ valid_to }) => Date.parse(valid_to) > now)
}
