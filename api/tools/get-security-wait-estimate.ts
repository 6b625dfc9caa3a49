import { z } from 'zod'
import { defineQuery } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { iata, maybeMinutes, provenance, simulated, timestamp, unavailableReason } from '../queries/shapes.ts'
import { queueWaits } from '../queries/wait-times.ts'
import { defineTool, READ_ONLY } from './define.ts'

const output = z.strictObject({
  airport: iata,
  timestamp,
  average_wait_minutes: maybeMinutes.describe('Average security wait of the airport, in minutes; null with a reason.'),
  ...provenance,
  unavailable_reason: unavailableReason,
  simulated,
})

const description =
  'The current security wait of an airport, as one figure for the whole airport: use it for “how long is the queue now?”, anywhere. `basis` says what it is: measured or reported now, or, where no source has a fresh reading, predicted by the airport’s model or typical worldwide. Single lanes and terminals are not told here. Tell the traveller the basis and the age along with the minutes.'

const query = defineQuery({
  name: 'getSecurityWaitEstimate',
  summary: 'Current security wait of an airport',
  description,
  tier: 'free',
  rest: null,
  input: z.strictObject({ iata }),
  output,
  answer(input, context) {
    const airport = findAirport(input.iata, context)
    const { snapshot } = context
    const { terminals: _terminals, ...security } = queueWaits(snapshot.queue(airport.iata, 'security'), 'airport')
    return {
      airport: airport.iata,
      timestamp: snapshot.generated_at,
      ...security,
      simulated: snapshot.simulated,
    }
  },
})

export const getSecurityWaitEstimateTool = defineTool<z.output<typeof output>>({
  name: 'get_security_wait_estimate',
  title: 'Current security wait of an airport',
  description,
  annotations: READ_ONLY,
  example: { iata: 'JFK' },
  query,
  text({ airport, average_wait_minutes, basis, source, age_seconds, unavailable_reason }) {
    if (average_wait_minutes === null) return `${airport}: no figure. ${unavailable_reason ?? ''}`.trim()
    const age = age_seconds === null ? 'not an observation' : `${Math.round(age_seconds / 60)} min ago`
    return `${airport}: about ${average_wait_minutes} minutes at security (${basis}, ${age}, source ${source}).`
  },
})
