import type { Airport } from '../../config/airports/directory.ts'
import { NAME_KINDS } from './name-index.ts'

/** The part of an airport that a search text matched. */
export const MATCHED_BY = [
  'IATA code',
  'ICAO code',
  'FAA id',
  'former code',
  'metropolitan area code',
  ...NAME_KINDS,
  'nearby city',
] as const
export type MatchedBy = (typeof MATCHED_BY)[number]

export interface AirportHit {
  airport: Airport
  matched_by: MatchedBy
  /** The code or name that matched. */
  matched: string
  /** Whether the text is exactly the code or name, apart from words that are not about a name. */
  exact: boolean
  /** Whether the text had to be read with typing errors, or with words left out. */
  corrected: boolean
  /** The place of the text where none of that name is known in the region or country by which the airport matched; absent for others. */
  missing?: string
}

/** How well a hit matches. A better grade hides worse ones: a whole name is not meant as the start of another. */
export enum Grade {
  /** Words were read with typing errors or left out. */
  corrected = 0,
  /** The last word is the start of a word. */
  start = 1,
  /** All words are in its names. */
  words = 2,
  /** The text is one of its names. */
  name = 3,
  code = 4,
}

/** Whether the whole text is the name of a hit; such a hit goes before those near it or also called so. */
export enum Naming {
  /** Another name of the airport or its city, the name of a place nearby, or no whole name. */
  other = 0,
  /** The name of a place or region that it serves, of an airport without scheduled flights, or another name of a large airport. */
  serves = 1,
  /** The name of the airport, of its own city or of its country. */
  is = 2,
  code = 3,
}

export interface ScoredHit {
  position: number
  grade: Grade
  naming: Naming
  score: number
  matched_by: MatchedBy
  matched: string
  /** Whether a matched name of a city is that of the airport's own, not of a place that it serves; absent for codes. */
  of_own_city?: boolean
  /** Whether the text lacks a letter of the name of a city, which is `matched`. */
  respelt?: boolean
  /** Shown behind better grades, which hide the other hits of its own. */
  beside?: boolean
}

/** Whether a hit is by the name of a country, state or province. */
export const isOfArea = ({ matched_by }: Pick<ScoredHit, 'matched_by'>): boolean =>
  matched_by === 'country' || matched_by === 'region'
