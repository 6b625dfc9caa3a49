import { expect, it } from 'vitest'
import { getAviationWeatherTool } from '../../../api/tools/get-aviation-weather.ts'
import { NOW, snapshotAt } from '../example-snapshot.ts'
import { fakeSnapshot } from '../fake-snapshot.ts'
import { runTool, toolText } from './run-tool.ts'

it('returns report and forecast, decoded and raw', () => {
  const answer = runTool<Record<string, unknown>>(getAviationWeatherTool, { iata: 'JFK' }, 'free')
  expect(answer).toMatchObject({
    metar: { flight_category: 'VFR', raw: expect.stringContaining('KJFK 211351Z'), freshness: 'recent' },
    taf: { raw: expect.stringContaining('TAF KJFK'), periods: [{ change: null }, { change: 'PROB', probability: 30 }] },
  })
})

it('the text begins with what the weather means, on the clock of the airport, then tells what the structure has', () => {
  const lines = toolText(getAviationWeatherTool, { iata: 'JFK' }, 'free').split('\n')
  expect(lines[0]).toBe(
    'JFK now: nothing in the weather report delays flights. The FAA: Ground delay: flights to JFK wait 42 min on average, until 15:00 (wind).',
  )
  expect(lines[1]).toBe('At worst ahead, 15:00 to 18:00 (30 % likely): snow: de-icing takes time.')
  expect(lines[2]).toBe(
    'Report of 30 min ago: Wind from the northwest at 18 kt, gusts 27 kt. Visibility 10 mi (16 km) or more, no low cloud. 6 °C (43 °F), flight category VFR.',
  )
  expect(lines.join('\n')).toContain('Visibility more than 6 mi (10 km)')
  expect(lines.join('\n')).toContain(
    'perhaps, 30 % likely: IFR, visibility 2 mi (3.2 km), cloud from 800 ft (240 m), light snow.',
  )
})

it('tells what stops flights first, whatever the flight category', () => {
  const report = snapshotAt().weather('KJFK')!
  const first = (over: object) =>
    toolText(
      getAviationWeatherTool,
      { iata: 'JFK' },
      'free',
      fakeSnapshot(NOW, { weather: { KJFK: { ...report, ...over } } }),
    ).split('\n')[0]
  expect(first({ wind_kt: 44, wind_gust_kt: 61 })).toBe('JFK now: gale, gusts of 61 kt: landings may stop.')
  expect(first({ wind_gust_kt: 34 })).toMatch(/^JFK now: strong wind, gusts of 34 kt/)
  expect(first({ weather: '-FZRA', wind_gust_kt: 34, flight_category: 'IFR' })).toMatch(
    /^JFK now: freezing rain.* Strong wind.* Low cloud/,
  )
  expect(first({ weather: '-SN', flight_category: 'LIFR' })).toMatch(/^JFK now: very low cloud or fog.* Snow/)
  expect(first({ wind_kt: null, wind_gust_kt: null })).toBe(
    'JFK now: cloud and visibility delay nobody; the wind is not reported.',
  )
})

it('says that nothing is known where no station reports, never that it is fine', () => {
  const text = toolText(getAviationWeatherTool, { iata: 'GRU' }, 'free')
  expect(text).toContain('The weather at GRU now is not known, which does not mean that it is fine.')
  expect(text).toContain(
    'No report of the last six hours.\nNo valid forecast is known now; smaller airports have none at all.',
  )
})

it('names what a report leaves out, and storm and snow closure', () => {
  const example = snapshotAt().weather('KJFK')!
  const report = {
    ...example,
    wind_kt: null,
    visibility_sm: null,
    visibility_bound: null,
    ceiling_known: false,
    flight_category: null,
    weather: '+TSRA BLSN',
    raw: 'KJFK 211351Z AUTO /////KT //// +TSRA BLSN ////// 06/M03 A3002 R/SNOCLO',
  }
  const text = toolText(
    getAviationWeatherTool,
    { iata: 'JFK' },
    'free',
    fakeSnapshot(NOW, { weather: { KJFK: report } }),
  )
  expect(text).toContain('only known in part')
  expect(text).toMatch(/^JFK now: thunderstorm at or near the airport.* Heavy snow/)
  expect(text).toContain('closed by snow')
  expect(text).toContain(
    'Heavy thunderstorm with rain, blowing snow, wind not reported. Visibility not reported, height of the cloud not reported. 6 °C (43 °F), flight category not known.',
  )
})

it('leaves out the periods of a forecast that are over', () => {
  const taf = snapshotAt().taf('KJFK')!
  const over = { ...taf.periods[0]!, from: '2026-11-21T06:00:00Z', to: '2026-11-21T12:00:00Z' }
  const snapshot = fakeSnapshot(NOW, { tafs: { KJFK: { ...taf, periods: [over, ...taf.periods] } } })
  const { taf: shown } = runTool<{ taf: { periods: unknown[] } }>(
    getAviationWeatherTool,
    { iata: 'JFK' },
    'free',
    snapshot,
  )
  expect(shown.periods).toEqual(taf.periods)
})
