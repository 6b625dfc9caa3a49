import { z } from 'zod'
import { DelayStatus, FlightCategory, HOUR_MS } from '../../config/domain.ts'
import { ParameterError } from '../../config/errors.ts'
import { defineQuery, type QueryContext } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { hourAt } from '../queries/forecast-hours.ts'
import {
  fraction,
  Instant,
  iata,
  maybeMinutes,
  provenance,
  simulated,
  timestamp,
  unavailableReason,
} from '../queries/shapes.ts'
import { queueWaits } from '../queries/wait-times.ts'
import { defineTool, READ_ONLY } from './define.ts'

const Compared = z.strictObject({
  airport: iata,
  name: z.string(),
  timezone: z.string(),
  security: z.strictObject({
    wait_minutes: maybeMinutes,
    probability: fraction.nullable().describe('Of being within 5 minutes, where it is a forecast; null: observed.'),
    ...provenance,
    unavailable_reason: unavailableReason,
  }),
  delays: z.strictObject({
    supported: z.boolean().describe('Whether the FAA covers this airport.'),
    status: DelayStatus,
    summary: z.string(),
    observed_at: Instant.nullable(),
  }),
  flight_category: FlightCategory.nullable().describe('Of the newest METAR; null: not known.'),
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
      throw new ParameterError([{ parameter: 'airports', message: 'must name each airport once' }])
    const airports = asked.map((code) => compared(code, context))
    const bases = new Set(airports.map(({ security }) => security.basis))
    const comparable = bases.size === 1 && !bases.has(null)
    const [best, second] = airports.toSorted((a, b) => (a.security.wait_minutes ?? 0) - (b.security.wait_minutes ?? 0))
    const tied = best?.security.wait_minutes === second?.security.wait_minutes
    return {
      ...{ timestamp: context.snapshot.generated_at, airports, comparable },
      shortest_wait: comparable && !tied ? best!.airport : null,
      simulated: context.snapshot.simulated,
    }
  },
})

function compared(code: string, context: QueryContext): z.input<typeof Compared> {
  const { iata: airport, icao, name, timezone } = findAirport(code, context)
  const { snapshot } = context
  const {
    average_wait_minutes,
    terminals: _terminals,
    ...wait
  } = queueWaits(snapshot.queue(code, 'security'), 'airport')
  const series = wait.observed_at === null ? snapshot.forecast(code) : null
  const forecast = series && hourAt(series, Math.floor(context.now / HOUR_MS) * HOUR_MS)
  const { supported, status, summary, observed_at } = snapshot.delays(code)
  return {
    ...{ airport, name, timezone },
    security: { wait_minutes: average_wait_minutes, probability: forecast?.confidence ?? null, ...wait },
    delays: { supported, status, summary, observed_at },
    flight_category: snapshot.weather(icao)?.flight_category ?? null,
  }
}

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
        const { wait_minutes, basis, age_seconds, probability } = security
        const age = age_seconds === null ? '' : `, ${Math.round(age_seconds / 60)} min ago`
        const sure = probability === null ? '' : `, ${Math.floor(probability * 100)} % within 5 min`
        const wait = wait_minutes === null ? 'wait not known' : `${wait_minutes} min (${basis}${age}${sure})`
        return `${airport}: security ${wait}; delays ${delays.status.replaceAll('_', ' ')}.`
      }),
      shortest_wait === null
        ? comparable
          ? 'The waits are the same.'
          : 'The waits are not of the same kind, so none is called the shortest.'
        : `Shortest security wait: ${shortest_wait}.`,
    ].join('\n'),
})
