import { getOrCreate } from '../../../config/once.ts'
import { alertEvent, hasWeatherAlerts } from '../../../config/reference/weather-alerts.ts'
import { landedText } from '../../../config/untrusted-text.ts'
import { AlertEffect } from '../../../config/vocabulary.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import type { WeatherAlertRow } from '../../tables/weather-alerts.ts'
import { alertUntil, type WeatherAlert, type WeatherAlertsContent } from '../read/weather-alerts.ts'
import { defineGathered } from './define-gathered.ts'
import { goodRuns, provenanceOf } from './delays.ts'

const EFFECTS = AlertEffect.options
const LIST = 'nws-alerts'
/** Longest headline in an answer. */
const MAX_HEADLINE_CHARACTERS = 200

export const gatherWeatherAlerts = defineGathered({
  async gather({ warehouse, airports, sources, now }): Promise<WeatherAlertsContent> {
    if (!sources.some(({ id, active }) => id === LIST && active)) return { weather_alerts: null }
    const zones = await zonesOfAirports(warehouse)
    const served = airports.filter(hasWeatherAlerts).map(({ iata }) => iata)
    const [run = null] = await goodRuns(warehouse, now, LIST)
    const rows = run === null ? [] : await alertsOfList(warehouse, run.observed_at)
    const byZone = new Map<string, WeatherAlertRow[]>()
    for (const row of rows) for (const zone of row.zones) getOrCreate(byZone, zone, () => []).push(row)
    const covered = served.filter((iata) => zones.has(iata))
    const by_airport: Record<string, WeatherAlert[]> = {}
    for (const iata of covered) {
      const own = new Set((zones.get(iata) ?? []).flatMap((zone) => byZone.get(zone) ?? []))
      const alerts = sortedAlerts([...own].map(alertOf)).filter((alert) => now < alertUntil(alert))
      if (alerts.length > 0) by_airport[iata] = alerts
    }
    const pending = served.filter((iata) => !zones.has(iata))
    return { weather_alerts: { by_airport, covered, pending, list: provenanceOf(run, now) } }
  },
})

/** The forecast zone and the county of each airport that has one, by its newest answer: an alert may name either. */
async function zonesOfAirports(warehouse: Warehouse): Promise<Map<string, string[]>> {
  const rows = await warehouse.query<{ iata: string; forecast_zone: string | null; county_zone: string | null }>(
    `SELECT iata, forecast_zone, county_zone FROM weather_zones
     QUALIFY row_number() OVER (PARTITION BY iata ORDER BY fetched_at DESC) = 1`,
  )
  return new Map(
    rows.flatMap(({ iata, forecast_zone, county_zone }) => {
      const zones = [forecast_zone, county_zone].filter((zone) => zone !== null)
      return zones.length === 0 ? [] : [[iata, zones] as const]
    }),
  )
}

const alertsOfList = (warehouse: Warehouse, observed_at: string) =>
  warehouse.query<WeatherAlertRow>(
    `SELECT * EXCLUDE (date) FROM weather_alerts
     WHERE date = $day AND source = $source AND observed_at = $at::TIMESTAMPTZ ORDER BY alert_id`,
    { day: observed_at.slice(0, 10), source: LIST, at: observed_at },
  )

function alertOf({ event, severity, onset, ends, expires, headline }: WeatherAlertRow): WeatherAlert {
  return {
    event,
    effect: alertEvent(event)?.effect ?? null,
    severity,
    onset,
    ends,
    // A row has at least one of the two.
    message_expires: expires ?? ends ?? '',
    headline: headline === null ? null : landedText(headline, MAX_HEADLINE_CHARACTERS),
  }
}

/** An alert of no listed kind is rated extreme: it comes behind the kinds that stop flights. */
const STOPPING = EFFECTS.indexOf('stops')

/** The alerts in the order in which they change plans, each kind and time once. */
function sortedAlerts(alerts: readonly WeatherAlert[]): WeatherAlert[] {
  const place = ({ event, effect }: WeatherAlert): [number, number] => {
    const rank = alertEvent(event)?.rank ?? Number.MAX_SAFE_INTEGER
    return [effect === null ? STOPPING : EFFECTS.indexOf(effect), rank]
  }
  const sorted = alerts.toSorted((a, b) => {
    const [[effectA, rankA], [effectB, rankB]] = [place(a), place(b)]
    return effectA - effectB || rankA - rankB || (a.onset ?? '').localeCompare(b.onset ?? '')
  })
  const known = new Set<string>()
  return sorted.filter(({ event, onset, ends }) => {
    const key = JSON.stringify([event, onset, ends])
    return !known.has(key) && known.add(key)
  })
}
