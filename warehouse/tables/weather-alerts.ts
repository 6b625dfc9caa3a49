import { z } from 'zod'
import { AlertSeverity } from '../../config/vocabulary.ts'
import * as c from './columns.ts'
import { column, defineTable, type Row } from './define.ts'

/** Weather alerts of the US National Weather Service, as each list had them. */
export const weatherAlerts = defineTable({
  name: 'weather_alerts',
  about:
    'Weather alerts of the US National Weather Service that change travel plans, as each national list had them; an alert that is missing from the newest list, or that a later message of it replaces or cancels, is over.',
  owner: 'pipeline',
  retention: 'readings',
  columns: {
    source: c.source,
    alert_id: c.text('Id of the message; an update has an id of its own.'),
    event: c.text('Kind of alert as published, e.g. Winter Storm Warning.'),
    severity: column(AlertSeverity.nullable(), 'Extreme, Severe, Moderate, Minor or Unknown, as published.'),
    urgency: c.maybeText('Urgency as published.'),
    certainty: c.maybeText('Certainty as published.'),
    onset: c.maybeInstant('When the weather is expected to begin.'),
    ends: c.maybeInstant('When the weather is expected to end; null when the message does not say.'),
    expires: c.maybeInstant(
      'When the message lapses unless it is renewed; this says nothing of the end of the weather.',
    ),
    headline: c.maybeText('Headline as published.'),
    area: c.maybeText('The area in words, as published.'),
    zones: column(z.array(z.string()), 'Codes of the forecast zones (NYZ178) and counties (NYC081) that it is for.'),
    observed_at: c.instant('When the list was made; the fetch time where it does not say.'),
    fetched_at: c.fetched_at,
    available_at: c.available_at,
    capture_id: c.capture_id,
  },
  key: ['source', 'alert_id', 'observed_at'],
  sort: ['observed_at', 'alert_id'],
  age: 'observed_at',
})

/** The zones of the US National Weather Service in which airports lie. */
export const weatherZones = defineTable({
  name: 'weather_zones',
  about:
    'Forecast zone and county of the US National Weather Service in which an airport lies: one row an airport and request. An airport that has a row is not requested again.',
  owner: 'pipeline',
  retention: 'rollups',
  columns: {
    source: c.source,
    iata: c.iata,
    forecast_zone: c.maybeText('Code of the forecast zone, e.g. NYZ178; null when the point has none.'),
    county_zone: c.maybeText('Code of the county, e.g. NYC081; null when the point has none.'),
    fetched_at: c.fetched_at,
    available_at: c.available_at,
    capture_id: c.capture_id,
  },
  key: ['source', 'iata', 'fetched_at'],
  sort: ['iata'],
  age: 'fetched_at',
})

export type WeatherAlertRow = Row<typeof weatherAlerts>
export type ParsedWeatherAlert = Omit<WeatherAlertRow, 'source' | 'fetched_at' | 'available_at' | 'capture_id'>
type WeatherZone = Row<typeof weatherZones>
export type ParsedWeatherZone = Omit<WeatherZone, 'source' | 'fetched_at' | 'available_at' | 'capture_id'>
