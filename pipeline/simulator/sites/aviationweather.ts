import { type Airport, airportDirectory } from '../../../config/airports/directory.ts'
import { HOUR_MS, MINUTE_MS, startOfHour } from '../../../config/vocabulary.ts'
import { hashOf, uniform } from '../model/noise.ts'
import { categoryOf, type Sky, skyAt } from '../model/sky.ts'
import { stormAt, stormsBetween } from '../model/storms.ts'
import { filled, timeSlots } from './feed.ts'
import type { Slots } from './payload.ts'
import { type Site, text } from './site.ts'

/** The real service returns at most this many rows per request. */
const MAX_ROWS = 400

const REPORTS: Record<string, [payload: string, report: typeof metarOf]> = {
  '/api/data/metar': ['awc-metar.json', metarOf],
  '/api/data/taf': ['awc-taf.json', tafOf],
}

/** METARs and TAFs of any airport of the directory. Unknown stations are omitted; without any station the answer is a 204. */
export const aviationweather: Site = {
  hosts: ['aviationweather.gov'],
  answer: ({ path, query }, { queues, now }) => {
    const [payload, report] = REPORTS[path] ?? []
    if (payload === undefined || report === undefined) return null
    if (query.get('format') !== 'json') return text('error: only format=json is simulated', 400)
    const ids = (query.get('ids') ?? '').toUpperCase().split(/[\s,]+/)
    const known = [...new Set(ids.flatMap((id) => airportDirectory().byIcao.get(id) ?? []))].slice(0, MAX_ROWS)
    const reports = known.map((airport) => report(queues.seed, airport, now))
    return reports.length === 0 ? text('', 204) : filled(payload, { reports })
  },
}

/** A report reaches the service this long after it was observed. */
const DELIVERY_MS = 4 * MINUTE_MS
const SIX_HOURS_MS = 6 * HOUR_MS
const TAF_LENGTH_MS = 30 * HOUR_MS

/** The slots of the newest METAR of an airport at an instant, in the schema of the Aviation Weather Center since September 2025. */
function metarOf(seed: number, airport: Airport, ms: number): Slots {
  const minute = 50 + Math.floor(7 * uniform(hashOf(`${seed} metar ${airport.iata}`), 0))
  const observed = startOfHour(ms - DELIVERY_MS - minute * MINUTE_MS) + minute * MINUTE_MS
  const sky = skyOver(seed, airport, observed)
  const metric = isMetric(airport.country)
  const pressure = metric
    ? `Q${Math.floor(sky.pressure_hpa)} NOSIG`
    : `A${Math.round(sky.pressure_hpa * 2.953)} RMK AO2`
  return {
    ...stationSlots(airport),
    ...skySlots(sky, metric, '10SM'),
    observed: timeSlots(observed).utc,
    observed_s: observed / 1_000,
    received: timeSlots(observed + 3.4 * MINUTE_MS).utc,
    reported: timeSlots(Math.round(observed / HOUR_MS) * HOUR_MS).utc,
    pressure,
    cover: sky.clouds.at(-1)?.cover ?? 'CLR',
    category: categoryOf(sky),
  }
}

/** The slots of the newest TAF of an airport at an instant. */
function tafOf(seed: number, airport: Airport, ms: number): Slots {
  const from = Math.floor((ms + 40 * MINUTE_MS) / SIX_HOURS_MS) * SIX_HOURS_MS
  const to = from + TAF_LENGTH_MS
  const starts = [from, ...changesOf(seed, airport, from)]
  const periods = starts.map((start, index): Slots => {
    const end = starts[index + 1] ?? to
    const sky = skyOver(seed, airport, start + Math.min(HOUR_MS, (end - start) / 2))
    const change = index === 0 ? null : 'FM'
    return { ...skySlots(sky, isMetric(airport.country), 'P6SM'), ...periodSlots(start, end), change }
  })
  // A TAF that ends at midnight ends at hour 24 of the day before.
  const last = timeSlots(to - HOUR_MS).utc as (format: string) => string
  const last_hour = `${last('dd')}${String(Number(last('HH')) + 1).padStart(2, '0')}`
  const issued = timeSlots(from - 40 * MINUTE_MS).utc
  return { ...stationSlots(airport), ...periodSlots(from, to), issued, last_hour, periods }
}

/** When the weather of a TAF changes: a storm begins, is strongest, or ends. The simulated forecaster is never wrong. */
function changesOf(seed: number, airport: Airport, from: number): number[] {
  const storms = stormsBetween(seed, airport.iata, airport.latitude, from, from + TAF_LENGTH_MS)
  const hours = storms
    .flatMap(({ start, end }) => [start, start + (end - start) * 0.2, end])
    .map((instant) => Math.round(instant / HOUR_MS) * HOUR_MS)
    .filter((instant) => instant > from && instant < from + TAF_LENGTH_MS)
  return [...new Set(hours)].sort((a, b) => a - b)
}

const skyOver = (seed: number, airport: Airport, ms: number): Sky =>
  skyAt(seed, airport, stormAt(seed, airport.iata, airport.latitude, ms), ms)

const periodSlots = (from: number, to: number): Slots => ({
  from: timeSlots(from).utc,
  from_s: from / 1_000,
  to_s: to / 1_000,
})

const stationSlots = ({ icao, latitude, longitude, elevation_ft, city, name, country }: Airport): Slots => ({
  icao,
  latitude,
  longitude,
  elevation_m: Math.round((elevation_ft ?? 0) * 0.3048),
  city: city ?? name,
  country,
})

const FRACTIONS: Record<string, string> = { '0.5': '1/2', '1.5': '1 1/2' }
const padded = (value: number, length: number) => String(value).padStart(length, '0')

/** The slots of a sky: its values, and its groups of a report. `over` is the code for a visibility of ten miles or more. */
function skySlots(sky: Sky, metric: boolean, over: string): Slots {
  const { wind_direction_deg, wind_kt, wind_gust_kt, visibility_sm, clouds, temperature_c, dewpoint_c } = sky
  const gust = wind_gust_kt === null ? '' : `G${padded(wind_gust_kt, 2)}`
  const meters = visibility_sm >= 7 ? '9999' : padded(Math.round((visibility_sm * 1_609) / 100) * 100, 4)
  const miles = visibility_sm >= 10 ? over : `${FRACTIONS[visibility_sm] ?? visibility_sm}SM`
  const signed = (value: number) => `${value < 0 ? 'M' : ''}${padded(Math.abs(value), 2)}`
  return {
    ...sky,
    clouds: clouds.map((cloud) => ({ ...cloud })),
    ten_or_more: visibility_sm >= 10 ? '10+' : null,
    six_or_more: visibility_sm >= 7 ? '6+' : null,
    wind: wind_kt === 0 ? '00000KT' : `${padded(wind_direction_deg, 3)}${padded(wind_kt, 2)}${gust}KT`,
    visibility: metric ? meters : miles,
    cloud_groups: clouds.map(({ cover, base }) => `${cover}${padded(base / 100, 3)}`).join(' '),
    temperature: `${signed(temperature_c)}/${signed(dewpoint_c)}`,
  }
}

/** Whether the reports of a country use metres and hectopascals instead of statute miles and inches of mercury. */
const isMetric = (country: string) => !['US', 'CA', 'PR', 'VI', 'GU', 'AS', 'MP'].includes(country)
