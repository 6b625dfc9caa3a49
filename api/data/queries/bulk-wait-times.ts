import { z } from 'zod'
import { Iata } from '../../../config/domain.ts'
import { TIERS } from '../../../config/tiers.ts'
import { defineQuery } from './define.ts'
import { WaitTimes, waitTimesOf } from './queue-waits.ts'
import { simulated } from './shared-fields.ts'

const MOST = TIERS.enterprise.bulk_airports

export const bulkWaitTimes = defineQuery({
  name: 'bulkWaitTimes',
  summary: 'Wait estimates of many airports',
  description: `The wait-times answers of up to ${MOST} airports in the order asked; a code given twice is answered once, and codes that no airport has are listed in \`not_found\`. One request is one call.`,
  tier: 'enterprise',
  rest: { method: 'POST', path: '/airports/bulk' },
  input: z.strictObject({
    codes: z
      .array(Iata)
      .min(1, 'must name at least one airport')
      .max(MOST, `must name at most ${MOST} airports`)
      .describe('IATA codes.')
      .meta({ examples: [['JFK', 'LAX']] }),
  }),
  output: z
    .strictObject({
      data: z.array(WaitTimes),
      not_found: z.array(Iata).describe('Codes that no airport has.'),
      simulated,
    })
    .meta({ id: 'BulkWaitTimes' }),
  answer({ codes }, context) {
    const known = (code: string) => context.directory.byIata.has(code)
    const asked = [...new Set(codes)]
    return {
      data: asked.filter(known).map((code) => waitTimesOf(code, context)),
      not_found: asked.filter((code) => !known(code)),
      simulated: context.snapshot.simulated,
    }
  },
})
