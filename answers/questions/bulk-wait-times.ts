import { z } from 'zod'
import { TIERS } from '../../config/tiers.ts'
import { Iata } from '../../config/vocabulary.ts'
import { defineQuery } from './define.ts'
import { WaitTimes, waitTimesOfAirport } from './get-wait-times.ts'
import { notice, simulated } from './shared-fields.ts'

const MAX_CODES = TIERS.enterprise.bulk_airports

export const bulkWaitTimes = defineQuery({
  name: 'bulkWaitTimes',
  tier: 'enterprise',
  rest: {
    summary: 'Wait estimates of many airports',
    description: `The wait-times answers of up to ${MAX_CODES} airports in the requested order; a repeated code is answered once, and unknown codes are listed in \`not_found\`. One request is one call.`,
    method: 'POST',
    path: '/airports/bulk',
  },
  input: z.strictObject({
    codes: z
      .array(Iata)
      .min(1, 'must name at least one airport')
      .max(MAX_CODES, `must name at most ${MAX_CODES} airports`)
      .describe('IATA codes.')
      .meta({ examples: [['JFK', 'LAX']] }),
  }),
  output: z
    .strictObject({
      data: z.array(WaitTimes),
      not_found: z.array(Iata).describe('Codes of no airport in the directory.'),
      notice,
      simulated,
    })
    .meta({ id: 'BulkWaitTimes' }),
  answer({ codes }, context) {
    const { byIata } = context.directory
    const requested = [...new Set(codes)]
    return {
      data: requested.flatMap((code) => byIata.get(code) ?? []).map((airport) => waitTimesOfAirport(airport, context)),
      not_found: requested.filter((code) => !byIata.has(code)),
      simulated: context.snapshot.simulated,
    }
  },
})
