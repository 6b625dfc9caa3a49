import { z } from 'zod'
import { FlightCategory } from '../../../config/domain.ts'
import { ParameterError } from '../../../config/errors.ts'
import { Instant, nullableMinutes, provenance } from '../../../config/facts.ts'
import { defineQuery, type QueryContext } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { delayFields } from '../queries/get-delays.ts'
import { securityEstimate, securityEstimateFields } from '../queries/queue-waits.ts'
import { iata, simulated, timestamp } from '../queries/shared-fields.ts'
import { defineTool, READ_ONLY } from './define.ts'
import { basisText, closedText } from './text.ts'

const { supported, status, summary } = delayFields

const ComparedAirport = z.strictObject({
  airport: iata,
  name: z.string(),
  timezone: z.string(),
  security: z.strictObject({ wait_minutes: nullableMinutes, ...securityEstimateFields }),
  delays: z.strictObject({ supported, status, summary, ...provenance }),
  flight_category: FlightCategory.nullable().describe('From the newest METAR; null: not known.'),
  flight_category_at: Instant.nullable().describe('When that METAR was observed.'),
})

const output = z.strictObject({
  timestamp,
  airports: z.array(ComparedAirport).describe('In the requested order.'),
  shortest_wait: iata
    .nullable()
    .describe('The airport with the shortest security wait; null unless all waits are comparable and one is shortest.'),
  comparable: z
    .boolean()
    .describe(
      'Whether all waits are known and of the same basis; airports whose security is closed have none and are left out.',
    ),
  simulated,
})
type Answer = z.output<typeof output>

const description =
  'Two to five airports side by side: current security wait, FAA delay status and flight category, each with its source and age. Use it to choose between airports of a city. A measured wait and a typical one are not comparable: `comparable` is then false and no shortest wait is named. `unknown` and null mean not known, never none.'

const query = defineQuery({
  name: 'compareAirports',
  summary: 'Waits and delays of airports side by side',
  description,
  tier: 'free',
  rest: null,
  input: z.strictObject({
    airports: z.array(iata).min(2).max(5).describe('Two to five IATA codes.'),
  }),
  output,
  answer({ airports: codes }, context) {
    if (new Set(codes).size < codes.length)
      throw new ParameterError([{ parameter: 'airports', message: 'must name each airport once, at least two' }])
    const airports = codes.map((code) => comparedAirport(code, context))
    const open = airports.filter(({ security }) => security.status !== 'closed')
    const bases = new Set(open.map(({ security }) => security.basis))
    const comparable = bases.size === 1 && !bases.has(null)
    const shortest = airportsWithShortestWait(airports)
    return {
      timestamp: context.snapshot.generated_at,
      airports,
      comparable,
      shortest_wait: comparable && shortest.length === 1 ? shortest[0]! : null,
      simulated: context.snapshot.simulated,
    }
  },
})

function comparedAirport(code: string, context: QueryContext): z.input<typeof ComparedAirport> {
  const { iata: airport, icao, name, timezone } = findAirport(code, context)
  const { snapshot } = context
  const { programs: _programs, closures: _closures, ...delays } = snapshot.delays(code)
  const weather = snapshot.weather(icao)
  return {
    airport,
    name,
    timezone,
    security: securityEstimate(code, context),
    delays,
    flight_category: weather?.flight_category ?? null,
    flight_category_at: weather?.observed_at ?? null,
  }
}

function airportsWithShortestWait(airports: z.input<typeof ComparedAirport>[]): string[] {
  const waitOf = ({ security }: z.input<typeof ComparedAirport>) =>
    security.wait_minutes === null ? Number.POSITIVE_INFINITY : Math.round(security.wait_minutes)
  const shortest = Math.min(...airports.map(waitOf))
  return airports.filter((airport) => waitOf(airport) === shortest).map(({ airport }) => airport)
}

function waitText({ security, timezone }: Answer['airports'][number]): string {
  if (security.status === 'closed') return closedText(security, timezone)
  return security.wait_minutes === null ? 'wait not known' : `${security.wait_minutes} min (${basisText(security)})`
}

function airportText(compared: Answer['airports'][number]): string {
  const { airport, delays } = compared
  const wait = waitText(compared)
  return `${airport}: security ${wait}; delays ${delays.status.replaceAll('_', ' ')}.`
}

function verdictText({ airports, shortest_wait, comparable }: Answer): string {
  if (airports.every(({ security }) => security.status === 'closed')) return 'Security is closed at all of them now.'
  if (shortest_wait !== null) return `Shortest security wait: ${shortest_wait}.`
  if (!comparable) return 'The waits are not of the same basis, so none is named the shortest.'
  return `Several airports have the shortest wait: ${airportsWithShortestWait(airports).join(', ')}.`
}

export const compareAirportsTool = defineTool<Answer>({
  name: 'compare_airports',
  title: 'Waits and delays of airports side by side',
  description,
  annotations: READ_ONLY,
  example: { airports: ['JFK', 'LGA'] },
  query,
  text: (answer) => [...answer.airports.map(airportText), verdictText(answer)].join('\n'),
})
