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

it('says until when the worst of a forecast lasts that has begun', () => {
  const taf = snapshotAt().taf('KJFK')!
  const snow = { ...taf.periods[1]!, change: null, probability: null, from: '2026-11-21T12:00:00Z' }
  const snapshot = fakeSnapshot(NOW, { tafs: { KJFK: { ...taf, periods: [{ ...snow, to: '2026-11-21T18:00:00Z' }] } } })
  expect(toolText(getAviationWeatherTool, { iata: 'JFK' }, 'free', snapshot)).toContain(
    '\nAt worst ahead, until 13:00: snow',
  )
})
