import { z } from 'zod'
import { NO_PROVENANCE, provenance } from '../../config/answer-schemas.ts'
import { countText } from '../../config/count-text.ts'
import type { DelayStatus } from '../../config/vocabulary.ts'
import { DelayProgram, type DelayState } from '../../warehouse/publishing/read/delays.ts'
import { delayNewsText } from '../statements/delay-news.ts'
import { listText } from '../statements/text.ts'
import { defineQuery, type QueryContext } from './define.ts'
import { findAirport } from './find-airport.ts'
import { delayFields, delaysAt } from './get-delays.ts'
import { iata, no_flights, notice, simulated, timestamp } from './shared-fields.ts'

export const AirportDelays = z.strictObject({ airport: iata, name: z.string(), ...delayFields })

export type AirportDelays = z.input<typeof AirportDelays>

const output = z.strictObject({
  timestamp,
  known: z
    .boolean()
    .describe('False when the FAA’s feed has not been read recently: an empty list then means nothing.'),
  summary: z.string(),
  airports: z.array(AirportDelays).describe('The gravest first.'),
  flow_programs: z
    .array(DelayProgram.extend({ faa_id: z.string().describe('The FAA’s id of the flow constrained area.') }).strict())
    .describe('Airspace flow programs in force, which belong to no airport; empty for a request of one airport.'),
  ...provenance,
  notice,
  no_flights,
  simulated,
})

export const getFaaDelays = defineQuery({
  name: 'getFaaDelays',
  input: z.strictObject({ iata: iata.optional().describe('Only this airport (IATA code).') }),
  output,
  answer(input, context): z.input<typeof output> {
    const { snapshot } = context
    const codes = input.iata ? [findAirport(input.iata, context).iata] : snapshot.delayedAirports().toSorted()
    const airports = codes.map((code) => airportDelays(code, input.iata === undefined, context)).toSorted(bySeverity)
    const feed = feedState(codes[0], context)
    const known = feed !== null && feed.status !== 'unknown'
    const { basis, observed_at, age_seconds, source, freshness } = feed ?? NO_PROVENANCE
    return {
      timestamp: snapshot.generated_at,
      known,
      airports,
      flow_programs: input.iata ? [] : snapshot.flowPrograms(),
      summary: input.iata ? airports[0]!.summary : summaryOfAll(known, airports),
      basis,
      observed_at,
      age_seconds,
      source,
      freshness,
      simulated: snapshot.simulated,
    }
  },
})

/** The delays of an airport; in a list its summary is the gravest of them alone. */
function airportDelays(code: string, isListed: boolean, context: QueryContext): AirportDelays {
  const { supported, status, programs, closures } = context.snapshot.delays(code)
  const airport = context.directory.byIata.get(code)
  const gravest = isListed && airport ? delayNewsText({ programs, closures }, airport, context.now) : null
  return {
    airport: code,
    name: airport?.name ?? code,
    supported,
    status,
    summary: gravest ?? delaysAt(code, context).summary,
    programs,
    closures,
  }
}

const SEVERITY: DelayStatus[] = ['closed', 'ground_stop', 'ground_delay', 'minor_delay', 'normal', 'unknown']

const bySeverity = (a: AirportDelays, b: AirportDelays) => SEVERITY.indexOf(a.status) - SEVERITY.indexOf(b.status)

/** The state of the feed, taken from an airport that it covers. */
function feedState(code: string | undefined, { snapshot, directory }: QueryContext): DelayState | null {
  const covered = code ?? directory.byFaaId.values().next().value?.iata
  return covered === undefined ? null : snapshot.delays(covered)
}

/** Whether an entry changes anything for flights of airlines: the FAA also lists closures for other aircraft. */
export const affectsAirlines = ({ status, programs, closures }: AirportDelays) =>
  status !== 'normal' || programs.length > 0 || closures.some(({ closed_to_airlines }) => closed_to_airlines !== false)

function summaryOfAll(known: boolean, airports: readonly AirportDelays[]): string {
  if (!known) return 'The FAA’s feed has not been read recently: nothing is known about delays.'
  const affected = airports.filter(affectsAirlines).length
  const first =
    affected === 0
      ? 'The FAA lists no delay of airline flights and no closure for them.'
      : `The FAA lists delays or closures at ${countText(affected, 'airport')}.`
  const others = airports.filter((airport) => !affectsAirlines(airport)).map(({ airport }) => airport)
  return others.length === 0 ? first : `${first} Closed to other aircraft only: ${listText(others)}.`
}

export type FaaDelays = z.output<typeof output>
