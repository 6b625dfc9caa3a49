import type { Airport, Directory } from '../../config/airports/directory.ts'
import { SEARCH_NAMES } from '../../config/airports/search/search-names.ts'
import { once } from '../../config/once.ts'
import type { AirportSize } from '../../config/vocabulary.ts'

const SIZE_ORDER: Record<AirportSize, number> = { large: 0, medium: 1, small: 2 }
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const MAX_SIMILAR = 3

/** Traffic of the 200 busiest airports: other airports are one letter away from too many codes. */
const MIN_TRAFFIC_OF_WRONG_LETTER = 0.1

/** Traffic rank by IATA code: higher is busier. */
const trafficRanks = once(() => new Map(SEARCH_NAMES.traffic()))

/** Codes of the airports near a railway station, by the code of the station. */
const stations = once(() => new Map(SEARCH_NAMES.knownAs().map(({ name, airports }) => [name, airports.split(' ')])))

const isCode = (text: string) => /^[A-Za-z]{3}$/.test(text)

const servedOf = (codes: readonly string[], { byIata }: Directory) =>
  codes.flatMap((code) => byIata.get(code) ?? []).filter(({ scheduled_service }) => scheduled_service)

/** The airports with flights whose code has two letters next to each other exchanged: JFK for JKF. The largest and busiest first. */
export function exchangedCodes(text: string, directory: Directory): Airport[] {
  if (!isCode(text)) return []
  const [a = '', b = '', c = ''] = text.toUpperCase()
  return servedOf([`${b}${a}${c}`, `${a}${c}${b}`], directory).toSorted(bySizeAndTraffic)
}

/**
 * The airports with flights that may be meant by a code that none has: two letters exchanged, or, unless that is a large
 * airport, one letter wrong of the code of a busy one (JFL); for the code of a railway station, the airports near it. The
 * largest and busiest first, three at most.
 */
export function similarCodes(text: string, directory: Directory): Airport[] {
  if (!isCode(text)) return []
  const stationCodes = stations().get(text.toUpperCase())
  if (stationCodes) return servedOf(stationCodes, directory).slice(0, MAX_SIMILAR)
  const isLarge = ({ size }: Airport) => size === 'large'
  const exchanged = exchangedCodes(text, directory)
  if (exchanged.some(isLarge)) return exchanged
  const [a = '', b = '', c = ''] = text.toUpperCase()
  const wrong = LETTERS.flatMap((letter) => [`${letter}${b}${c}`, `${a}${letter}${c}`, `${a}${b}${letter}`])
  const busy = servedOf(wrong, directory).filter((airport) => trafficOf(airport) >= MIN_TRAFFIC_OF_WRONG_LETTER)
  const similar = [...exchanged, ...busy]
  return similar.toSorted(bySizeAndTraffic).slice(0, MAX_SIMILAR)
}

const trafficOf = ({ iata }: Airport) => trafficRanks().get(iata) ?? 0

const bySizeAndTraffic = (airport: Airport, other: Airport) =>
  SIZE_ORDER[airport.size] - SIZE_ORDER[other.size] || trafficOf(other) - trafficOf(airport)

/** The end of an error: `; LHR (London Heathrow Airport) may be meant`; empty where there are none. */
export const meantText = (airports: readonly Airport[]) =>
  airports.length === 0 ? '' : `; ${airports.map(({ iata, name }) => `${iata} (${name})`).join(' or ')} may be meant`
