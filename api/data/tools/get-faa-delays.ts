import { z } from 'zod'
import { DelayStatus } from '../../../config/domain.ts'
import { provenance } from '../../../config/facts.ts'
import type { DelayState } from '../../../warehouse/serving/published/delays.ts'
import { Closure, DelayProgram } from '../../../warehouse/serving/published/delays.ts'
import { defineQuery, type QueryContext } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { delayProgram } from '../queries/get-delays.ts'
import { iata, simulated, timestamp } from '../queries/shared-fields.ts'
import { defineTool, READ_ONLY } from './define.ts'

const output = z.strictObject({
  timestamp,
  known: z.boolean().describe('False when the FAA’s feed has not been read lately: an empty list then says nothing.'),
  summary: z.string(),
  airports: z.array(
    z.strictObject({
      airport: iata,
      name: z.string(),
      supported: z.boolean().describe('Whether the FAA covers this airport.'),
      status: DelayStatus,
      summary: z.string(),
      programs: z.array(DelayProgram),
      closures: z.array(Closure),
    }),
  ),
  flow_programs: z
    .array(DelayProgram.extend({ faa_id: z.string().describe('The FAA’s id of the flow constrained area.') }).strict())
    .describe('Airspace flow programs in force, which belong to no airport; empty when one airport was asked for.'),
  ...provenance,
  simulated,
})

const description =
  'Current FAA ground stops, ground delays, arrival and departure delays, closures and airspace flow programs in the US, or of one airport. Use it for the state of US air traffic now; without `iata` it lists every airport that has any. `age_seconds` says how old the FAA’s word is. Airlines’ own delays are not known. `known: false` or a status of `unknown` means that nothing is known, never that there is no delay.'

const query = defineQuery({
  name: 'getFaaDelays',
  summary: 'Current US FAA delays, ground stops, closures and flow programs',
  description,
  tier: 'free',
  rest: null,
  input: z.strictObject({ iata: iata.optional().describe('Only this airport (IATA code).') }),
  output,
  answer(input, context) {
    const { snapshot } = context
    const codes = input.iata ? [findAirport(input.iata, context).iata] : snapshot.delayedAirports().toSorted()
    const airports = codes.map((code) => airportDelays(code, context))
    const flow = input.iata
      ? []
      : snapshot.flowPrograms().map((program) => ({ ...delayProgram(program), faa_id: program.faa_id }))
    const feed = feedState(codes[0], context)
    const known = feed !== null && feed.status !== 'unknown'
    return {
      timestamp: snapshot.generated_at,
      known,
      airports,
      flow_programs: flow,
      summary: summaryOf(known, airports, input.iata),
      basis: feed?.basis ?? null,
      observed_at: feed?.observed_at ?? null,
      age_seconds: feed?.age_seconds ?? null,
      source: feed?.source ?? null,
      freshness: feed?.freshness ?? null,
      simulated: snapshot.simulated,
    }
  },
})

function airportDelays(code: string, { snapshot, directory }: QueryContext) {
  const { supported, status, summary, programs, closures } = snapshot.delays(code)
  const name = directory.byIata.get(code)?.name ?? code
  return { airport: code, name, supported, status, summary, programs: programs.map(delayProgram), closures }
}

/** The state of the feed, read off an airport that it covers. */
function feedState(code: string | undefined, { snapshot, directory }: QueryContext): DelayState | null {
  const covered = code ?? directory.byFaaId.values().next().value?.iata
  return covered === undefined ? null : snapshot.delays(covered)
}

function summaryOf(known: boolean, airports: { summary: string }[], asked: string | undefined): string {
  if (asked !== undefined) return airports[0]!.summary
  if (!known) return 'The FAA’s feed has not been read lately: nothing is known about delays.'
  if (airports.length === 0) return 'The FAA lists no program and no closure.'
  return `The FAA lists programs or closures at ${airports.length} airport${airports.length === 1 ? '' : 's'}.`
}

export const getFaaDelaysTool = defineTool<z.output<typeof output>>({
  name: 'get_faa_delays',
  title: 'Current US FAA delays, ground stops, closures and flow programs',
  description,
  annotations: READ_ONLY,
  example: { iata: 'JFK' },
  query,
  text: ({ summary, airports, flow_programs, observed_at }) =>
    [
      summary,
      ...airports.map(
        (one) =>
          `${one.airport}: ${one.status.replaceAll('_', ' ')}.${one.summary === summary ? '' : ` ${one.summary}`}`,
      ),
      ...flow_programs.map(({ faa_id, reason }) => `${faa_id}: airspace flow program${reason ? ` (${reason})` : ''}`),
      observed_at ? `As of ${observed_at}.` : '',
    ]
      .filter(Boolean)
      .join('\n'),
})
