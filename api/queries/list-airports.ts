import { z } from 'zod'
import { AirportSize } from '../../config/domain.ts'
import { airportEntry } from './airport-entry.ts'
import { searchAirports } from './airport-search.ts'
import { defineQuery } from './define.ts'
import { AirportEntry, simulated } from './shapes.ts'

const input = z.strictObject({
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'must be an ISO 3166-1 code of two letters, like US')
    .optional()
    .describe('Only airports of this country (ISO 3166-1 alpha-2).'),
  q: z.string().trim().min(1).max(100).optional().describe('Search by name, city, IATA or ICAO code.'),
  live: z.boolean().optional().describe('Only airports with (true) or without (false) a live reading now.'),
  size: AirportSize.optional().describe('Only airports of this size.'),
  limit: z.int().min(1).max(200).default(50).describe('Page size.'),
  page: z.int().min(1).max(1_000_000).default(1).describe('Page number; past the last page `data` is empty.'),
})

const output = z
  .strictObject({
    data: z.array(AirportEntry),
    pagination: z.strictObject({
      page: z.int().min(1),
      limit: z.int().min(1),
      total: z.int().min(0).describe('Airports that match.'),
      total_pages: z.int().min(0),
    }),
    simulated,
  })
  .meta({ id: 'AirportPage' })

type Output = z.output<typeof output>

export const listAirports = defineQuery({
  name: 'listAirports',
  summary: 'List supported airports',
  description:
    'A page of the airport directory, sorted by IATA code, or by relevance when `q` is given. The `Link` header names the first, previous, next and last page.',
  tier: 'free',
  rest: {
    method: 'GET',
    path: '/airports',
    csv: {
      columns: Object.keys(AirportEntry.shape),
      rows: (answer: Output) => answer.data.map((airport) => ({ ...airport, sources: airport.sources.join(' ') })),
    },
  },
  input,
  output,
  answer({ country, q, live, size, limit, page }, { directory, snapshot }) {
    const wanted = country?.toUpperCase()
    const found = (q === undefined ? directory.all : searchAirports(directory, q)).filter(
      (airport) =>
        (wanted === undefined || airport.country === wanted) &&
        (size === undefined || airport.size === size) &&
        (live === undefined || snapshot.coverage(airport.iata).live === live),
    )
    return {
      data: found.slice((page - 1) * limit, page * limit).map((airport) => airportEntry(airport, snapshot)),
      pagination: { page, limit, total: found.length, total_pages: Math.ceil(found.length / limit) },
      simulated: snapshot.simulated,
    }
  },
})
