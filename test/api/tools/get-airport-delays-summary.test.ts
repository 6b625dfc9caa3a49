import { expect, test } from 'vitest'
import { getAirportDelaysSummaryTool } from '../../../api/tools/get-airport-delays-summary.ts'
import { getFaaDelaysTool } from '../../../api/tools/get-faa-delays.ts'
import { NOW, snapshotAt } from '../example-snapshot.ts'
import { fakeAlert, fakeAlerts } from '../fake-snapshot.ts'
import { callOf, toolText } from './run-tool.ts'

const delaysOf = (over: object | null) => {
  const weatherAlerts = { LGA: fakeAlerts(NOW, over === null ? [] : [fakeAlert(NOW, over)]) }
  const call = callOf(getAirportDelaysSummaryTool, { iata: 'LGA' }, 'free', snapshotAt(NOW, { weatherAlerts }))
  return { ...call, lines: call.text.split('\n') }
}

test('a weather alert keeps a traveller from being told to go as planned, and stands in text and structure', () => {
  const { lines, structured } = delaysOf({})
  expect(lines[0]).toBe(
    'The FAA lists no delay at LGA now, but the weather may bring some: Blizzard warning until 19:20. Ask the airline before you set out.',
  )
  expect(lines[1]).toBe(
    'Alert of the National Weather Service: Blizzard warning until 19:20: flights may stop or be cancelled.',
  )
  expect(structured).toMatchObject({ weather_alerts: { alerts: [{ event: 'Blizzard Warning', effect: 'stops' }] } })
})

test('an advisory is told and changes no plan', () => {
  const { lines } = delaysOf({ event: 'Wind Advisory', effect: 'slows' })
  expect(lines[0]).toMatch(/^The FAA lists no delay at LGA now\. Go as planned;/)
  expect(lines[1]).toMatch(/Wind advisory until/)
  expect(delaysOf(null).text).not.toContain('Alert')
})

test('a list of the FAA alone tells nobody to go as planned', () => {
  expect(toolText(getFaaDelaysTool, { iata: 'LGA' }, 'free', snapshotAt(NOW))).toMatch(
    /^The FAA lists no delay at LGA now; the weather, an airline’s own delays and later ones are not known here\./,
  )
})
