import { z } from 'zod'
import { airportEntry } from '../../../answers/questions/airport-entry.ts'
import { airportTerminals, terminalsCredit } from '../../../answers/questions/airport-terminals.ts'
import { arrivalImmigration } from '../../../answers/questions/arrival-immigration.ts'
import { defineQuery } from '../../../answers/questions/define.ts'
import { findAirport } from '../../../answers/questions/find-airport.ts'
import { weatherAt } from '../../../answers/questions/get-delays.ts'
import { BriefOverview, Overview } from '../../../answers/questions/overview-answer.ts'
import { securityEstimate } from '../../../answers/questions/queue-waits.ts'
import { iata } from '../../../answers/questions/shared-fields.ts'
import { delayLines } from '../../../answers/statements/delay-text.ts'
import { localTime } from '../../../answers/statements/local-time.ts'
import { skyText } from '../../../answers/statements/weather-text.ts'
import { overviewText, recommendationOf } from '../../../answers/texts/overview-text.ts'
import { defineTool } from './define.ts'

const query = defineQuery({
  name: 'getAirportOverview',
  input: z.strictObject({ iata }),
  output: Overview,
  answer(input, context) {
    const airport = findAirport(input.iata, context)
    const { snapshot } = context
    const { wait_minutes: average_wait_minutes, ...security } = securityEstimate(airport, context)
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
  const { airport, timestamp, delays, weather } = answer
  return {
    ...answer,
    recommendation: recommendationOf(answer),
    local_now: localTime(Date.parse(timestamp), airport.timezone),
    delays: { ...delays, details: delayLines({ airport: airport.iata, ...delays, weather }, timestamp).slice(1) },
    weather: weather && { ...weather, summary: skyText(weather) },
  }
}

export const getAirportOverviewTool = defineTool<Overview, BriefOverview>({
  name: 'get_airport_overview',
  title: 'An airport at a glance',
  description:
    'An airport: location, time zone, current security wait (with basis and age), passport control of arrivals, terminals, runways, FAA delays and weather. Use it first for a question about one airport.',
  example: { iata: 'JFK' },
  query,
  brief: { output: BriefOverview, of: briefOf },
  limits: { terminals: 8, 'delays.details': 3 },
  text: overviewText,
})
