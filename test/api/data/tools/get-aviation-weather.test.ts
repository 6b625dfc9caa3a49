import { expect, it } from 'vitest'
import { getAviationWeatherTool } from '../../../../api/data/tools/get-aviation-weather.ts'
import { NOW, snapshotAt } from '../../example-snapshot.ts'
import { fakeSnapshot } from '../../fake-snapshot.ts'
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
  expect(lines[0]).toBe('JFK: VFR now: cloud and visibility delay nobody.')
  expect(lines[1]).toBe(
    'At worst ahead: IFR (30 % likely), 15:00 local time (20:00 UTC) to 18:00 local time (23:00 UTC): low cloud or poor visibility: delays are likely at busy airports.',
  )
  expect(lines[2]).toBe(
    'Report of 08:50 local time (13:50 UTC), 30 min ago: VFR, wind from 310° at 18 kt, gusts 27 kt, visibility 10 mi (16 km) or more, no ceiling, 6 °C.',
  )
  expect(lines.join('\n')).toContain('visibility more than 6 mi (10 km)')
  expect(lines.join('\n')).toContain(
    'perhaps, 30 % likely: IFR, visibility 2 mi (3.2 km), ceiling 800 ft, light snow (-SN).',
  )
})

it('says that nothing is known where no station reports, never that it is fine', () => {
  const text = toolText(getAviationWeatherTool, { iata: 'GRU' }, 'free')
  expect(text).toContain('GRU: the weather now is not known, which does not mean that it is fine.')
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
  expect(text).toContain('Thunderstorm at or near the airport')
  expect(text).toContain('closed by snow')
  expect(text).toContain(
    'flight category not known, wind not reported, visibility not reported, ceiling not reported, heavy thunderstorm with rain, blowing snow (+TSRA BLSN), 6 °C',
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
