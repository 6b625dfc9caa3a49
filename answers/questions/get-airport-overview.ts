import { z } from 'zod'
import { airportEntry } from './airport-entry.ts'
import { airportTerminals, terminalsCredit } from './airport-terminals.ts'
import { arrivalImmigration } from './arrival-immigration.ts'
import { defineQuery } from './define.ts'
import { findAirport } from './find-airport.ts'
import { delaysAt, weatherAt } from './get-delays.ts'
import { Overview } from './overview-answer.ts'
import { securityEstimate } from './queue-waits.ts'
import { iata } from './shared-fields.ts'

export const getAirportOverview = defineQuery({
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
      delays: delaysAt(airport.iata, context),
      weather: weatherAt(airport.icao, context),
      weather_alerts: snapshot.weatherAlerts(airport.iata),
      simulated: snapshot.simulated,
    }
  },
})
