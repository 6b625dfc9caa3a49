import { expect, it } from 'vitest'
import { getAviationWeatherTool } from '../../../../api/data/tools/get-aviation-weather.ts'
import { askTool, tellTool } from './run-tool.ts'

it('gives report and forecast, decoded and raw', () => {
  const answer = askTool<Record<string, unknown>>(getAviationWeatherTool, { iata: 'JFK' }, 'free')
  expect(answer).toMatchObject({
    metar: { flight_category: 'VFR', raw: expect.stringContaining('KJFK 211351Z'), freshness: 'recent' },
    taf: { raw: expect.stringContaining('TAF KJFK'), periods: [{ change: null }, { change: 'PROB', probability: 30 }] },
  })
})

it('says both in words, and what is not there', () => {
  const text = tellTool(getAviationWeatherTool, { iata: 'JFK' }, 'free')
  expect(text).toContain('JFK at 11-21 13:50 UTC: VFR, wind 18 kt, gusts 27 kt, visibility 10 mi.')
  expect(text).toContain(
    'Forecast, perhaps 30 %, 11-21 20:00 UTC to 11-21 23:00 UTC: IFR, visibility 2 mi, ceiling 800 ft, -SN.',
  )
  expect(tellTool(getAviationWeatherTool, { iata: 'GRU' }, 'free')).toBe(
    'GRU: no report of the last six hours.\nNo forecast in force.',
  )
})
