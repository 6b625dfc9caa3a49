import type { Airport } from '../airports/directory.ts'
import { countryName, withArticle } from './countries.ts'
import { SCHENGEN_STATES, type SchengenState } from './schengen.ts'
import { SMALL_STATES, TERRITORIES_OUTSIDE } from './schengen-territories.ts'

type SchengenPlace = Pick<Airport, 'country' | 'region'> & { iata?: string }

let states: ReadonlyMap<string, SchengenState> | null = null
const territories = new Map(TERRITORIES_OUTSIDE.map((territory) => [territory.code, territory]))

/** The Schengen facts of a country; undefined for a country without an entry, which is outside the area. */
export function schengenState(country: string): SchengenState | undefined {
  states ??= new Map(SCHENGEN_STATES.rows().map((state) => [state.country, state]))
  return states.get(country)
}

/** A place at the begin of a sentence: `The Faroe Islands are`, `Svalbard is`. */
const withVerb = (name: string) => `${withArticle(name).replace(/^t/, 'T')} ${/Islands$/.test(name) ? 'are' : 'is'}`

/** Why a place is outside the Schengen area; null when it is inside. */
export function outsideSchengen({ country, region, iata = '' }: SchengenPlace): string | null {
  const territory = territories.get(country) ?? territories.get(region ?? '') ?? territories.get(iata)
  if (territory) return `${withVerb(territory.name)} outside the Schengen area.`
  const state = schengenState(country)
  if (state?.member) return null
  return `${withVerb(state?.name ?? countryName(country))} not in the Schengen area.`
}

/** Whether an airport is in the Schengen area; false for territories of member states that lie outside it. */
export const isSchengenAirport = (place: SchengenPlace): boolean => outsideSchengen(place) === null

/** The place outside the area whose days count as days in it; undefined for any other country. */
export const countedSmallState = (country: string) =>
  SMALL_STATES.find(({ code, counts }) => code === country && counts)

/** Why the Entry/Exit System has no waits at a place, or who checks its border instead; null within the Schengen area. */
export function withoutEesText(place: SchengenPlace): string | null {
  const outside = outsideSchengen(place)
  if (outside === null) return null
  const small = countedSmallState(place.country)
  return `${outside} ${small ? `${small.name}: ${small.note}.` : 'The Entry/Exit System is not used here.'}`
}
