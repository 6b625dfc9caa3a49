import { z } from 'zod'
import { Runway } from '../../config/airports/directory.ts'
import { DelayStatus } from '../../config/domain.ts'
import { airportEntry } from '../queries/airport-entry.ts'
import { defineQuery } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { Closure, DelayProgram, delayProgram, Weather, weatherOf } from '../queries/get-delays.ts'
import { besideWait, securityNow } from '../queries/security-now.ts'
import { AirportEntry, iata, maybeMinutes, provenance, simulated, timestamp } from '../queries/shapes.ts'
import { defineTool, READ_ONLY } from './define.ts'
import { basisWords, counted } from './words.ts'

const output = z.strictObject({
  airport: AirportEntry,
  timestamp,
  terminals: z.array(z.string()).describe('Terminals that the wait-time sources name; empty where none does.'),
  runways: z.array(Runway),
  delays: z.strictObject({
    supported: z.boolean().describe('Whether the FAA covers this airport.'),
    status: DelayStatus,
    summary: z.string(),
    programs: z.array(DelayProgram),
    closures: z.array(Closure),
    ...provenance,
  }),
  weather: Weather.nullable(),
  security: z.strictObject({ wait_minutes: maybeMinutes, ...besideWait }),
  simulated,
})

const description =
  'Where an airport is and what it is like: location, time zone, terminals, runways, FAA delays, newest weather report and current security wait. Use it first when asked about one airport. A delay status of `unknown` means that nothing is known, not that there is no delay.'

const query = defineQuery({
  name: 'getAirportOverview',
  summary: 'Location, terminals, runways and current delays of an airport',
  description,
  tier: 'free',
  rest: null,
  input: z.strictObject({ iata }),
  output,
  answer(input, context) {
    const airport = findAirport(input.iata, context)
    const { snapshot } = context
    const queue = snapshot.queue(airport.iata, 'security')
    const waiting = queue.terminals.map(({ terminal }) => terminal)
    const named = [...waiting, ...snapshot.terminals(airport.iata)].filter((name) => name !== '')
    const { programs, ...delays } = snapshot.delays(airport.iata)
    const { supported, status, summary, closures, basis, observed_at, age_seconds, source, freshness } = delays
    return {
      airport: airportEntry(airport, snapshot),
      timestamp: snapshot.generated_at,
      terminals: [...new Set(named)].sort(),
      runways: airport.runways,
      delays: {
        ...{ supported, status, summary, programs: programs.map(delayProgram), closures },
        ...{ basis, observed_at, age_seconds, source, freshness },
      },
      weather: weatherOf(airport.icao, context),
      security: securityNow(airport.iata, context),
      simulated: snapshot.simulated,
    }
  },
})

/** The weather report in words and numbers; the report as transmitted stays in the structured answer. */
function weatherLine(weather: z.output<typeof Weather>): string {
  const { observed_at, flight_category, wind_direction_deg, wind_kt, wind_gust_kt, visibility_sm, ceiling_ft } = weather
  const direction = wind_direction_deg === null ? '' : ` from ${wind_direction_deg}°`
  const parts = [
    flight_category,
    wind_kt !== null && `wind ${wind_kt} kt${direction}${wind_gust_kt === null ? '' : `, gusts ${wind_gust_kt} kt`}`,
    visibility_sm !== null && `visibility ${visibility_sm} mi`,
    ceiling_ft !== null && `ceiling ${ceiling_ft} ft`,
    weather.weather,
    weather.temperature_c !== null && `${weather.temperature_c} °C`,
  ]
  return `Weather at ${observed_at.slice(11, 16)} UTC: ${parts.filter(Boolean).join(', ')}.`
}

export const getAirportOverviewTool = defineTool<z.output<typeof output>>({
  name: 'get_airport_overview',
  title: 'Location, terminals, runways and current delays of an airport',
  description,
  annotations: READ_ONLY,
  example: { iata: 'JFK' },
  query,
  text: ({ airport, terminals, runways, delays, weather, security }) =>
    [
      `${airport.name} (${airport.iata}), ${[airport.city, airport.country].filter(Boolean).join(', ')}, ${airport.timezone}.`,
      `${runways.length === 0 ? 'Runways not known' : counted(runways.length, 'runway')}${terminals.length > 0 ? `; terminals named by the wait feeds: ${terminals.join(', ')}` : ''}.`,
      security.wait_minutes === null
        ? `Security: no figure. ${security.unavailable_reason ?? ''}`
        : `Security: about ${security.wait_minutes} min (${basisWords(security)}).`,
      `Delays: ${delays.status.replaceAll('_', ' ')}. ${delays.summary}${delays.observed_at ? ` (as of ${delays.observed_at})` : ''}`,
      weather ? weatherLine(weather) : 'No weather report.',
    ].join('\n'),
})
