import { z } from 'zod'
import { airportEntry } from '../queries/airport-entry.ts'
import { searchAirports } from '../queries/airport-search.ts'
import { defineQuery } from '../queries/define.ts'
import { AirportEntry, simulated } from '../queries/shapes.ts'
import { defineTool, READ_ONLY } from './define.ts'

const output = z.strictObject({
  airports: z.array(AirportEntry).describe('Best match first.'),
  total: z.int().min(0).describe('Airports that match, also those beyond the limit.'),
  simulated,
})

const description =
  'Find airports by name, city, IATA or ICAO code. Use it to turn what a traveller calls an airport into the IATA code that the other tools take. `live` says whether a wait-time source gives a reading now.'

const query = defineQuery({
  name: 'searchAirports',
  summary: 'Search airports by name, city, IATA or ICAO',
  description,
  tier: 'free',
  rest: null,
  input: z.strictObject({
    query: z.string().trim().min(1).max(100).describe('Name, city or code, e.g. "Heathrow", "New York", "KSFO".'),
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/, 'must be an ISO 3166-1 code of two letters, like US')
      .optional()
      .describe('Only this country (ISO 3166-1 alpha-2).'),
    limit: z.int().min(1).max(50).default(10).describe('Most airports to return.'),
  }),
  output,
  answer({ query, country, limit }, { directory, snapshot }) {
    const wanted = country?.toUpperCase()
    const found = searchAirports(directory, query).filter(
      (airport) => wanted === undefined || airport.country === wanted,
    )
    return {
      airports: found.slice(0, limit).map((airport) => airportEntry(airport, snapshot)),
      total: found.length,
      simulated: snapshot.simulated,
    }
  },
})

export const searchAirportsTool = defineTool<z.output<typeof output>>({
  name: 'search_airports',
  title: 'Search airports by name, city, IATA or ICAO',
  description,
  annotations: READ_ONLY,
  example: { query: 'sao paulo' },
  query,
  text: ({ airports, total }) =>
    airports.length === 0
      ? 'No airport matches.'
      : [
          `${total} airport${total === 1 ? '' : 's'} match${total === 1 ? 'es' : ''}:`,
          ...airports.map(
            ({ iata, icao, name, city, country }) =>
              `${iata}${icao ? ` (${icao})` : ''} ${name}, ${[city, country].filter(Boolean).join(', ')}`,
          ),
        ].join('\n'),
})
