import { z } from 'zod'
import type { Airport, Directory } from '../../../config/airports/directory.ts'
import { Evidence } from '../../../config/reference/evidence.ts'
import type { MetroCode } from '../../../config/reference/metro-codes.ts'
import { AirportEntry, airportEntry } from '../queries/airport-entry.ts'
import { countryCodeOf, searchAirports } from '../queries/airport-search.ts'
import { defineQuery } from '../queries/define.ts'
import { metroOf } from '../queries/find-airport.ts'
import { simulated } from '../queries/shared-fields.ts'
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
    .describe('The city that the query names, if it has several airports; null otherwise.'),
  total: z.int().min(0).describe('Airports that match, also those beyond the limit.'),
  simulated,
})
type Answer = z.output<typeof output>

const description =
  'Find airports by name, city, IATA or ICAO code; typing errors and missing accents are tolerated, and city codes with several airports (LON, NYC) are explained. Use it to turn what a traveller calls an airport into the IATA code that the other tools take. `live` says whether a wait-time source gives a reading now. Airfields without an IATA code are not known.'

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
    limit: z.int().min(1).max(50).default(10).describe('Maximum number of airports.'),
  }),
  output,
  answer(input, { directory, snapshot }) {
    const { query, country: namedCountry } = splitCountry(input.query, directory)
    const country = input.country?.toUpperCase() ?? namedCountry
    const metro = metroOf(query)
    const matching = matchingAirports(query, metro, directory).filter(
      (airport) => country === null || airport.country === country,
    )
    return {
      metro: metro && metroEntry(metro),
      airports: matching.slice(0, input.limit).map((airport) => airportEntry(airport, snapshot)),
      total: matching.length,
      simulated: snapshot.simulated,
    }
  },
})

/** Splits "Paris, France" into the query "Paris" and the country code FR. */
function splitCountry(text: string, directory: Directory): { query: string; country: string | null } {
  const comma = text.lastIndexOf(',')
  const country = comma > 0 ? countryCodeOf(directory, text.slice(comma + 1)) : null
  return country === null ? { query: text, country } : { query: text.slice(0, comma).trim(), country }
}

/** The airports of the metropolitan area, then the airports that match by themselves. */
function matchingAirports(query: string, metro: MetroCode | null, directory: Directory): Airport[] {
  const ofMetro = (metro?.airports ?? []).flatMap(({ iata }) => directory.byIata.get(iata) ?? [])
  // A query that is a metropolitan area code must not find airports that only have these letters in their name.
  const isMetroCode = metro?.metro === query.toUpperCase()
  const byName = isMetroCode ? [directory.byIata.get(metro.metro) ?? []].flat() : searchAirports(directory, query)
  return [...new Set([...ofMetro, ...byName])]
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

const metroText = ({ code, name, airports, credit }: NonNullable<Answer['metro']>) =>
  `${code} stands for all airports of ${name}: ${airports.join(', ')}${credit ? ` (${credit})` : ''}.`

function airportText({ iata, icao, name, city, country, scheduled_service }: Answer['airports'][number]): string {
  const place = [city, country].filter(Boolean).join(', ')
  return `${iata}${icao ? ` (${icao})` : ''} ${name}, ${place}${scheduled_service ? '' : ' (no scheduled flights)'}`
}

function answerText({ metro, airports, total }: Answer): string {
  if (airports.length === 0)
    return metro
      ? `No airport matches there, though ${metro.code} stands for ${metro.airports.join(', ')}.`
      : 'No airport matches; try the English name of the city, or a code.'
  const count = total === 1 ? '1 airport matches' : `${total} airports match`
  const shown = total > airports.length ? `; the first ${airports.length}` : ''
  return [...(metro ? [metroText(metro)] : []), `${count}${shown}:`, ...airports.map(airportText)].join('\n')
}

export const searchAirportsTool = defineTool<Answer>({
  name: 'search_airports',
  title: 'Search airports by name, city, IATA or ICAO',
  description,
  annotations: READ_ONLY,
  example: { query: 'sao paulo' },
  query,
  shorten: ['airports'],
  text: answerText,
})
