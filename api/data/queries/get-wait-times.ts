import { z } from 'zod'
import { defineQuery } from './define.ts'
import { findAirport } from './find-airport.ts'
import { WaitTimes, waitTimesOf } from './queue-waits.ts'
import { iata } from './shared-fields.ts'

export const getWaitTimes = defineQuery({
  name: 'getWaitTimes',
  summary: 'Current wait estimates of an airport',
  description:
    'Current security, check-in and immigration waits, each with its basis, age and source, and the prediction for the coming full hour. Pro: airport level. Enterprise: with terminals, checkpoints and lanes, each with its own age and source. The wait is the average over the open standard lanes that are shown. Among the sources with a reading under 1 hour old the one nearest to the queue is heard: airport, vendor, authority, airline, an operator’s import, aggregator, travellers’ reports; the newest of equals. Only where none is that fresh, those under 6 hours, by the same order. A terminal that it does not tell of, or only with an older figure, is filled in from the next source if both name at least one terminal alike, unless that is an aggregator or travellers’ reports more than 15 minutes away from it. Readings that a quality check flagged take no part. A measurement older than 6 hours is never shown as current: the answer falls to the prediction and says so.',
  tier: 'pro',
  rest: { method: 'GET', path: '/airports/:iata/wait-times' },
  input: z.strictObject({ iata }),
  output: WaitTimes,
  answer(input, context) {
    return waitTimesOf(findAirport(input.iata, context).iata, context)
  },
})
