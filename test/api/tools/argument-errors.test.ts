import { expect, it } from 'vitest'
import { shareHarness } from '../harness.ts'
import { call, connect } from '../mcp-clients.ts'

const harness = shareHarness()

const FIND = 'search_airports finds the code of an airport.'
/** Typical wrong arguments of agents and the error text: it names the argument and what it must be. */
const WRONG_ARGUMENTS: [tool: string, input: object, text: string][] = [
  [
    'get_airport_overview',
    { iata: 'Xyzzy City' },
    `iata: must be three capital letters, like JFK. Correct the named argument and call again. ${FIND}`,
  ],
  ['get_airport_overview', { iata: 'ZZZ' }, `AIRPORT_NOT_FOUND: no airport has the IATA code ZZZ. ${FIND}`],
  [
    'get_airport_overview',
    { iata: 'LON' },
    'no airport has the IATA code LON; it stands for all airports of London: LHR, ',
  ],
  [
    'get_airport_overview',
    { iata: 5 },
    `iata: must be three capital letters, like JFK. Correct the named argument and call again. ${FIND}`,
  ],
  [
    'get_airport_overview',
    { airport: 'JFK' },
    'iata: is required (like JFK); airport: is not a known parameter; known: iata',
  ],
  ['compare_airports', { airports: ['JFK'] }, 'airports: must have at least 2 entries.'],
  ['compare_airports', { airports: 'JFK' }, 'INVALID_PARAMETER: airports: must have at least 2 entries. Correct'],
  ['compare_airports', { airports: 7 }, 'INVALID_PARAMETER: airports: must be a list. Correct'],
  ['get_best_time_to_fly', { iata: 'JFK' }, 'departure: is required (like 2026-11-22T17:30)'],
  ['check_schengen_days', {}, 'trips: is required (a list of objects with entry, exit, country)'],
  [
    'get_best_time_to_fly',
    { iata: 'JFK', departure: '2026-11-22T17:30', bags: 'some' },
    'bags: is not valid (Checked bags: true, false or how many)',
  ],
  ['compare_airports', { airports: ['JFK', 'JFK'] }, 'airports: must name each airport once, at least two'],
  ['search_airports', { query: '' }, 'query: must not be empty'],
  ['search_airports', { query: 'x', limit: 99 }, 'limit: must be at most 50'],
  [
    'get_best_time_to_fly',
    { iata: 'JFK', departure: '2026-11-22T17:30', lane: 'first' },
    'lane: must be one of standard, precheck, clear, priority',
  ],
  [
    'get_best_time_to_fly',
    { iata: 'JFK', departure: '2026-11-22T17:30', confidence: 'high' },
    'confidence: must be a number from 0.5 to 0.99',
  ],
  ['get_wait_time_predictions', { iata: 'JFK', date: '2026-13-20' }, 'date: must be a date that exists, YYYY-MM-DD'],
  [
    'submit_wait_time_report',
    { iata: 'JFK', queue: 'baggage', wait_minutes: 5, observed_at: 'now' },
    'observed_at: must be an instant in UTC, like 20',
  ],
  [
    'submit_wait_time_report',
    { iata: 'JFK', queue: 'ees_kiosk', wait_minutes: 5 },
    'queue: there is no Entry/Exit System kiosk at JFK',
  ],
  ['get_airline_baggage_policy', { airline: 'Virgin' }, 'airline: matches several: Virgin'],
  [
    'get_airline_baggage_rankings',
    { period: '2024', scope: 'x' },
    'scope: no table of 2024 has this scope; available: all reporting',
  ],
  [
    'get_ees_wait_times',
    { country: 'US' },
    'country: must be a Schengen state: United States is not in the Schengen area. Correct',
  ],
]

it('an error names the wrong argument and says what it must be', async () => {
  const client = await connect(harness, 'enterprise', 'client 2')
  for (const [tool, input, text] of WRONG_ARGUMENTS) {
    const { isError, content } = await call(client, tool, input as Record<string, unknown>)
    expect([isError, content[0]?.text], `${tool} ${JSON.stringify(input)}`).toEqual([
      true,
      expect.stringContaining(text),
    ])
  }
})
