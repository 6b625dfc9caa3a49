import { z } from 'zod'
import { Runway } from '../../../config/airports/directory.ts'
import { nullableMinutes, provenance } from '../../../config/facts.ts'
import { quoted } from '../../../config/outside-text.ts'
import { AirportEntry, airportEntry } from '../queries/airport-entry.ts'
import { defineQuery } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { delayFields, Weather, weatherAt } from '../queries/get-delays.ts'
import { securityEstimate, securityEstimateFields } from '../queries/queue-waits.ts'
import { iata, simulated, timestamp } from '../queries/shared-fields.ts'
import { airportTerminals, NamedTerminal, terminalsCredit } from './airport-terminals.ts'
import { defineTool, READ_ONLY } from './define.ts'
import { basisText, closedText, countText } from './text.ts'
import { skyText } from './weather-text.ts'

const output = z.strictObject({
  airport: AirportEntry,
  timestamp,
  security: z
    .strictObject({ average_wait_minutes: nullableMinutes, ...securityEstimateFields })
    .describe('Current security wait of the whole airport.'),
  terminals: z.array(NamedTerminal).describe('Known terminals, never complete; empty: not known.'),
  terminals_credit: z.string().nullable().describe('Credits required for the terminals; null: none.'),
  runways: z.array(Runway).describe('Longest first; empty: not known.'),
  runway_count: z.int().min(1).nullable().describe('Null: no source counts them.'),
  longest_runway_ft: z.number().nullable(),
  delays: z.strictObject({ ...delayFields, ...provenance }),
  weather: Weather.nullable(),
  simulated,
})
type Answer = z.output<typeof output>

const description =
  'Where an airport is and what it is like: location, time zone, current security wait (with basis and age), terminals, runways, FAA delays and the newest weather report. Use it first for a question about one airport; get_terminals and get_wait_time_predictions have more detail. Each part has its age. A delay status of `unknown` means that nothing is known, not that there is no delay.'

const query = defineQuery({
  name: 'getAirportOverview',
  summary: 'Location, security wait, terminals, runways, delays and weather of an airport',
  description,
  tier: 'free',
  rest: null,
  input: z.strictObject({ iata }),
  output,
  answer(input, context) {
    const airport = findAirport(input.iata, context)
    const { snapshot } = context
    const { wait_minutes: average_wait_minutes, ...security } = securityEstimate(airport.iata, context)
    const terminals = airportTerminals(airport.iata, snapshot)
    return {
      airport: airportEntry(airport, snapshot),
      timestamp: snapshot.generated_at,
      security: { average_wait_minutes, ...security },
      terminals,
      terminals_credit: terminalsCredit(airport.iata, terminals),
      runways: airport.runways,
      runway_count: airport.runways.length || null,
      longest_runway_ft: airport.longest_runway_ft,
      delays: snapshot.delays(airport.iata),
      weather: weatherAt(airport.icao, context),
      simulated: snapshot.simulated,
    }
  },
})

/** The weather report as text; the report as transmitted is only in the structured answer. */
const weatherText = (weather: Weather) => `Weather at ${weather.observed_at.slice(11, 16)} UTC: ${skyText(weather)}.`

function securityText({ average_wait_minutes, unavailable_reason, ...wait }: Answer['security'], timezone: string) {
  if (wait.status === 'closed') return `Security: ${closedText(wait, timezone)}.`
  if (average_wait_minutes === null) return `Security wait not known. ${unavailable_reason ?? ''}`.trim()
  return `Security: about ${countText(average_wait_minutes, 'minute')} (${basisText(wait)}).`
}

/** The known terminals: those of a page with its date, those of the map alone marked as not checked. */
function terminalsText(terminals: Answer['terminals'], credit: string | null): string {
  if (terminals.length === 0) return 'Terminals not known.'
  const names = terminals.map(({ terminal, told_by: namedBy, as_of }) => {
    if (namedBy.includes('facts')) return `${terminal} (as of ${as_of ?? 'an unknown date'})`
    return namedBy.includes('feed') ? quoted(terminal) : `${quoted(terminal)} (map, not checked)`
  })
  return `Known terminals, possibly not all: ${names.join(', ')}.${credit === null ? '' : ` ${credit}.`}`
}

/** How many runways there are and the longest; the longest alone where no source counts them. */
function runwaysText({ runway_count, longest_runway_ft }: Answer): string {
  const longest = longest_runway_ft === null ? '' : `the longest ${longest_runway_ft} ft`
  if (runway_count === null) return `Number of runways not known${longest && `, ${longest}`}`
  if (runway_count === 1) return `1 runway${longest_runway_ft === null ? '' : ` of ${longest_runway_ft} ft`}`
  return `${countText(runway_count, 'runway')}${longest && `, ${longest}`}`
}

function answerText(answer: Answer): string {
  const { airport, security, terminals, terminals_credit, delays, weather } = answer
  const place = [airport.city, airport.country].filter(Boolean).join(', ')
  const delaysAsOf = delays.observed_at ? ` (as of ${delays.observed_at})` : ''
  return [
    `${airport.name} (${airport.iata}), ${place}, ${airport.timezone}.`,
    securityText(security, airport.timezone),
    `${runwaysText(answer)}. ${terminalsText(terminals, terminals_credit)}`,
    `Delays: ${delays.status.replaceAll('_', ' ')}. ${delays.summary}${delaysAsOf}`,
    weather ? weatherText(weather) : 'No weather report.',
  ].join('\n')
}

export const getAirportOverviewTool = defineTool<Answer>({
  name: 'get_airport_overview',
  title: 'Location, security wait, terminals, runways, delays and weather of an airport',
  description,
  annotations: READ_ONLY,
  example: { iata: 'JFK' },
  query,
  shorten: ['runways', 'terminals', 'delays.closures', 'delays.programs'],
  text: answerText,
})
