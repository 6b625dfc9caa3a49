import { z } from 'zod'
import { Evidence } from '../../../config/reference/evidence.ts'
import type { MetroCode } from '../../../config/reference/metro-codes.ts'
import { airportEntry } from '../queries/airport-entry.ts'
import { searchAirports } from '../queries/airport-search.ts'
import { countryOf } from '../queries/country-of.ts'
import { defineQuery } from '../queries/define.ts'
import { metroOf } from '../queries/metro-of.ts'
import { AirportEntry, simulated } from '../queries/shared-fields.ts'
import { defineTool, READ_ONLY } from './define.ts'

const output = z.strictObject({
  airports: z.array(AirportEntry).describe('Best match first.'),
  metro: z
    .strictObject({
      code: z.string().describe('Metropolitan area code: stands for all airports of a city, like LON.'),
      name: z.string(),
      airports: z.array(z.string()).describe('IATA codes, the busiest first.'),
      also_an_airport: z.boolean().describe('Whether one airport has the same code.'),
      ...Evidence.shape,
    })
    .nullable()
    .describe('The city that the query names, where it has several airports; null otherwise.'),
  total: z.int().min(0).describe('Airports that match, also those beyond the limit.'),
  simulated,
})

const description =
  'Find airports by name, city, IATA or ICAO code, slips and missing accents forgiven; city codes with several airports (LON, NYC) are explained. Use it to turn what a traveller calls an airport into the IATA code that the other tools take. `live` says whether a wait-time source gives a reading now. Fields without an IATA code are not known.'

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
  answer({ query: asked, country, limit }, { directory, snapshot }) {
    const { query, of } = apart(asked, (name) => countryOf(directory, name))
    const wanted = country?.toUpperCase() ?? of
    const metro = metroOf(query)
    const ofMetro = (metro?.airports ?? []).flatMap(({ iata }) => directory.byIata.get(iata) ?? [])
    // Whoever writes a city's code means its airports, and none that only has these letters in its name.
    const exact = metro?.metro === query.toUpperCase()
    const named = exact ? [directory.byIata.get(metro.metro) ?? []].flat() : searchAirports(directory, query)
    const found = [...new Set([...ofMetro, ...named])].filter(
      (airport) => wanted === null || airport.country === wanted,
    )
    return {
      metro: metro && metroEntry(metro),
      airports: found.slice(0, limit).map((airport) => airportEntry(airport, snapshot)),
      total: found.length,
      simulated: snapshot.simulated,
    }
  },
})

/** "Paris, France" is Paris, in France. */
function apart(asked: string, countryNamed: (name: string) => string | null): { query: string; of: string | null } {
  const comma = asked.lastIndexOf(',')
  const of = comma > 0 ? countryNamed(asked.slice(comma + 1)) : null
  return of === null ? { query: asked, of } : { query: asked.slice(0, comma).trim(), of }
}

function metroEntry({ metro, name, airports, code_is_also_an_airport, source, as_of, credit, caution }: MetroCode) {
  return {
    code: metro,
    name,
    airports: airports.map(({ iata }) => iata),
    also_an_airport: code_is_also_an_airport,
    source,
    as_of,
    credit,
    caution,
  }
}

const metroLine = ({ code, name, airports, credit }: NonNullable<z.output<typeof output>['metro']>) =>
  `${code} stands for all airports of ${name}: ${airports.join(', ')}${credit ? ` (${credit})` : ''}.`

export const searchAirportsTool = defineTool<z.output<typeof output>>({
  name: 'search_airports',
  title: 'Search airports by name, city, IATA or ICAO',
  description,
  annotations: READ_ONLY,
  example: { query: 'sao paulo' },
  query,
  text: ({ metro, airports, total }) =>
    airports.length === 0
      ? `No airport matches${metro ? ` there, though ${metro.code} stands for ${metro.airports.join(', ')}` : '; try the English name of the city, or a code'}.`
      : [
          ...(metro ? [metroLine(metro)] : []),
          `${total} airport${total === 1 ? '' : 's'} match${total === 1 ? 'es' : ''}${total > airports.length ? `; the first ${airports.length}` : ''}:`,
          ...airports.map(
            ({ iata, icao, name, city, country, scheduled_service }) =>
              `${iata}${icao ? ` (${icao})` : ''} ${name}, ${[city, country].filter(Boolean).join(', ')}${scheduled_service ? '' : ' (no scheduled flights)'}`,
          ),
        ].join('\n'),
})
