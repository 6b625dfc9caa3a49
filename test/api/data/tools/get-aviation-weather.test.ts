import { expect, it } from 'vitest'
import { getAviationWeatherTool } from '../../../../api/data/tools/get-aviation-weather.ts'
import { runTool, toolText } from './run-tool.ts'

it('returns report and forecast, decoded and raw', () => {
  const answer = runTool<Record<string, unknown>>(getAviationWeatherTool, { iata: 'JFK' }, 'free')
  expect(answer).toMatchObject({
    metar: { flight_category: 'VFR', raw: expect.stringContaining('KJFK 211351Z'), freshness: 'recent' },
    taf: { raw: expect.stringContaining('TAF KJFK'), periods: [{ change: null }, { change: 'PROB', probability: 30 }] },
  })
})

it('the text has both, or says that there is none', () => {
  const text = toolText(getAviationWeatherTool, { iata: 'JFK' }, 'free')
  expect(text).toContain('JFK at 11-21 13:50 UTC: VFR, wind 18 kt, gusts 27 kt, visibility 10 mi.')
  expect(text).toContain(
    'Forecast, perhaps 30 %, 11-21 20:00 UTC to 11-21 23:00 UTC: IFR, visibility 2 mi, ceiling 800 ft, -SN.',
  )
  expect(toolText(getAviationWeatherTool, { iata: 'GRU' }, 'free')).toBe(
    'GRU: no report of the last six hours.\nNo valid forecast.',
  )
})
