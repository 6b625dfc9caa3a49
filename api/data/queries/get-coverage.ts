import { z } from 'zod'
import type { Airport } from '../../../config/airports/directory.ts'
import { Instant } from '../../../config/facts.ts'
import { FACTS, type FactCoverage } from '../../../warehouse/serving/published/facts.ts'
import { coverageSummary } from './coverage-summary.ts'
import { defineQuery, type QueryContext } from './define.ts'
import { findAirport } from './find-airport.ts'
import { Pagination, pageInput, pageOf } from './paging.ts'
import { countryFilter, each, iata, simulated, timestamp } from './shared-fields.ts'

const Fact = z.enum(FACTS)
const FactState = z.enum(['live', 'modelled', 'unavailable'])
const count = z.int().min(0)

const input = z.strictObject({
  iata: iata.optional().describe('Only this airport.'),
  country: countryFilter,
  live: z
    .boolean()
    .optional()
    .describe('Only airports with (true) or without (false) a live fact; of `fact`, where that is given.')
    .meta({ examples: [true] }),
  fact: Fact.optional()
    .describe('Only this fact.')
    .meta({ examples: ['security'] }),
  state: FactState.optional()
    .describe('Only facts in this state, and airports that have one.')
    .meta({ examples: ['live'] }),
  ...pageInput,
})

const AirportCoverage = z
  .strictObject({
    airport: iata,
    name: z.string(),
    country: z.string().length(2).describe('ISO 3166-1 alpha-2.'),
    facts: z.array(
      z.strictObject({
        fact: Fact,
        state: FactState.describe(
          'live: a source tells of it now; modelled: a forecast or the worldwide prior does; unavailable: nothing does.',
        ),
        since: Instant.nullable().describe('When it came into this state; null when it was never in another.'),
        sources: z
          .array(z.string())
          .describe('Ids of its active sources; the version of the model for what is modelled.'),
        reason: z.string().nullable().describe('Why it is modelled only or unavailable; null when it is live.'),
      }),
    ),
  })
  .meta({ id: 'AirportCoverage', description: 'What can be asked of one airport at this moment.' })

const ByState = z.strictObject({ live: count, modelled: count, unavailable: count })

const output = z
  .strictObject({
    data: z.array(AirportCoverage),
    summary: z
      .strictObject({
        airports: count.describe('Airports of the directory.'),
        facts: each(FACTS, ByState).describe('Airports by the state of each fact.'),
      })
      .describe('The whole directory, whatever was asked for.'),
    pagination: Pagination,
    generated_at: timestamp,
    simulated,
  })
  .meta({ id: 'CoveragePage' })

type Input = z.output<typeof input>
type Output = z.output<typeof output>

export const getCoverage = defineQuery({
  name: 'getCoverage',
  summary: 'Which facts are live, modelled or unavailable, by airport',
  description:
    'For each airport and each fact that can be asked (security, check-in, immigration, customs, delays, weather, predictions, history): whether a source tells of it now, a model stands in, or nothing does; since when, by which sources, and why not. A page of airports, sorted by IATA code. The `Link` header names the first, previous, next and last page.',
  tier: 'free',
  rest: {
    method: 'GET',
    path: '/coverage',
    csv: {
      columns: ['airport', 'name', 'country', 'fact', 'state', 'since', 'sources', 'reason'],
      rows: ({ data }: Output) =>
        data.flatMap(({ facts, ...airport }) =>
          facts.map((fact) => ({ ...airport, ...fact, sources: fact.sources.join(' ') })),
        ),
    },
  },
  input,
  output,
  answer(asked, context) {
    const { directory, snapshot } = context
    const isAsked = ({ fact, state }: FactCoverage) => (asked.fact ?? fact) === fact && (asked.state ?? state) === state
    const { rows, pagination } = pageOf(matching(asked, context), asked)
    return {
      data: rows.map(({ iata: airport, name, country }) => ({
        airport,
        name,
        country,
        facts: snapshot.facts(airport).filter(isAsked),
      })),
      summary: coverageSummary(snapshot, directory),
      pagination,
      generated_at: snapshot.generated_at,
      simulated: snapshot.simulated,
    }
  },
})

/** Airports that the filters let through. */
function matching(asked: Input, context: QueryContext): readonly Airport[] {
  const { live, fact, state, country } = asked
  const { directory, snapshot } = context
  const wanted = country?.toUpperCase()
  const has = (iata: string, wantedState: FactCoverage['state']) =>
    snapshot.facts(iata).some((one) => (fact ?? one.fact) === one.fact && one.state === wantedState)
  const airports = asked.iata === undefined ? directory.all : [findAirport(asked.iata, context)]
  return airports.filter(
    ({ iata, country }) =>
      (wanted ?? country) === country &&
      (live === undefined || has(iata, 'live') === live) &&
      (state === undefined || has(iata, state)),
  )
}
