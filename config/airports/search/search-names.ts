import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { projectFile } from '../../paths.ts'

/** A place and the airports that a traveller to it uses. Lists are one text: codes apart by a space, names by a bar. */
export const PlaceNames = z.strictObject({
  /** The place's number in GeoNames. */
  id: z.int(),
  place: z.string(),
  country: z.string().length(2),
  /** ISO 3166-2, of places in the US. */
  region: z.string().optional(),
  people: z.int(),
  airports: z.string().optional(),
  /** The nearest airports with flights. */
  near: z.string().optional(),
  names: z.string(),
})

/** Names of an airport beside the one that the directory shows. */
export const OtherNames = z.strictObject({
  iata: z.string(),
  base: z.string().optional(),
  names: z.string().optional(),
})

export const CountryNames = z.strictObject({
  country: z.string().length(2),
  alpha3: z.string().length(3),
  names: z.array(z.string()),
})
export type CountryNames = z.infer<typeof CountryNames>

export const RegionNames = z.strictObject({
  /** ISO 3166-2. */
  region: z.string(),
  names: z.array(z.string()),
  /** The letters by which people write the region: ME for Maine. */
  letters: z.string().nullable(),
})

const KNOWN_AS_KINDS = ['nickname', 'former name', 'short name', 'area', 'city', 'closed airport'] as const

/** Popular names of one or several airports that no data package has; written by hand, each row with its source. */
export const KnownAs = z.strictObject({
  name: z.string(),
  kind: z.enum(KNOWN_AS_KINDS),
  /** Codes apart by a space, the first choice first. */
  airports: z.string(),
  source: z.string().min(4),
})

/** An airport and its rank by flights: 1 for the largest. */
export const TrafficRank = z.tuple([z.string(), z.number()])

function rowsOf<Row extends z.ZodType>(name: string, _row: Row): () => z.output<Row>[] {
  return () => {
    const text = readFileSync(projectFile('config', 'airports', 'search', `${name}.json`), 'utf8')
    return (JSON.parse(text) as { rows: z.output<Row>[] }).rows
  }
}

/** The files of names, read anew at each call; a test checks their rows. */
export const SEARCH_NAMES = {
  places: rowsOf('places', PlaceNames),
  otherNames: rowsOf('other-names', OtherNames),
  countries: rowsOf('countries', CountryNames),
  regions: rowsOf('regions', RegionNames),
  knownAs: rowsOf('known-as', KnownAs),
  traffic: rowsOf('traffic', TrafficRank),
}
