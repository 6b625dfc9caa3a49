import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { projectFile } from '../../../config/paths.ts'
import { shareHarness } from '../harness.ts'
import { call, connect } from '../mcp-clients.ts'

const harness = shareHarness({}, { directory: airportDirectory() })

/** Typical wrong arguments of agents, by tool, and a part of the error text: it names the argument and what it must be. */
const WRONG_ARGUMENTS: Record<string, [input: Record<string, unknown>, text: string][]> = JSON.parse(
  readFileSync(projectFile('test/api/tools/argument-errors.json'), 'utf8'),
)

it('an error names the wrong argument and says what it must be', async () => {
  const client = await connect(harness, 'enterprise', 'client 2')
  for (const [tool, cases] of Object.entries(WRONG_ARGUMENTS))
    for (const [input, text] of cases) {
      const { isError, content } = await call(client, tool, input)
      expect([isError, content[0]?.text], `${tool} ${JSON.stringify(input)}`).toEqual([
        true,
        expect.stringContaining(text),
      ])
    }
})

it.each([
  ['check_schengen_days', { trips: [], date: '2026-12-01' }, /known: trips, on, .* call again\.$/],
  ['get_airport_overview', { iata: 'TXL' }, /took its place\.$/],
  ['get_airport_overview', { iata: 'LON' }, /LHR, .*[A-Z]{3}\.$/],
  [
    'get_historical_wait_times',
    { iata: 'JFK', date: 'tomorrow' },
    /from, to.* Correct the named argument and call again\.$/,
  ],
])('an error that says what to ask for names no further tool: %s %j', async (tool, input, text) => {
  const client = await connect(harness, 'enterprise', 'client 2')
  expect((await call(client, tool, input)).content[0]?.text).toMatch(text)
})
