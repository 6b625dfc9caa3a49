import { expect, test } from 'vitest'
import { newestTafs } from '../../../../warehouse/publishing/gather/tafs.ts'
import { type Taf, tafs } from '../../../../warehouse/tables/weather.ts'
import { newWarehouse } from '../../new-warehouse.ts'

const NOW = Date.parse('2026-11-20T14:20:00Z')

function period(over: Partial<Taf> = {}): Taf {
  return {
    source: 'awc-taf',
    icao: 'KJFK',
    issued_at: '2026-11-20T11:20:00Z',
    raw: 'TAF KJFK 201120Z',
    period_from: '2026-11-20T12:00:00Z',
    period_to: '2026-11-21T18:00:00Z',
    change: null,
    probability: null,
    wind_direction_deg: 310,
    wind_kt: 15,
    wind_gust_kt: null,
    visibility_sm: 6,
    visibility_bound: 'more_than',
    ceiling_ft: null,
    ceiling_known: true,
    weather: null,
    flight_category: 'VFR',
    fetched_at: '2026-11-20T11:30:00Z',
    available_at: '2026-11-20T11:30:00Z',
    capture_id: 'c',
    ...over,
  }
}

async function tafsOf(rows: Taf[]) {
  const warehouse = await newWarehouse()
  await warehouse.land(tafs, rows)
  return newestTafs(warehouse, NOW)
}

test('the newest TAF of a station is published with all its periods in order', async () => {
  const older = { issued_at: '2026-11-20T05:20:00Z', raw: 'TAF KJFK 200520Z' }
  const later = { period_from: '2026-11-20T20:00:00Z', period_to: '2026-11-20T23:00:00Z' }
  const forecasts = await tafsOf([
    period({ ...later, change: 'PROB', probability: 30, flight_category: 'IFR', weather: '-SN' }),
    period(),
    period({ ...older, period_to: '2026-11-21T12:00:00Z' }),
    period({ icao: 'KLGA' }),
  ])
  expect(forecasts.map(({ icao }) => icao)).toEqual(['KJFK', 'KLGA'])
  expect(forecasts[0]).toMatchObject({
    issued_at: '2026-11-20T11:20:00Z',
    raw: 'TAF KJFK 201120Z',
    source: 'awc-taf',
    valid_from: '2026-11-20T12:00:00Z',
    valid_to: '2026-11-21T18:00:00Z',
    periods: [
      { change: null, flight_category: 'VFR', wind_kt: 15, from: '2026-11-20T12:00:00Z' },
      { change: 'PROB', probability: 30, weather: '-SN', from: '2026-11-20T20:00:00Z' },
    ],
  })
})

test('a cancelled TAF withdraws the one before it, which is not published again', async () => {
  const cancelled = { issued_at: '2026-11-20T13:00:00Z', raw: 'TAF KJFK 201300Z 2012/2118 CNL=' }
  expect(await tafsOf([period(), period({ ...cancelled, visibility_sm: null, wind_kt: null })])).toEqual([])
})

test('a TAF that has expired or is issued in the future is not published', async () => {
  expect(await tafsOf([period({ period_to: '2026-11-20T14:20:00Z' })])).toEqual([])
  expect(await tafsOf([period({ issued_at: '2026-11-20T17:20:00Z' })])).toEqual([])
  expect(await tafsOf([])).toEqual([])
})
