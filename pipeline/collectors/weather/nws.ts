import { z } from 'zod'
import { ParseError } from '../../../config/errors.ts'
import { isObject } from '../../../config/json-object.ts'
import { alertEvent, hasWeatherAlerts } from '../../../config/reference/weather-alerts.ts'
import { AlertSeverity } from '../../../config/vocabulary.ts'
import type { Notice } from '../../../warehouse/tables/notices.ts'
import type { ParsedWeatherAlert } from '../../../warehouse/tables/weather-alerts.ts'
import type { AirportCircle, Collector, ParseContext } from '../../parsing/collector.ts'
import { FieldReader } from '../../parsing/fields.ts'
import { Anything, readJson, textOf } from '../../parsing/json.ts'
import { jsonRequest } from '../../parsing/requests.ts'

/** The US National Weather Service: its list of active alerts, and the zones in which airports lie. */

/** Each alert has some kilobytes of text: on a bad day, when it matters most, the list is larger than other answers may be. */
const MAX_BYTES = 25 * 1_048_576

const GEOJSON = { Accept: 'application/geo+json' }
/** The code of a forecast zone (NYZ178) or a county (NYC081), which may end the address of the zone. */
const ZONE = /(?:^|\/)([A-Z]{2}[CZ]\d{3})$/
/** Some alerts are for every zone of a state, a hundred or two. */
const MAX_ZONES = 1_000

const zoneOf = (value: unknown) => ZONE.exec(textOf(value))?.[1] ?? null

const Alerts = z.object({ features: z.array(z.unknown()), updated: Anything })

/** A message of the list that is about the weather and no test, with what names its text. */
interface Message {
  fields: FieldReader
  id: string
  type: string
}

function messageOf(feature: unknown, index: number, notices: Notice[]): Message | null {
  const outer = new FieldReader(isObject(feature) ? feature : {}, `features[${index}]`, null, notices)
  const properties = outer.row.properties
  const fields = isObject(properties) ? outer.nested('properties', properties) : null
  const id = fields?.text('id') ?? null
  if (fields === null || id === null)
    return outer.warning('row_unreadable', 'The row is not an alert with an id; it is left out.', feature)
  // Tests and exercises are sent through the same list.
  return fields.row.status === 'Actual' ? { fields, id, type: textOf(fields.row.messageType) } : null
}

/** The ids of the messages that a later message updates or cancels. */
function replacedIds(messages: readonly Message[]): Set<string> {
  return new Set(
    messages
      .filter(({ type }) => type === 'Update' || type === 'Cancel')
      .flatMap(({ id, fields }) => {
        const { references } = fields.row
        const ids = Array.isArray(references)
          ? references.map((reference) => (isObject(reference) ? reference.identifier : null))
          : []
        return ids.filter((other) => typeof other === 'string' && other !== id) as string[]
      }),
  )
}

/** The codes of the zones and counties of an alert: both lists of the message name them. */
function zonesOf({ row }: FieldReader): string[] {
  const codes = isObject(row.geocode) && Array.isArray(row.geocode.UGC) ? row.geocode.UGC : []
  const addresses = Array.isArray(row.affectedZones) ? row.affectedZones : []
  return [...new Set([...codes, ...addresses].flatMap((value) => zoneOf(value) ?? []))].slice(0, MAX_ZONES)
}

function alertOf({ fields, id }: Message, observed_at: string): ParsedWeatherAlert | null {
  const event = fields.text('event')
  if (event === null) return fields.warning('row_unreadable', 'The alert names no event; it is left out.', id)
  const severity = fields.read('severity', (text) => AlertSeverity.safeParse(text).data ?? null)
  if (alertEvent(event) === undefined && severity !== 'Extreme') return null
  const zones = zonesOf(fields)
  if (zones.length === 0)
    return fields.warning('row_without_zone', 'The alert names no zone and no county; it is left out.', id)
  const [ends, expires] = [fields.instant('ends'), fields.instant('expires')]
  if (ends === null && expires === null)
    return fields.warning('row_without_period', 'The alert says neither when it ends nor when it lapses.', id)
  return {
    alert_id: id,
    event,
    severity,
    urgency: fields.text('urgency'),
    certainty: fields.text('certainty'),
    onset: fields.instant('onset'),
    ends,
    expires,
    headline: fields.text('headline'),
    area: fields.text('areaDesc'),
    zones,
    observed_at,
  }
}

function parseAlerts(body: string, { fetched_at }: ParseContext) {
  const answer = readJson(body, Alerts)
  const notices: Notice[] = []
  const updated = new FieldReader({ updated: answer.updated }, '$', null, notices).instant('updated')
  const observed_at = updated !== null && Date.parse(updated) <= Date.parse(fetched_at) ? updated : fetched_at
  const messages = answer.features.flatMap((feature, index) => messageOf(feature, index, notices) ?? [])
  const replaced = replacedIds(messages)
  const alerts = new Map<string, ParsedWeatherAlert>()
  for (const message of messages) {
    const { id, type, fields } = message
    if (type === 'Cancel' || replaced.has(id)) continue
    const alert = alertOf(message, observed_at)
    if (alert === null) continue
    if (alerts.has(id)) fields.warning('duplicate_row', 'The alert comes twice; the first is used.', id)
    else alerts.set(id, alert)
  }
  return { readings: [...alerts.values()], notices, observed_at }
}

/**
 * All active alerts of the country in one answer. Updates and cancellations are messages of their own in it, so it is requested whole:
 * a list of first messages alone would lack every alert that was updated.
 */
export const nwsAlerts: Collector<'weather_alerts'> = {
  id: 'nws-alerts',
  lands: 'weather_alerts',
  transport: 'http',
  request: ({ source }) => [{ ...jsonRequest(source.url, null, GEOJSON), max_bytes: MAX_BYTES }],
  parse: parseAlerts,
}

const Point = z.object({ properties: z.object({ forecastZone: z.unknown(), county: z.unknown() }) })

/** The service redirects a point with more than four decimals, or with zeros at the end. */
const degrees = (value: number) => String(Number(value.toFixed(4)))

const pointUrl = (url: string, { latitude, longitude }: AirportCircle) =>
  `${url}/${degrees(latitude)},${degrees(longitude)}`

/** The forecast zone and the county of an airport, by its coordinates: each airport is requested once. */
export const nwsZones: Collector<'weather_zones'> = {
  id: 'nws-zones',
  lands: 'weather_zones',
  transport: 'http',
  rotation: { airports_per_run: 10, includes: hasWeatherAlerts, once: true },
  request: ({ source, airports_due = [] }) =>
    airports_due.map((airport) => jsonRequest(pointUrl(source.url, airport), airport.iata, GEOJSON)),
  parse: (body, { iata }) => {
    if (iata === null) throw new ParseError('$', 'the airport of the request is not known')
    const { forecastZone, county } = readJson(body, Point).properties
    if (forecastZone === undefined && county === undefined)
      throw new ParseError('properties', 'has neither forecastZone nor county')
    const notices: Notice[] = []
    const fields = new FieldReader({ forecastZone, county }, 'properties', iata, notices)
    const forecast_zone = fields.read('forecastZone', zoneOf)
    const county_zone = fields.read('county', zoneOf)
    return { readings: [{ iata, forecast_zone, county_zone }], notices }
  },
}
