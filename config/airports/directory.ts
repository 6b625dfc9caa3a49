import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { projectFile } from '../paths.ts'
import { AirportSize, Iata } from '../vocabulary.ts'

export const Runway = z.strictObject({
  ident: z.string().nullable().describe('Both ends, e.g. 04L/22R; null: not known.'),
  length_ft: z.number().nullable(),
  width_ft: z.number().nullable(),
  surface: z.string().nullable().describe('As the source writes it.'),
})
export type Runway = z.infer<typeof Runway>

/** One airport of the directory: the fields of the contract plus runways. */
export const Airport = z.strictObject({
  iata: Iata,
  icao: z.string().nullable(),
  name: z.string(),
  city: z.string().nullable(),
  country: z.string().length(2),
  region: z.string().nullable(),
  latitude: z.number(),
  longitude: z.number(),
  elevation_ft: z.number().nullable(),
  timezone: z.string(),
  size: AirportSize,
  scheduled_service: z.boolean(),
  /** The FAA's id in the US and its territories; null elsewhere. */
  faa_id: z.string().nullable(),
  /** Every open land runway of the airport, longest first; empty when no source counts them. */
  runways: z.array(Runway),
  /** Known for some airports whose runways nobody counts. */
  longest_runway_ft: z.number().nullable(),
})
export type Airport = z.infer<typeof Airport>

/**
 * Why the typical waits of airports of its size do not hold for one, as a clause; null where they do. No source of those waits counts the few
 * passengers of a heliport; those of the directory have the word in their names.
 */
export function withoutTypicalWaits({ name, scheduled_service }: Airport): string | null {
  if (!scheduled_service) return 'it has no scheduled service'
  return /\bheli(?:port|pad)\b/i.test(name) ? 'it is a heliport' : null
}

export const hasTypicalWaits = (airport: Airport): boolean => withoutTypicalWaits(airport) === null

export interface Directory {
  /** Sorted by IATA code. */
  all: readonly Airport[]
  byIata: ReadonlyMap<string, Airport>
  byIcao: ReadonlyMap<string, Airport>
  byFaaId: ReadonlyMap<string, Airport>
}

let cached: Directory | null = null

/** The airport directory, read once from config/airports/directory.json (built by `npm run airports`). */
export function airportDirectory(): Directory {
  cached ??= indexAirports(corrected(readJson('directory.json') as Airport[]))
  return cached
}

const readJson = (...path: string[]): unknown =>
  JSON.parse(readFileSync(projectFile('config', 'airports', ...path), 'utf8'))

/** Cities of airports whose own sources name none, each with its source: config/airports/search/cities.json. */
export const CityRow = z.strictObject({ iata: Iata, city: z.string(), source: z.string() })

/** Adds what the directory's own source lacks. */
function corrected(all: Airport[]): Airport[] {
  const { rows } = readJson('search', 'cities.json') as { rows: z.infer<typeof CityRow>[] }
  const cities = new Map(rows.map(({ iata, city }) => [iata, city]))
  const left = new Set((readJson('without-flights.json') as { iata: string }[]).map(({ iata }) => iata))
  for (const airport of all) {
    airport.city ??= cities.get(airport.iata) ?? null
    // Its own source says of some that airlines have left that they fly there.
    if (left.has(airport.iata)) airport.scheduled_service = false
  }
  return all
}

/** Indexes a list of airports by their three codes. */
export function indexAirports(all: Airport[]): Directory {
  const byIata = new Map<string, Airport>()
  const byIcao = new Map<string, Airport>()
  const byFaaId = new Map<string, Airport>()
  for (const airport of all) {
    byIata.set(airport.iata, airport)
    if (airport.icao) byIcao.set(airport.icao, airport)
    if (airport.faa_id) byFaaId.set(airport.faa_id, airport)
  }
  return { all, byIata, byIcao, byFaaId }
}

/** The time zone of an airport; UTC where the directory does not have it. */
export const timezoneOf = (iata: string): string => airportDirectory().byIata.get(iata)?.timezone ?? 'UTC'
