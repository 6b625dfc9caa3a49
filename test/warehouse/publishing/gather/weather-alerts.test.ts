import { expect, test } from 'vitest'
import { airportDirectory } from '../../../../config/airports/directory.ts'
import { allSources } from '../../../../config/sources.ts'
import { HOUR_MS, isoUtc } from '../../../../config/vocabulary.ts'
import { gatherWeatherAlerts } from '../../../../warehouse/publishing/gather/weather-alerts.ts'
import { readTime } from '../../../../warehouse/publishing/read/read-time.ts'
import { weatherAlerts } from '../../../../warehouse/publishing/read/weather-alerts.ts'
import { runs } from '../../../../warehouse/tables/runs.ts'
import {
  weatherAlerts as alertTable,
  type WeatherAlertRow,
  weatherZones,
} from '../../../../warehouse/tables/weather-alerts.ts'
import { newWarehouse } from '../../new-warehouse.ts'
import { run } from '../../test-rows.ts'

const NOW = Date.parse('2027-01-07T22:00:00Z')
const LISTED = isoUtc(NOW - 120_000)
const stamps = { fetched_at: LISTED, available_at: LISTED, capture_id: 'c' }

const alert = (over: Partial<WeatherAlertRow>): WeatherAlertRow => ({
  source: 'nws-alerts',
  alert_id: `urn:${over.event}`,
  event: 'Wind Advisory',
  severity: 'Moderate',
  urgency: null,
  certainty: null,
  onset: isoUtc(NOW - HOUR_MS),
  ends: isoUtc(NOW + 3 * HOUR_MS),
  expires: isoUtc(NOW + HOUR_MS),
  headline: null,
  area: null,
  zones: ['NYZ178'],
  observed_at: LISTED,
  ...stamps,
  ...over,
})

const zone = (iata: string, forecast_zone: string | null, county_zone: string | null, fetched_at = LISTED) => ({
  source: 'nws-zones',
  iata,
  forecast_zone,
  county_zone,
  ...stamps,
  fetched_at,
})

interface World {
  alerts: WeatherAlertRow[]
  /** When the newest list was read (epoch ms); null: never. */
  read_ms?: number | null
  isActive?: boolean
}

async function alertsAt(now: number, { alerts, read_ms = NOW - 60_000, isActive = true }: World) {
  const warehouse = await newWarehouse()
  await warehouse.land(alertTable, alerts)
  await warehouse.land(weatherZones, [
    zone('JFK', 'NYZ178', 'NYC081'),
    zone('LGA', 'NYZ001', null, isoUtc(NOW - 48 * HOUR_MS)),
    zone('LGA', 'NYZ178', 'NYC081'),
    zone('BUF', 'NYZ010', 'NYC029'),
    zone('ACK', null, null),
  ])
  if (read_ms !== null)
    await warehouse.land(runs, [run(isoUtc(read_ms), { source: 'nws-alerts', observed_at: LISTED })])
  const content = await gatherWeatherAlerts.gather(
    {
      warehouse,
      now: NOW,
      airports: airportDirectory().all,
      sources: allSources().map((source) => ({ ...source, active: isActive })),
      recordedStates: new Map(),
      still: [],
      currentStates: [],
      adjustments: [],
    },
    {},
  )
  return weatherAlerts.read(weatherAlerts.index(content), readTime(NOW, now))
}

const events = (answer: Awaited<ReturnType<typeof alertsAt>>, iata: string) =>
  answer.weatherAlerts(iata)?.alerts.map(({ event }) => event)

test('an alert belongs to the airports of its zone or county, graver kinds first', async () => {
  const answer = await alertsAt(NOW, {
    alerts: [
      alert({ event: 'Wind Advisory' }),
      alert({ event: 'Winter Storm Warning', zones: ['NYC081'] }),
      alert({ event: 'Shelter In Place Warning', severity: 'Extreme' }),
      alert({ event: 'Blizzard Warning', zones: ['NYZ178', 'NYZ010'] }),
      alert({ event: 'Tornado Watch' }),
    ],
  })
  const inNewYork = [
    'Blizzard Warning',
    'Shelter In Place Warning',
    'Winter Storm Warning',
    'Tornado Watch',
    'Wind Advisory',
  ]
  expect(events(answer, 'JFK')).toEqual(inNewYork)
  // Its newest zones count.
  expect(events(answer, 'LGA')).toEqual(inNewYork)
  expect(events(answer, 'BUF')).toEqual(['Blizzard Warning'])
  expect(answer.weatherAlerts('JFK')).toMatchObject({
    basis: 'measured',
    source: 'nws-alerts',
    unavailable_reason: null,
  })
})

test('an alert that the newest list does not have is over, and so is one whose end has passed', async () => {
  const world = {
    alerts: [
      alert({ event: 'High Wind Warning', observed_at: isoUtc(NOW - 720_000) }),
      alert({ event: 'Wind Advisory' }),
      alert({ event: 'Dense Fog Advisory', ends: null }),
    ],
  }
  expect(events(await alertsAt(NOW, world), 'JFK')).toEqual(['Dense Fog Advisory', 'Wind Advisory'])
  // The message about the fog lapses after an hour, whatever the fog does.
  expect(events(await alertsAt(NOW + 2 * HOUR_MS, world), 'JFK')).toEqual(['Wind Advisory'])
  expect(events(await alertsAt(NOW + 3 * HOUR_MS, world), 'JFK')).toEqual([])
})

test('without an answer of six hours, or without zones, it is not known whether there are any', async () => {
  const alerts = [alert({ event: 'Wind Advisory', ends: isoUtc(NOW + 20 * HOUR_MS) })]
  const reasonAt = async (now: number, world: World, iata = 'JFK') =>
    (await alertsAt(now, world)).weatherAlerts(iata)?.unavailable_reason
  expect(await reasonAt(NOW, { alerts })).toBeNull()
  expect(await reasonAt(NOW + 7 * HOUR_MS, { alerts })).toMatch(/has not answered/)
  expect(await reasonAt(NOW, { alerts: [], read_ms: null })).toMatch(/has not answered/)
  expect(await reasonAt(NOW, { alerts }, 'BOS')).toMatch(/zones of this airport/)
  expect(await reasonAt(NOW, { alerts }, 'ACK')).toMatch(/zones of this airport/)
})

test('airports outside the US have none, nor does anybody where the source is off', async () => {
  const alerts = [alert({})]
  const answer = await alertsAt(NOW, { alerts })
  expect(answer.weatherAlerts('LHR')).toBeNull()
  expect(answer.knownAlertZones()).toEqual({ known: 3, of: 627 })
  const off = await alertsAt(NOW, { alerts, isActive: false })
  expect([off.weatherAlerts('JFK'), off.knownAlertZones()]).toEqual([null, null])
})
