import { z } from 'zod'
import type { Directory } from '../../config/airports/directory.ts'
import { Evidence } from '../../config/reference/evidence.ts'
import type { MetroCode } from '../../config/reference/metro-codes.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { airlineFault } from '../search/find-airline.ts'
import { findAirports } from '../search/find-airports.ts'
import { type AirportHit, MATCHED_BY } from '../search/hits.ts'
import { placeText } from '../search/place-text.ts'
import { exchangedCodes } from '../search/similar-codes.ts'
import { AirportEntry, airportEntry } from './airport-entry.ts'
import { defineQuery } from './define.ts'
import { metroOf } from './find-airport.ts'
import { countryFilter, simulated } from './shared-fields.ts'

const FoundAirport = z.strictObject({
  ...AirportEntry.shape,
  place: z.string().describe('City, region and country by name: many places share a city’s name.'),
  matched_by: z.enum(MATCHED_BY).describe('What of the airport the query matched.'),
  matched: z.string().describe('The code or name that matched, as the directory has it.'),
  exact: z.boolean().describe('Whether the query is exactly that code or name.'),
  corrected: z.boolean().describe('Whether the query was read with typing errors, or some of its words were left out.'),
  missing: z
    .string()
    .nullable()
    .describe(
      'The place of the query where the airport is only in the same region or country, as no place of that name is known there; null otherwise.',
    ),
})

const output = z.strictObject({
  airports: z.array(FoundAirport).describe('Best match first.'),
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
  flight: z
    .string()
    .nullable()
    .describe('Where the query is a flight number or an airline and no airport: of which airline.'),
  total: z.int().min(0).describe('Airports that match, also those beyond the limit; the search returns 50 at most.'),
  simulated,
})

export type AirportSearch = z.output<typeof output>

export const searchAirports = defineQuery({
  name: 'searchAirports',
  input: z.strictObject({
    query: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .describe('Name, city or code, e.g. "Heathrow", "München", "KSFO". The first six words count.'),
    country: countryFilter,
    limit: z.int().min(1).max(50).default(5).describe('Maximum number.'),
  }),
  output,
  answer({ country, ...input }, { directory, snapshot }) {
    const found = findAirports(directory, input.query)
    const flight = found[0]?.exact ? null : airlineFault(input.query)
    const near = found.length > 0 ? found : exchangedHits(input.query, directory)
    const all = flight === null ? near : []
    const hits = all.filter(({ airport }) => country === undefined || airport.country === country)
    const named = metroOf(input.query) ?? metroOfCity(all[0])
    // "London" in Canada is no part of LON.
    const metro = hits.length > 0 && country !== undefined && named?.country !== country ? null : named
    return {
      metro: metro && metroEntry(metro),
      airports: hits.slice(0, input.limit).map((hit) => foundAirport(hit, snapshot)),
      flight,
      total: hits.length,
      // The directory is of the real world.
      simulated: false,
    }
  },
})

/** The airports of a code with two letters exchanged, where nothing matches a text. */
const exchangedHits = (text: string, directory: Directory): AirportHit[] =>
  exchangedCodes(text, directory).map((airport) => ({
    airport,
    matched_by: 'IATA code',
    matched: airport.iata,
    exact: false,
    corrected: true,
  }))

/** The metropolitan area that the best match names, in whatever script: London for Лондон. */
function metroOfCity(best: AirportHit | undefined): MetroCode | null {
  if (best?.matched_by !== 'other city name' || best.airport.city === null) return null
  const metro = metroOf(best.airport.city)
  return metro?.airports.some(({ iata }) => iata === best.airport.iata) ? metro : null
}

function foundAirport({ airport, missing, ...hit }: AirportHit, snapshot: Snapshot) {
  return { ...airportEntry(airport, snapshot), place: placeText(airport), ...hit, missing: missing ?? null }
}

function metroEntry({
  metro: code,
  airports,
  code_is_also_an_airport: also_an_airport,
  country: _country,
  ...city
}: MetroCode) {
  return { ...city, code, airports: airports.map(({ iata }) => iata), also_an_airport }
}

export type Found = AirportSearch['airports'][number]
