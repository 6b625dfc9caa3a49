import type { Airport } from '../../config/airports/directory.ts'
import { fold } from '../../config/airports/search/fold.ts'
import { SEARCH_NAMES } from '../../config/airports/search/search-names.ts'
import { countryName } from '../../config/reference/countries.ts'

/** Countries that are written by their letters. */
const SHORT_NAMES: Record<string, string> = { AE: 'UAE', GB: 'UK', US: 'US' }

let regions: ReadonlyMap<string, string> | null = null

function regionName(region: string): string | undefined {
  regions ??= new Map(SEARCH_NAMES.regions().map(({ region: code, names }) => [code, names[0] ?? code]))
  return regions.get(region)
}

/**
 * The place of an airport as people write it: "Portland, Oregon, US", "George Town, Cayman Islands". Many places share a name,
 * so the region and the country are always named.
 */
export function placeText({ city, region, country }: Pick<Airport, 'city' | 'region' | 'country'>): string {
  const land = SHORT_NAMES[country] ?? countryName(country)
  const name = city ?? land
  if (fold(name) === fold(land)) return name
  const part = region === null ? undefined : regionName(region)
  return part === undefined || fold(part) === fold(name) ? `${name}, ${land}` : `${name}, ${part}, ${land}`
}
