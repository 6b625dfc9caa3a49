import { z } from 'zod'
import { Tier } from '../../config/vocabulary.ts'
import { AirportEntry, airportEntry } from './airport-entry.ts'
import { defineQuery, type Query } from './define.ts'
import { findAirport } from './find-airport.ts'
import { iata, notice, simulated } from './shared-fields.ts'

const BELOW = '/airports/:iata/'

const Answer = z.strictObject({
  operation: z.string().describe('The operation id in OpenAPI.'),
  summary: z.string(),
  path: z.string().describe('Its path on this server.'),
  csv_path: z.string().nullable().describe('The same as CSV; null where there is none.'),
  tier: Tier.describe('The lowest tier that may ask for it.'),
})

const output = z
  .strictObject({
    ...AirportEntry.shape,
    answers: z.array(Answer).describe('What can be asked about this airport.'),
    notice,
    simulated,
  })
  .meta({ id: 'AirportIndex' })

/** The query of one airport: its entry in the directory, and which of `queries` answer about it. */
export const getAirport = (queries: readonly Query[]): Query => {
  const below = queries.filter(({ rest }) => rest?.path.startsWith(BELOW))
  return defineQuery({
    name: 'getAirport',
    rest: {
      summary: 'One airport, and what can be asked about it',
      description:
        'The entry of the directory, and the path and tier of every answer about this airport. `GET /coverage?iata=` says which of its facts are live, modelled or unavailable.',
      method: 'GET',
      path: '/airports/:iata',
    },
    input: z.strictObject({ iata }),
    output,
    answer(input, context) {
      const airport = findAirport(input.iata, context)
      return {
        ...airportEntry(airport, context.snapshot),
        answers: below.map(({ name, tier, rest }) => {
          const path = `/api/v1${rest!.path.replace(':iata', airport.iata)}`
          return { operation: name, summary: rest!.summary, path, csv_path: rest!.csv ? `${path}.csv` : null, tier }
        }),
        simulated: context.snapshot.simulated,
      }
    },
  })
}
