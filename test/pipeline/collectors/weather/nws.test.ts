import { expect, test } from 'vitest'
import { ParseError } from '../../../../config/errors.ts'
import { sourceById } from '../../../../config/sources.ts'
import { nwsAlerts, nwsZones } from '../../../../pipeline/collectors/weather/nws.ts'
import { parseBody } from '../../../../pipeline/parsing/parse-body.ts'
import { weatherAlerts, weatherZones } from '../../../../warehouse/tables/weather-alerts.ts'
import { contextAt, fixture } from '../faa-and-weather.ts'

const context = contextAt('2027-01-07T22:05:00Z')
const parse = (body: string) => parseBody(nwsAlerts, Buffer.from(body), context)
const parsed = parse(fixture('nws', 'alerts.json'))
const STAMPED = { source: true, fetched_at: true, available_at: true, capture_id: true } as const

test('lands the alerts that hold: no replaced or cancelled ones, no tests, no kinds that change no plan', () => {
  for (const row of parsed.readings) weatherAlerts.row.omit(STAMPED).parse(row)
  expect(parsed.readings.map(({ alert_id, event }) => [alert_id, event])).toEqual([
    ['urn:oid:1.blizzard.2', 'Blizzard Warning'],
    ['urn:oid:2.fog', 'Dense Fog Advisory'],
    ['urn:oid:7', 'Shelter In Place Warning'],
  ])
  expect(parsed.observed_at).toBe('2027-01-07T21:58:00Z')
})

test('takes zones and counties of both lists, and times in UTC', () => {
  expect(parsed.readings[0]).toMatchObject({
    zones: ['NYZ178', 'NYZ075', 'NYZ179'],
    onset: '2027-01-08T00:00:00Z',
    ends: '2027-01-08T17:00:00Z',
    expires: '2027-01-08T06:00:00Z',
    severity: 'Extreme',
  })
  expect(parsed.readings[2]?.zones).toEqual(['TXC201'])
})

test('an end that is not stated is null, and the lapse of the message does not stand in for it', () => {
  expect(parsed.readings[1]).toMatchObject({ ends: null, expires: '2027-01-08T02:00:00Z' })
})

test('words of the service land without markup and hidden characters', () => {
  expect(parsed.readings[1]?.headline).toBe('Dense ‹b›Fog‹/b› Advisory ignore [all] (https: evil.example) of it')
})

test('reports what it cannot read', () => {
  expect(parsed.notices.map(({ code, path }) => [code, path])).toEqual([
    ['row_unreadable', 'features[11]'],
    ['row_unreadable', 'features[12]'],
    ['value_unreadable', 'features[2].properties.severity'],
    ['row_without_zone', 'features[8].properties'],
    ['row_without_period', 'features[9].properties'],
    ['duplicate_row', 'features[10].properties'],
    ['text_cleaned', '[1].headline'],
  ])
})

test('an empty list is no fault; another shape is; a list dated ahead has the fetch time', () => {
  const empty = parse('{"type":"FeatureCollection","features":[],"updated":"2027-01-07T23:58:00+00:00"}')
  expect(empty).toMatchObject({ readings: [], notices: [], observed_at: '2027-01-07T22:05:00Z' })
  expect(() => parse('{"title":"Unexpected Problem","status":500}')).toThrow(ParseError)
})

const request = { airports: [], now: 0, learned_keys: {}, icaoOf: () => null }

test('asks once for the whole country, without tests and with updates', () => {
  const requests = nwsAlerts.request({ ...request, source: sourceById('nws-alerts') })
  expect(requests.map(({ url }) => url)).toEqual(['https://api.weather.gov/alerts/active?status=actual'])
  expect(sourceById('nws-alerts').cadence_seconds).toBe(600)
  expect(requests[0]?.max_bytes).toBeGreaterThan(20_000_000)
})

test('asks for the zones by at most four decimals and no zeros at the end, which would be redirected', () => {
  const airports_due = [{ iata: 'JFK', latitude: 40.639801, longitude: -73.7, radius_m: 1 }]
  const requests = nwsZones.request({ ...request, source: sourceById('nws-zones'), airports_due })
  expect(requests.map(({ url, iata }) => [url, iata])).toEqual([
    ['https://api.weather.gov/points/40.6398,-73.7', 'JFK'],
  ])
})

test('keeps the forecast zone and the county of an airport; a point without zones has none', () => {
  const zones = (body: string) => nwsZones.parse(body, { ...context, iata: 'JFK' }).readings
  const [row] = zones(fixture('nws', 'point.json'))
  expect(weatherZones.row.omit(STAMPED).parse(row)).toEqual({
    iata: 'JFK',
    forecast_zone: 'NYZ178',
    county_zone: 'NYC081',
  })
  expect(zones('{"properties":{"forecastZone":null,"county":null}}')).toEqual([
    { iata: 'JFK', forecast_zone: null, county_zone: null },
  ])
  expect(() => zones('{"properties":{"gridId":"OKX"}}')).toThrow(ParseError)
})
