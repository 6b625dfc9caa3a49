import { z } from 'zod'
import { ParameterError } from '../../config/errors.ts'
import { ComparedAirport, comparedAirport } from './compared-airport.ts'
import { hasOwnWait, shortestWait } from './compared-waits.ts'
import { defineQuery } from './define.ts'
import { recommendationOf } from './recommended-airport.ts'
import { iata, notice, simulated, timestamp } from './shared-fields.ts'

const output = z.strictObject({
  recommended: iata
    .nullable()
    .describe('The airport to prefer for its delays and security now; null when nothing speaks for one.'),
  recommendation: z.string().describe('The reason in a sentence, with what is not certain.'),
  timestamp,
  airports: z.array(ComparedAirport).describe('In the requested order, each once.'),
  shortest_wait: iata
    .nullable()
    .describe('The airport with the shortest security wait; null unless all waits are comparable and one is shortest.'),
  comparable: z
    .boolean()
    .describe(
      'Whether all waits are the airports’ own: measured, reported or forecast from their past. A typical wait is not; airports whose security is closed are left out.',
    ),
  notice,
  simulated,
})

export type Comparison = z.output<typeof output>

export const compareAirports = defineQuery({
  name: 'compareAirports',
  input: z.strictObject({
    airports: z
      .array(iata)
      .min(2)
      .max(5)
      .meta({ examples: [['JFK', 'EWR']] }),
  }),
  output,
  answer({ airports: codes }, context) {
    // Names and former codes may mean one airport: PBI is DJT.
    const [first, ...others] = new Set(codes)
    if (others.length === 0)
      throw ParameterError.of('airports', `must name at least two airports: all of these are ${first}`)
    const airports = [first!, ...others].map((code) => ComparedAirport.parse(comparedAirport(code, context)))
    const open = airports.filter(({ security }) => security.status !== 'closed' && security.airport_closure === null)
    const comparable = open.length > 0 && open.every(hasOwnWait)
    return {
      ...recommendationOf(airports, context.snapshot.generated_at),
      timestamp: context.snapshot.generated_at,
      airports,
      comparable,
      shortest_wait: comparable ? shortestWait(airports) : null,
      simulated: context.snapshot.simulated,
    }
  },
})
