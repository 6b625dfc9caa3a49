import { z } from 'zod'
import { Runway } from '../../../config/airports/directory.ts'
import { DelayStatus } from '../../../config/domain.ts'
import { nullableMinutes, provenance } from '../../../config/facts.ts'
import { airportEntry } from '../queries/airport-entry.ts'
import { defineQuery } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { Closure, DelayProgram, delayProgram, Weather, weatherOf } from '../queries/get-delays.ts'
import { besideWait, securityNow } from '../queries/security-estimate.ts'
import { AirportEntry, iata, simulated, timestamp } from '../queries/shared-fields.ts'
import { airportTerminals, NamedTerminal, terminalsCredit } from './airport-terminals.ts'
import { defineTool, READ_ONLY } from './define.ts'
import { basisText, countText } from './text.ts'

const output = z.strictObject({
  airport: AirportEntry,
  timestamp,
  security: z
    .strictObject({ average_wait_minutes: nullableMinutes, ...besideWait })
    .describe('Current security wait of the whole airport.'),
  terminals: z.array(NamedTerminal).describe('Terminals that are known, never complete; empty: not known.'),
  terminals_credit: z.string().nullable().describe('Credits that the terminals ask for; null: none.'),
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
  simulated,
})

type Answer = z.output<typeof output>

const description =
  'Where an airport is and what it is like: location, time zone, current security wait (with basis and age), terminals, runways, FAA delays and the newest weather report. Use it first when asked about one airport; get_terminals and get_wait_time_predictions tell more. Each part tells its age. A delay status of `unknown` means that nothing is known, not that there is no delay.'

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
    const { wait_minutes: average_wait_minutes, ...beside } = securityNow(airport.iata, context)
    const terminals = airportTerminals(airport.iata, snapshot)
    const { programs, ...delays } = snapshot.delays(airport.iata)
    const { supported, status, summary, closures, basis, observed_at, age_seconds, source, freshness } = delays
    return {
      airport: airportEntry(airport, snapshot),
      timestamp: snapshot.generated_at,
      security: { average_wait_minutes, ...beside },
      terminals,
      terminals_credit: terminalsCredit(airport.iata, terminals),
      runways: airport.runways,
      delays: {
        supported,
        status,
        summary,
        programs: programs.map(delayProgram),
        closures,
        basis,
        observed_at,
        age_seconds,
        source,
        freshness,
      },
      weather: weatherOf(airport.icao, context),
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

function securityLine({ average_wait_minutes, unavailable_reason, ...wait }: Answer['security']): string {
  if (average_wait_minutes === null) return `Security wait not known. ${unavailable_reason ?? ''}`.trim()
  return `Security: about ${countText(average_wait_minutes, 'minute')} (${basisText(wait)}).`
}

/** Terminals known, each with the date of its page; what the map alone tells says so. */
function terminalsLine(terminals: Answer['terminals'], credit: string | null): string {
  if (terminals.length === 0) return 'Terminals not known.'
  const named = terminals.map(({ terminal, told_by, as_of }) => {
    if (told_by.includes('facts')) return `${terminal} (as of ${as_of ?? 'an unknown date'})`
    return told_by.includes('feed') ? terminal : `${terminal} (map, not checked)`
  })
  return `Terminals known, perhaps not all: ${named.join(', ')}.${credit === null ? '' : ` ${credit}.`}`
}

export const getAirportOverviewTool = defineTool<Answer>({
  name: 'get_airport_overview',
  title: 'Location, security wait, terminals, runways, delays and weather of an airport',
  description,
  annotations: READ_ONLY,
  example: { iata: 'JFK' },
  query,
  text: ({ airport, security, terminals, terminals_credit, runways, delays, weather }) =>
    [
      `${airport.name} (${airport.iata}), ${[airport.city, airport.country].filter(Boolean).join(', ')}, ${airport.timezone}.`,
      securityLine(security),
      `${runways.length === 0 ? 'Runways not known' : countText(runways.length, 'runway')}. ${terminalsLine(terminals, terminals_credit)}`,
      `Delays: ${delays.status.replaceAll('_', ' ')}. ${delays.summary}${delays.observed_at ? ` (as of ${delays.observed_at})` : ''}`,
      weather ? weatherLine(weather) : 'No weather report.',
    ].join('\n'),
})
