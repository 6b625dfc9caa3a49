import { z } from 'zod'
import { nullableMinutes } from '../../config/answer-schemas.ts'
import { defineQuery } from './define.ts'
import { findAirport } from './find-airport.ts'
import { securityEstimate, securityEstimateFields } from './queue-waits.ts'
import { iata, no_flights, notice, simulated, timestamp } from './shared-fields.ts'

const output = z.strictObject({
  airport: iata,
  timezone: z.string(),
  timestamp,
  average_wait_minutes: nullableMinutes.describe(
    'Average security wait of the airport, in minutes; null with a reason.',
  ),
  ...securityEstimateFields,
  notice,
  no_flights,
  simulated,
})

export type SecurityEstimate = z.output<typeof output>

export const getSecurityWaitEstimate = defineQuery({
  name: 'getSecurityWaitEstimate',
  input: z.strictObject({ iata }),
  output,
  answer(input, context) {
    const { iata: airport, timezone } = findAirport(input.iata, context)
    const { snapshot } = context
    const { wait_minutes: average_wait_minutes, ...security } = securityEstimate({ iata: airport, timezone }, context)
    return {
      airport,
      timezone,
      timestamp: snapshot.generated_at,
      average_wait_minutes,
      ...security,
      simulated: snapshot.simulated,
    }
  },
})
