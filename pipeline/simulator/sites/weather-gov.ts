import { type Airport, airportDirectory } from '../../../config/airports/directory.ts'
import { hasWeatherAlerts } from '../../../config/reference/weather-alerts.ts'
import { HOUR_MS, isoUtc } from '../../../config/vocabulary.ts'
import { hashOf } from '../model/noise.ts'
import { type Storm, stormsBetween } from '../model/storms.ts'
import { filled, timeSlots } from './feed.ts'
import type { Slots } from './payload.ts'
import { json, minuteOf, type Site } from './site.ts'

/** How far ahead the simulated service warns. */
const AHEAD_MS = 12 * HOUR_MS
/** A message lapses after this time unless it is renewed. */
const MESSAGE_MS = 8 * HOUR_MS

/** The US National Weather Service: zones of the airports of the directory, and alerts of the storms over them. */
export const weatherGov: Site = {
  hosts: ['api.weather.gov'],
  answer: ({ path }, { queues, now }) => {
    const minute_ms = minuteOf(now)
    if (path === '/alerts/active')
      return filled('nws-alerts.json', { ...timeSlots(minute_ms), alerts: alertsAt(queues.seed, minute_ms) })
    const [, latitude, longitude] = /^\/points\/(-?[\d.]+),(-?[\d.]+)$/.exec(path) ?? []
    if (latitude === undefined || longitude === undefined) return null
    const airport = served().find((candidate) => isAt(candidate, Number(latitude), Number(longitude)))
    if (airport === undefined) return json({ title: 'Data Unavailable For Requested Point', status: 404 }, 404)
    return filled('nws-point.json', { zone: zoneOf(airport, 'Z'), county: zoneOf(airport, 'C') })
  },
}

const served = () => airportDirectory().all.filter(hasWeatherAlerts)

const isAt = (airport: Airport, latitude: number, longitude: number) =>
  Math.abs(airport.latitude - latitude) < 1e-4 && Math.abs(airport.longitude - longitude) < 1e-4

/** An invented zone: two letters of the region or country, and a number. */
function zoneOf({ iata, region, country }: Airport, kind: 'Z' | 'C'): string {
  const letters = /^[A-Z]{2}-([A-Z]{2})$/.exec(region ?? '')?.[1] ?? country
  return `${letters}${kind}${String(1 + (hashOf(`zone ${iata}`) % 998)).padStart(3, '0')}`
}

type Kind = readonly [event: string, severity: string]

/** The alert for a storm; null for one that is not worth any. */
function kindOf({ kind, peak, start }: Storm, ms: number): Kind | null {
  if (kind === 'snow or ice') {
    if (peak > 0.85) return ['Blizzard Warning', 'Extreme']
    return peak > 0.5 ? ['Winter Storm Warning', 'Severe'] : ['Winter Weather Advisory', 'Moderate']
  }
  if (kind === 'wind') return peak > 0.7 ? ['High Wind Warning', 'Severe'] : ['Wind Advisory', 'Moderate']
  if (kind === 'low ceilings') return peak > 0.5 ? ['Dense Fog Advisory', 'Minor'] : null
  if (peak <= 0.6) return null
  return start <= ms ? ['Severe Thunderstorm Warning', 'Severe'] : ['Severe Thunderstorm Watch', 'Severe']
}

const alertsAt = (seed: number, ms: number): Slots[] =>
  served().flatMap((airport) =>
    stormsBetween(seed, airport.iata, airport.latitude, ms, ms + AHEAD_MS).flatMap((storm) => {
      const kind = kindOf(storm, ms)
      return kind === null ? [] : [alertSlots(airport, storm, kind, ms)]
    }),
  )

/** The slots of an alert. The service does not say when fog ends. */
function alertSlots(airport: Airport, storm: Storm, [event, severity]: Kind, ms: number): Slots {
  const { iata } = airport
  return {
    id: `urn:oid:simulated.${iata}.${storm.start / 1_000}.${hashOf(event) % 1_000}`,
    iata,
    zone: zoneOf(airport, hashOf(`named by ${iata}`) % 2 === 0 ? 'Z' : 'C'),
    event,
    severity,
    starts: timeSlots(storm.start).utc,
    lapses: timeSlots(Math.min(storm.end, Math.max(ms, storm.start) + MESSAGE_MS)).utc,
    end_text: event === 'Dense Fog Advisory' ? null : isoUtc(storm.end),
  }
}
