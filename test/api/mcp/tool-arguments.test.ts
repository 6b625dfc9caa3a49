import { expect, test } from 'vitest'
import { createWaitTimeAlertTool } from '../../../accounts/alerts/create-wait-time-alert.ts'
import { readArguments, withAirportCodes } from '../../../api/mcp/tool-arguments.ts'
import { checkSchengenDaysTool } from '../../../api/tools/check-schengen-days.ts'
import { compareAirportsTool } from '../../../api/tools/compare-airports.ts'
import { getBestTimeToFlyTool } from '../../../api/tools/get-best-time-to-fly.ts'
import { getLiveWaitTimeTool } from '../../../api/tools/get-live-wait-time.ts'
import { getSecurityWaitEstimateTool } from '../../../api/tools/get-security-wait-estimate.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { reported } from '../../reported.ts'
import { NOW } from '../example-snapshot.ts'
import { fakeSnapshot } from '../fake-snapshot.ts'

test.each([
  ['2', 2],
  ['true', true],
  ['false', false],
  [1, 1],
  [true, true],
  ['some', 'some'],
])('an argument that may be a number or a truth value is read as one: %j', (bags, read) => {
  expect(readArguments(getBestTimeToFlyTool, { iata: 'JFK', bags })).toEqual({ iata: 'JFK', bags: read })
})

const TRIPS = [{ entry: '2026-06-01', exit: '2026-07-15' }]

test.each([
  [JSON.stringify(TRIPS), TRIPS],
  [` ${JSON.stringify(TRIPS, null, 2)}\n`, TRIPS],
  [JSON.stringify(JSON.stringify(TRIPS)), TRIPS],
  [TRIPS.map((trip) => JSON.stringify(trip)), TRIPS],
  [JSON.stringify([JSON.stringify(TRIPS[0])]), TRIPS],
  ['[]', []],
  ['[{"entry":"2026-06-01","exit":null}]', [{ entry: '2026-06-01' }]],
  ['[{"entry":"2026-06-01"', '[{"entry":"2026-06-01"'],
  ['2026-06-01', '2026-06-01'],
  ['"2026-06-01"', '"2026-06-01"'],
])('a list that is written as JSON text is that list: %j', (trips, read) => {
  expect(readArguments(checkSchengenDaysTool, { trips })).toEqual({ trips: read })
})

test('an object that is written as JSON text is that object, with the types of its members', () => {
  const planned = '{"entry":"2026-12-20","days":"20","exit":null}'
  expect(readArguments(checkSchengenDaysTool, { trips: [], planned })).toEqual({
    trips: [],
    planned: { entry: '2026-12-20', days: 20 },
  })
})

test.each([
  ['["JFK", "EWR"]', ['JFK', 'EWR']],
  ['["JFK","EWR"]', ['JFK', 'EWR']],
  ['JFK, EWR and LGA', ['JFK', 'EWR', 'LGA']],
  ['"JFK", "EWR"', ['"JFK"', '"EWR"']],
])('a list of words is read as JSON text before it is cut at commas: %j', (airports, read) => {
  expect(readArguments(compareAirportsTool, { airports })).toEqual({ airports: read })
})

test('an argument that is left out in words is left out, unless it is required', () => {
  const words = { iata: 'None', departure: 'tomorrow 17:30', destination: 'None', airline: 'null', terminal: 'N/A' }
  expect(readArguments(getBestTimeToFlyTool, words)).toEqual({ iata: 'None', departure: 'tomorrow 17:30' })
})

test('an entry of a list that is left out in words is none', () => {
  expect(readArguments(compareAirportsTool, { airports: ['JFK', 'None', 'EWR', null, 'N/A'] })).toEqual({
    airports: ['JFK', 'EWR'],
  })
  expect(readArguments(checkSchengenDaysTool, { trips: ['null', null] })).toEqual({ trips: [] })
})

test('an argument that may be null has the type of its other values', () => {
  const alert = { iata: 'JFK', direction: 'Above', threshold_minutes: '30', terminal: 4, quiet_from: null }
  expect(readArguments(createWaitTimeAlertTool, alert)).toEqual({
    iata: 'JFK',
    direction: 'above',
    threshold_minutes: 30,
    terminal: '4',
  })
})

test('reads the tool call that was reported', () => {
  const [schengen] = JSON.parse(reported('tool-calls.json')) as { arguments: object; same_as: object }[]
  expect(readArguments(checkSchengenDaysTool, schengen!.arguments)).toEqual(schengen!.same_as)
})

const context = { directory: airportDirectory(), snapshot: fakeSnapshot(NOW) }

test.each([
  ['LAX Tom Bradley', 'LAX', 'Tom Bradley'],
  ['LAX TBIT', 'LAX', 'TBIT'],
  ['SFO International', 'SFO', 'International'],
  ['DTW McNamara', 'DTW', 'McNamara'],
  ['JFK T4', 'JFK', '4'],
  ['SAN JOSE INTERNATIONAL', null, null],
])('a terminal in words behind a code is the terminal: %s', (text, iata, terminal) => {
  const read = () => withAirportCodes(getLiveWaitTimeTool, { iata: text }, context).input
  if (iata === null) expect(read).toThrow(/use the code/)
  else expect(read()).toEqual({ iata, terminal })
})

test('a code that is written like a name is the place that is called so', () => {
  const read = (iata: string) => withAirportCodes(getSecurityWaitEstimateTool, { iata }, context)
  expect(read('Goa')).toMatchObject({ input: { iata: 'GOI' }, notice: expect.stringContaining('GOI') })
  expect(read('Hue')).toMatchObject({ input: { iata: 'HUI' } })
  for (const text of ['GOA', 'goa', 'Sin', 'Jfk']) expect(read(text).input).toEqual({ iata: text })
})
