import { z } from 'zod'
import { airportEntry } from '../queries/airport-entry.ts'
import { airportTerminals, terminalsCredit } from '../queries/airport-terminals.ts'
import { arrivalImmigration } from '../queries/arrival-immigration.ts'
import { defineQuery } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { weatherAt } from '../queries/get-delays.ts'
import { localTime } from '../queries/local-time.ts'
import { securityEstimate } from '../queries/queue-waits.ts'
import { iata } from '../queries/shared-fields.ts'
import { BriefSecurity, briefSecurity } from './brief-security.ts'
import { defineTool, READ_ONLY } from './define.ts'
import { delayLines } from './delay-text.ts'
import { BriefOverview, Overview } from './overview-answer.ts'
import { overviewText, recommendationOf } from './overview-text.ts'
import { skyText } from './weather-text.ts'

const description =
  'An airport: location, time zone, current security wait (with basis and age), passport control of arrivals, terminals, runways, FAA delays and weather. Use it first for a question about one airport.'

const query = defineQuery({
  name: 'getAirportOverview',
  summary: 'Location, security wait, passport control, terminals, runways, delays and weather of an airport',
  description,
  tier: 'free',
  rest: null,
  input: z.strictObject({ iata }),
  output: Overview,
  answer(input, context) {
    const airport = findAirport(input.iata, context)
    const { snapshot } = context
    const { wait_minutes: average_wait_minutes, ...security } = securityEstimate(airport.iata, context)
    const terminals = airportTerminals(airport.iata, snapshot)
    return {
      airport: airportEntry(airport, snapshot),
      timestamp: snapshot.generated_at,
      security: { average_wait_minutes, ...security },
      immigration: arrivalImmigration(airport, context),
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

function briefOf(answer: Overview): BriefOverview {
  const { airport, timestamp, security, terminals, terminals_credit, runway_count, longest_runway_ft } = answer
  const { iata: code, icao, name, city, country, latitude, longitude, timezone, scheduled_service, live } = airport
  const { average_wait_minutes, ...estimate } = security
  const { wait_minutes, ...brief } = BriefSecurity.parse(
    briefSecurity({ wait_minutes: average_wait_minutes, ...estimate }),
  )
  const { programs: _programs, closures: _closures, ...delays } = answer.delays
  const { weather, simulated } = answer
  return {
    recommendation: recommendationOf(answer),
    airport: { iata: code, icao, name, city, country, latitude, longitude, timezone, scheduled_service, live },
    local_now: localTime(Date.parse(timestamp), timezone),
    timestamp,
    security: { average_wait_minutes: wait_minutes, ...brief },
    immigration: briefImmigration(answer.immigration),
    terminals: terminals.map(({ terminal, told_by, as_of }) => ({ terminal, told_by, as_of })),
    terminals_credit,
    runway_count,
    longest_runway_ft,
    delays: {
      ...delays,
      details: delayLines({ airport: code, ...answer.delays }, timestamp).slice(1),
    },
    weather: weather && {
      summary: skyText(weather),
      flight_category: weather.flight_category,
      observed_at: weather.observed_at,
      age_seconds: weather.age_seconds,
      source: weather.source,
      freshness: weather.freshness,
      basis: weather.basis,
    },
    simulated,
  }
}

function briefImmigration(wait: Overview['immigration']): BriefOverview['immigration'] {
  const { probability: _probability, note: _note, longest, ...brief } = wait
  if (longest === null) return { ...brief, longest }
  const { time: _time, source: _source, ...hour } = longest
  return { ...brief, longest: hour }
}

export const getAirportOverviewTool = defineTool<Overview, BriefOverview>({
  name: 'get_airport_overview',
  title: 'An airport at a glance',
  description,
  annotations: READ_ONLY,
  example: { iata: 'JFK' },
  query,
  brief: { output: BriefOverview, of: briefOf },
  limits: { terminals: 8, 'delays.details': 3 },
  text: overviewText,
})
