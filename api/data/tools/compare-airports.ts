import { z } from 'zod'
import { DelayStatus, FlightCategory } from '../../../config/domain.ts'
import { ParameterError } from '../../../config/errors.ts'
import { Instant, nullableMinutes, provenance } from '../../../config/facts.ts'
import { defineQuery, type QueryContext } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { besideWait, securityNow } from '../queries/security-estimate.ts'
import { iata, simulated, timestamp } from '../queries/shared-fields.ts'
import { defineTool, READ_ONLY } from './define.ts'
import { basisText } from './text.ts'

const Compared = z.strictObject({
  airport: iata,
  name: z.string(),
  timezone: z.string(),
  security: z.strictObject({ wait_minutes: nullableMinutes, ...besideWait }),
  delays: z.strictObject({
    supported: z.boolean().describe('Whether the FAA covers this airport.'),
    status: DelayStatus,
    summary: z.string(),
    ...provenance,
  }),
  flight_category: FlightCategory.nullable().describe('Of the newest METAR; null: not known.'),
  flight_category_at: Instant.nullable().describe('When that METAR was observed.'),
})

const output = z.strictObject({
  timestamp,
  airports: z.array(Compared).describe('In the order asked.'),
  shortest_wait: iata
    .nullable()
    .describe('The airport with the shortest security wait; null unless all have one of the same basis.'),
  comparable: z.boolean().describe('Whether all waits are known and of the same basis.'),
  simulated,
})

const description =
  'Two to five airports side by side: current security wait, FAA delay status and flight category, each with its source and age. Use it to choose between airports of a city. A measured wait and a typical one are not comparable: `comparable` is then false and no shortest is named. `unknown` and null mean not known, never none.'

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
  answer({ airports: asked }, context) {
    if (new Set(asked).size < asked.length)
      throw new ParameterError([{ parameter: 'airports', message: 'must name each airport once, at least two' }])
    const airports = asked.map((code) => compared(code, context))
    const bases = new Set(airports.map(({ security }) => security.basis))
    const comparable = bases.size === 1 && !bases.has(null)
    const [best, second] = airports.toSorted((a, b) => (a.security.wait_minutes ?? 0) - (b.security.wait_minutes ?? 0))
    const tied = best?.security.wait_minutes === second?.security.wait_minutes
    return {
      timestamp: context.snapshot.generated_at,
      airports,
      comparable,
      shortest_wait: comparable && !tied ? best!.airport : null,
      simulated: context.snapshot.simulated,
    }
  },
})

function compared(code: string, context: QueryContext): z.input<typeof Compared> {
  const { iata: airport, icao, name, timezone } = findAirport(code, context)
  const { snapshot } = context
  const { programs: _programs, closures: _closures, ...delays } = snapshot.delays(code)
  const weather = snapshot.weather(icao)
  return {
    airport,
    name,
    timezone,
    security: securityNow(code, context),
    delays,
    flight_category: weather?.flight_category ?? null,
    flight_category_at: weather?.observed_at ?? null,
  }
}

const shortestFirst = ({ security }: z.output<typeof Compared>) => security.wait_minutes ?? Number.POSITIVE_INFINITY

export const compareAirportsTool = defineTool<z.output<typeof output>>({
  name: 'compare_airports',
  title: 'Waits and delays of airports side by side',
  description,
  annotations: READ_ONLY,
  example: { airports: ['JFK', 'LGA'] },
  query,
  text: ({ airports, shortest_wait, comparable }) =>
    [
      ...airports.map(({ airport, security, delays }) => {
        const { wait_minutes } = security
        const wait = wait_minutes === null ? 'wait not known' : `${wait_minutes} min (${basisText(security)})`
        return `${airport}: security ${wait}; delays ${delays.status.replaceAll('_', ' ')}.`
      }),
      shortest_wait === null
        ? comparable
          ? `The shortest wait is at several: ${airports
              .filter(({ security }) => security.wait_minutes === Math.min(...airports.map(shortestFirst)))
              .map(({ airport }) => airport)
              .join(', ')}.`
          : 'The waits are not of the same kind, so none is called the shortest.'
        : `Shortest security wait: ${shortest_wait}.`,
    ].join('\n'),
})
