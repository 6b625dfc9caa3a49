import { expect, test } from 'vitest'
import type { Comparison } from '../../../answers/questions/compare-airports.ts'
import { findServedAirport } from '../../../answers/questions/find-airport.ts'
import { crowdReportsText } from '../../../answers/texts/crowd-reports-text.ts'
import { compareAirportsTool } from '../../../api/tools/compare-airports.ts'
import { getAirportDelaysSummaryTool } from '../../../api/tools/get-airport-delays-summary.ts'
import { getAirportOverviewTool } from '../../../api/tools/get-airport-overview.ts'
import { getAviationWeatherTool } from '../../../api/tools/get-aviation-weather.ts'
import { getBestTimeToFlyTool } from '../../../api/tools/get-best-time-to-fly.ts'
import { getFaaDelaysTool } from '../../../api/tools/get-faa-delays.ts'
import { getHistoricalWaitTimesTool } from '../../../api/tools/get-historical-wait-times.ts'
import { getLoungesTool } from '../../../api/tools/get-lounges.ts'
import { getSecurityWaitEstimateTool } from '../../../api/tools/get-security-wait-estimate.ts'
import { getTerminalsTool } from '../../../api/tools/get-terminals.ts'
import { getWaitTimePredictionsTool } from '../../../api/tools/get-wait-time-predictions.ts'
import { searchAirportsTool } from '../../../api/tools/search-airports.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { servedNear } from '../../../config/airports/served-near.ts'
import {
  AirportWithoutFlights,
  airportsWithoutFlights,
  noFlightsText,
} from '../../../config/airports/without-flights.ts'
import { NOW, snapshotAt } from '../../api/example-snapshot.ts'
import { measured } from '../../api/fake-snapshot.ts'
import { callOf } from '../../api/tools/run-tool.ts'
import { typical } from '../departure/leave-by-of.ts'

interface WaitEstimate {
  average_wait_minutes: number | null
  unavailable_reason: string | null
}

/** Snapshots of earlier builds have forecasts of them. */
const over = snapshotAt(NOW, { forecasts: [typical('ISL'), typical('KBP')] })

test('the directory says of none that airlines fly there, and names what took its place', () => {
  const { byIata } = airportDirectory()
  for (const row of airportsWithoutFlights().values()) AirportWithoutFlights.parse(row)
  for (const { iata, instead } of airportsWithoutFlights().values()) {
    expect(byIata.get(iata)?.scheduled_service, iata).toBe(false)
    for (const code of instead) expect(byIata.get(code)?.scheduled_service, `${iata}: ${code}`).toBe(true)
  }
})

test.each([
  ['ISL', /^ISL has had no passenger flights since 6 April 2019: .*; instead: IST\b/],
  ['KBP', /^KBP has had no passenger flights since 24 February 2022: .* \(as of \d+ \w+ \d{4}/],
])('%s has no wait, no chance of catching a flight and no recommendation but what took its place', (iata, sentence) => {
  const overview = callOf(getAirportOverviewTool, { iata }, 'pro', over)
  expect(overview.text).toMatch(sentence)
  const wait = callOf<Partial<WaitEstimate>>(getSecurityWaitEstimateTool, { iata }, 'pro', over)
  expect(wait.structured.average_wait_minutes).toBeNull()
  expect(wait.structured.unavailable_reason).toMatch(sentence)
  const departure = '2026-11-22T17:30'
  const plan = callOf<{ outcome: string; recommended: object | null }>(
    getBestTimeToFlyTool,
    { iata, departure },
    'pro',
    over,
  )
  expect(plan.structured).toMatchObject({ outcome: 'no_figure', recommended: null })
  expect(callOf(searchAirportsTool, { query: iata }, 'pro', over).text.split('\n')[0]).toContain(
    'no passenger flights since',
  )
})

test.each([
  getAirportDelaysSummaryTool,
  getAviationWeatherTool,
  getLoungesTool,
  getTerminalsTool,
  getHistoricalWaitTimesTool,
  getSecurityWaitEstimateTool,
  getWaitTimePredictionsTool,
])('$name says of an airport without flights that it has none, and leads to no other tool', (tool) => {
  const { text, structured } = callOf<{ no_flights?: string }>(tool, { iata: 'ISL' }, 'pro', over)
  expect(structured.no_flights).toBe(noFlightsText('ISL'))
  expect(callOf(tool, { iata: 'IST' }, 'pro', over).structured).not.toHaveProperty('no_flights')
  expect(text).toMatch(/^ISL has had no passenger flights since 6 April 2019: .*; instead: IST\b/)
  expect(text).not.toContain('get_')
})

test.each([
  getAirportDelaysSummaryTool,
  getAirportOverviewTool,
  getAviationWeatherTool,
  getFaaDelaysTool,
  getHistoricalWaitTimesTool,
  getSecurityWaitEstimateTool,
  getWaitTimePredictionsTool,
])('$name names the nearest airport with flights where none are scheduled, and leads to no other tool', (tool) => {
  const { text } = callOf(tool, { iata: 'BQH' }, 'pro', over)
  expect(text).toContain('BQH has no scheduled flights; the nearest airport with some is LCY, ')
  expect(text).not.toContain('get_')
})

test.each([
  getAirportOverviewTool,
  getHistoricalWaitTimesTool,
  getSecurityWaitEstimateTool,
  getWaitTimePredictionsTool,
])('$name claims no typical wait of a heliport that airlines fly to, and leads to no tool that has none', (tool) => {
  const { text } = callOf(tool, { iata: 'MCM' }, 'pro', over)
  expect(text).not.toMatch(/typical of airports|no scheduled flights|get_(security|best)/)
})

test('the nearest airport with flights to a heliport is not the heliport', () => {
  const { all, byIata } = airportDirectory()
  expect(servedNear(byIata.get('MCM')!, all)[0]?.airport.iata).toBe('NCE')
})

test('no time to leave for a heliport is given by typical waits', () => {
  const { text } = callOf(getBestTimeToFlyTool, { iata: 'MCM', departure: '2026-11-25T09:00' }, 'pro', over)
  expect(text).toContain('MCM is a heliport, and typical waits of airports do not apply there')
})

test.each([
  ['ISL', /^iata: ISL has had no passenger flights since 6 April 2019: .*; instead: IST$/],
  ['BQH', /^iata: BQH has no scheduled flights; the nearest airport with some is LCY, 19 km away$/],
  ['EUC', /^iata: EUC has no scheduled flights$/],
])('an alert or a report of %s is refused, unless a source other than travellers knows its queue', (iata, why) => {
  const directory = airportDirectory()
  const queue = measured(NOW, 14)
  const find = (source: string | null) =>
    findServedAirport(iata, {
      directory,
      snapshot: snapshotAt(NOW, { queues: { [`${iata} security`]: { ...queue, source } } }),
    })
  expect(() => findServedAirport(iata, { directory, snapshot: null })).toThrow(why)
  for (const source of [null, 'crowd']) expect(() => find(source)).toThrow(why)
  if (iata !== 'ISL') expect(find('import:mine').iata).toBe(iata)
})

test('of two airports the one with flights is preferred', () => {
  const { structured } = callOf<Comparison>(compareAirportsTool, { airports: ['ISL', 'IST'] }, 'pro', over)
  expect(structured.recommended).toBe('IST')
  expect(structured.recommendation).toContain('ISL has had no passenger flights since')
  const none = callOf<Comparison>(compareAirportsTool, { airports: ['ISL', 'KBP'] }, 'pro', over)
  expect(none.structured.recommended).toBeNull()
})

test('that nobody reports a wait where nobody flies is no news', () => {
  const asked_at = '2026-11-21T14:20:00Z'
  const reports = {
    airport: 'ISL',
    queue: null,
    asked_at,
    reports: [],
    held_reports: 0,
    no_flights: noFlightsText('ISL') ?? undefined,
    simulated: false,
  }
  expect(crowdReportsText(reports, reports)).toMatch(/^ISL has had no passenger flights since/)
})
