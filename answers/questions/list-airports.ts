import { z } from 'zod'
import { AirportSize } from '../../config/vocabulary.ts'
import { searchAirports } from '../search/find-airports.ts'
import { AirportEntry, airportEntry } from './airport-entry.ts'
import { defineQuery } from './define.ts'
import { countryFilter, Pagination, pageInput, pageOf, simulated } from './shared-fields.ts'

const input = z.strictObject({
  country: countryFilter,
  q: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe(
      'Search by any name: airport, city in any language, former name, nickname, region, or IATA, ICAO and city code. The best match is first; an exact code comes before names, and then the busiest airport. Typing errors are tolerated; the first six words count; 50 airports at most.',
    )
    .meta({ examples: ['new york'] }),
  live: z
    .boolean()
    .optional()
    .describe('Only airports with (true) or without (false) a live reading now.')
    .meta({ examples: [true] }),
  size: AirportSize.optional()
    .describe('Only airports of this size.')
    .meta({ examples: ['large'] }),
  ...pageInput,
})

const output = z
  .strictObject({
    data: z.array(AirportEntry),
    pagination: Pagination,
    simulated,
  })
  .meta({ id: 'AirportPage' })

type Answer = z.output<typeof output>

export const listAirports = defineQuery({
  name: 'listAirports',
  rest: {
    summary: 'List supported airports',
    description:
      'A page of the airport directory, sorted by IATA code, or by relevance with `q`. The `Link` header names the first, previous, next and last page.',
    method: 'GET',
    path: '/airports',
    csv: {
      columns: Object.keys(AirportEntry.shape),
      rows: (answer: Answer) => answer.data.map((airport) => ({ ...airport, sources: airport.sources.join(' ') })),
    },
  },
  input,
  output,
  answer({ country, q, live, size, ...pageRequest }, { directory, snapshot }) {
    const candidates = q === undefined ? directory.all : searchAirports(directory, q)
    const matching = candidates.filter(
      (airport) =>
        (country === undefined || airport.country === country) &&
        (size === undefined || airport.size === size) &&
        (live === undefined || snapshot.coverage(airport.iata).live === live),
    )
    const { rows, pagination } = pageOf(matching, pageRequest)
    return {
      data: rows.map((airport) => airportEntry(airport, snapshot)),
      pagination,
      simulated: snapshot.simulated,
    }
  },
})
