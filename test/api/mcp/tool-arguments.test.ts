import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readArguments, withAirportCodes } from '../../../api/mcp/tool-arguments.ts'
import { checkSchengenDaysTool } from '../../../api/tools/check-schengen-days.ts'
import { getLiveWaitTimeTool } from '../../../api/tools/get-live-wait-time.ts'
import { getSecurityWaitEstimateTool } from '../../../api/tools/get-security-wait-estimate.ts'
import { TOOLS } from '../../../bin/service/registry.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { projectFile } from '../../../config/paths.ts'
import { reported } from '../../reported.ts'
import { NOW } from '../example-snapshot.ts'
import { fakeSnapshot } from '../fake-snapshot.ts'

const { read_arguments }: { read_arguments: [tool: string, sent: object, read: object][] } = JSON.parse(
  readFileSync(projectFile('test/api/mcp/wrong-and-meant.json'), 'utf8'),
)

test.each(read_arguments)(
  'arguments of %s are read as what is written means: numbers, truth values, lists and objects as JSON text or in words, nothing in words: %j',
  (name, sent, read) => {
    const tool = TOOLS.find((candidate) => candidate.name === name)!
    expect(readArguments(tool, sent)).toEqual(read)
  },
)

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

test.each(['global entry', 'NEXUS', 'fast track'])(
  'the wait of all lanes is not said to be that of some: %s',
  (lane) => {
    const { input, notice } = withAirportCodes(getSecurityWaitEstimateTool, { iata: `JFK ${lane}` }, context)
    expect([input, notice]).toEqual([{ iata: 'JFK' }, expect.stringContaining(`all of JFK, not of ${lane} alone`)])
  },
)

test('a code that is written like a name is the place that is called so', () => {
  const read = (iata: string) => withAirportCodes(getSecurityWaitEstimateTool, { iata }, context)
  expect(read('Goa')).toMatchObject({ input: { iata: 'GOI' }, notice: expect.stringContaining('GOI') })
  expect(read('Hue')).toMatchObject({ input: { iata: 'HUI' } })
  for (const text of ['GOA', 'goa', 'Sin', 'Jfk']) expect(read(text).input).toEqual({ iata: text })
})
