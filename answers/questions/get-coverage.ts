import { z } from 'zod'
import type { Airport, Directory } from '../../config/airports/directory.ts'
import { getOrCreate } from '../../config/once.ts'
import { FACT_STATES, FACTS, FactCoverage } from '../../warehouse/publishing/read/fact-coverage.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { nextSlice, partsOf } from '../slices.ts'
import { defineQuery, type QueryContext } from './define.ts'
import { findAirport } from './find-airport.ts'
import {
  countryFilter,
  iata,
  notice,
  objectOf,
  Pagination,
  pageInput,
  pageOf,
  simulated,
  timestamp,
} from './shared-fields.ts'

const count = z.int().min(0)

const input = z.strictObject({
  iata: iata.optional().describe('Only this airport.'),
  country: countryFilter,
  live: z
    .boolean()
    .optional()
    .describe('Only airports with (true) or without (false) a live fact; with `fact`, only that fact counts.')
    .meta({ examples: [true] }),
  fact: FactCoverage.shape.fact
    .optional()
    .describe('Only this fact.')
    .meta({ examples: ['security'] }),
  state: z
    .enum(FACT_STATES)
    .optional()
    .describe('Only facts in this state, and airports that have one.')
    .meta({ examples: ['live'] }),
  ...pageInput,
})

const AirportCoverage = z
  .strictObject({
    airport: iata,
    name: z.string(),
    country: z.string().length(2).describe('ISO 3166-1 alpha-2.'),
    facts: z.array(FactCoverage),
  })
  .meta({ id: 'AirportCoverage', description: 'The facts that are available for one airport at this moment.' })

const CoverageSummary = z.strictObject({
  airports: count.describe('Airports of the directory.'),
  facts: objectOf(FACTS, objectOf(FACT_STATES, count)).describe('Airports by the state of each fact.'),
})
type CoverageSummary = z.infer<typeof CoverageSummary>

const output = z
  .strictObject({
    data: z.array(AirportCoverage),
    summary: CoverageSummary.describe('The whole directory, whatever the filters.'),
    pagination: Pagination,
    generated_at: timestamp,
    notice,
    simulated,
  })
  .meta({ id: 'CoveragePage' })

type Input = z.output<typeof input>
type Answer = z.output<typeof output>

export const getCoverage = defineQuery({
  name: 'getCoverage',
  rest: {
    summary: 'Which facts are live, modelled or unavailable, by airport',
    description:
      'For each airport and each fact (security, check-in, immigration, customs, delays, weather, predictions, history): whether a source reports it now, it is modelled, or it is unavailable; since when, from which sources, and why. A page of airports, sorted by IATA code. The `Link` header names the first, previous, next and last page.',
    method: 'GET',
    path: '/coverage',
    csv: {
      columns: ['airport', 'name', 'country', 'fact', 'state', 'since', 'sources', 'reason'],
      rows: ({ data }: Answer) =>
        data.flatMap(({ facts, ...airport }) =>
          facts.map((fact) => ({ ...airport, ...fact, sources: fact.sources.join(' ') })),
        ),
    },
  },
  input,
  output,
  prepare: prepareCoverage,
  answer(filters, context) {
    const { directory, snapshot } = context
    const { rows, pagination } = pageOf(matchingAirports(filters, context), filters)
    const isRequested = ({ fact, state }: FactCoverage) =>
      (filters.fact ?? fact) === fact && (filters.state ?? state) === state
    return {
      data: rows.map(({ iata: airport, name, country }) => ({
        airport,
        name,
        country,
        facts: snapshot.facts(airport).filter(isRequested),
      })),
      summary: coverageSummary(snapshot, directory),
      pagination,
      generated_at: snapshot.generated_at,
      simulated: snapshot.simulated,
    }
  },
})

function matchingAirports(filters: Input, context: QueryContext): readonly Airport[] {
  const { directory, snapshot } = context
  const { live, state, country } = filters
  const hasFactIn = (iata: string, wanted: FactCoverage['state']) =>
    snapshot.facts(iata).some(({ fact, state }) => (filters.fact ?? fact) === fact && state === wanted)
  const airports = filters.iata === undefined ? directory.all : [findAirport(filters.iata, context)]
  return airports.filter(
    (airport) =>
      (country === undefined || airport.country === country) &&
      (live === undefined || hasFactIn(airport.iata, 'live') === live) &&
      (state === undefined || hasFactIn(airport.iata, state)),
  )
}

/** Airports whose facts are read at once. */
const AIRPORTS_PER_SLICE = 100

const prepared = new WeakMap<Snapshot, Promise<void>>()

/** Reads the facts of every airport once for each snapshot, in slices; a snapshot keeps what was read of it. */
export function prepareCoverage({ snapshot, directory }: Pick<QueryContext, 'snapshot' | 'directory'>): Promise<void> {
  return getOrCreate(prepared, snapshot, () => readInSlices(snapshot, directory))
}

async function readInSlices(snapshot: Snapshot, directory: Directory): Promise<void> {
  const summary = noFacts(directory)
  for (const part of partsOf(directory.all, AIRPORTS_PER_SLICE)) {
    countFacts(part, snapshot, summary)
    await nextSlice()
  }
  summaries.set(snapshot, summary)
}

/** Counting reads every airport, so it is done once for each snapshot. */
const summaries = new WeakMap<Snapshot, CoverageSummary>()

/** The number of airports of the directory, and of those in each state of each fact. */
export const coverageSummary = (snapshot: Snapshot, directory: Directory): CoverageSummary =>
  getOrCreate(summaries, snapshot, () => {
    const summary = noFacts(directory)
    countFacts(directory.all, snapshot, summary)
    return summary
  })

function noFacts(directory: Directory): CoverageSummary {
  const entries = FACTS.map((fact) => [fact, { live: 0, modelled: 0, unavailable: 0 }])
  return { airports: directory.all.length, facts: Object.fromEntries(entries) }
}

function countFacts(airports: readonly Airport[], snapshot: Snapshot, { facts }: CoverageSummary): void {
  for (const { iata } of airports) for (const { fact, state } of snapshot.facts(iata)) facts[fact][state]++
}
