import { z } from 'zod'
import { defineQuery } from './define.ts'
import { findAirport } from './find-airport.ts'
import { iata } from './shapes.ts'
import { WaitTimes, waitTimesOf } from './wait-times.ts'

export const getWaitTimes = defineQuery({
  name: 'getWaitTimes',
  summary: 'Current wait estimates of an airport',
  description:
    'Current security, check-in and immigration waits, each with its basis, age and source, and the prediction for the coming full hour. Pro: airport level. Enterprise: with terminals, checkpoints and lanes. A measurement older than 6 hours is never shown as current: the answer falls to the prediction and says so.',
  tier: 'pro',
  rest: { method: 'GET', path: '/airports/:iata/wait-times' },
  input: z.strictObject({ iata }),
  output: WaitTimes,
  answer(input, context) {
    return waitTimesOf(findAirport(input.iata, context).iata, context)
  },
})
