import { distance } from 'fastest-levenshtein'
import type { Airport, Directory } from '../../../config/airports/directory.ts'
import { airportsLike } from './airport-texts.ts'

const SIZE_ORDER = { large: 0, medium: 1, small: 2 }

/** Lower case without accents, so that "Sao Paulo" finds São Paulo. */
const fold = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()

interface FoldedNames {
  name: string
  city: string
}

const foldedNames = new WeakMap<Directory, Map<string, FoldedNames>>()

function namesOf(directory: Directory): Map<string, FoldedNames> {
  let names = foldedNames.get(directory)
  if (!names) {
    names = new Map(directory.all.map(({ iata, name, city }) => [iata, { name: fold(name), city: fold(city ?? '') }]))
    foldedNames.set(directory, names)
  }
  return names
}

/** A shorter word is as near to many others as to the one that is meant. */
const SHORTEST_TYPO = 4

const vocabularies = new WeakMap<Directory, Map<string, Set<string>>>()

/** Every city, name and word of them, with the codes of the airports that have it. */
function vocabularyOf(directory: Directory): Map<string, Set<string>> {
  let words = vocabularies.get(directory)
  if (!words) {
    words = new Map()
    for (const [iata, { name, city }] of namesOf(directory))
      for (const word of [city, name, ...city.split(/[^a-z0-9]+/), ...name.split(/[^a-z0-9]+/)])
        if (word.length >= SHORTEST_TYPO) words.set(word, (words.get(word) ?? new Set()).add(iata))
    vocabularies.set(directory, words)
  }
  return words
}

/** Slips between a text and the nearest word of an airport, at most one in a short text and two in a long one; by code. */
function slipsByAirport(directory: Directory, text: string): Map<string, number> {
  const most = text.length < 8 ? 1 : 2
  const near = new Map<string, number>()
  for (const [word, airports] of vocabularyOf(directory)) {
    if (Math.abs(word.length - text.length) > most) continue
    const slips = distance(word, text)
    if (slips > most) continue
    for (const iata of airports) near.set(iata, Math.min(slips, near.get(iata) ?? slips))
  }
  return near
}

/** Slips of one word of several: none where an airport has it as written; a short word must be so. */
function slipsByWord(directory: Directory, word: string): Map<string, number> {
  const slips = word.length < SHORTEST_TYPO ? new Map<string, number>() : slipsByAirport(directory, word)
  for (const [iata, { name, city }] of namesOf(directory))
    if (name.includes(word) || city.includes(word)) slips.set(iata, 0)
  return slips
}

/** Slips of all words together, of the airports that have each of them; the first word that none has ends the search. */
function slipsOfAll(directory: Directory, words: string[]): Map<string, number> {
  let found = slipsByWord(directory, words[0]!)
  for (const word of words.slice(1)) {
    if (found.size === 0) return found
    const slips = slipsByWord(directory, word)
    found = new Map([...found].flatMap(([iata, sum]) => (slips.has(iata) ? [[iata, sum + slips.get(iata)!]] : [])))
  }
  return found
}

/** How well an airport answers a search, smaller is better; null when it does not. */
function rank(airport: Airport, names: FoldedNames, text: string): number | null {
  if (airport.iata.toLowerCase() === text) return 0
  if (airport.icao?.toLowerCase() === text) return 1
  if (names.city === text) return 2
  if (names.city.startsWith(text) || names.name.startsWith(text)) return 3
  if (names.name.includes(text) || names.city.includes(text)) return 4
  const words = text.split(/\s+/)
  return words.every((word) => names.name.includes(word) || names.city.includes(word)) ? 5 : null
}

/** All airports that can match as written: whatever is found has the longest word of the search somewhere. */
function worthRanking(directory: Directory, text: string): Pick<Directory, 'all'> {
  const names = namesOf(directory)
  const [longest = ''] = text.split(/\s+/).toSorted((a, b) => b.length - a.length)
  const textOf = ({ iata, icao }: Airport) => {
    const { name, city } = names.get(iata)!
    return `${iata.toLowerCase()} ${icao?.toLowerCase() ?? ''} ${name} ${city}`
  }
  return { all: airportsLike(directory, longest, textOf) }
}

/**
 * Airports by name, city, IATA or ICAO code: the best match first, then large before small, then by code. Where nothing
 * matches as written, names that differ by a slip of the finger do.
 */
export function searchAirports(directory: Directory, query: string): Airport[] {
  const text = fold(query)
    .replace(/[,;()]+/g, ' ')
    .replace(/\b(intl|int'l)\b/g, 'international')
    .replace(/\s+/g, ' ')
    .trim()
  const names = namesOf(directory)
  const exact = ranked(worthRanking(directory, text), (airport) => rank(airport, names.get(airport.iata)!, text))
  if (exact.length > 0 || text.length < SHORTEST_TYPO) return exact
  const near = slipsByAirport(directory, text)
  if (near.size > 0) return ranked(directory, ({ iata }) => near.get(iata) ?? null)
  const words = text.split(/\s+/)
  if (words.length === 1) return []
  const slips = slipsOfAll(directory, words)
  return ranked(directory, ({ iata }) => slips.get(iata) ?? null)
}

function ranked(directory: Pick<Directory, 'all'>, placeOf: (airport: Airport) => number | null): Airport[] {
  const found: { airport: Airport; place: number }[] = []
  for (const airport of directory.all) {
    const place = placeOf(airport)
    if (place !== null) found.push({ airport, place })
  }
  return found
    .sort(
      (a, b) =>
        a.place - b.place ||
        Number(b.airport.scheduled_service) - Number(a.airport.scheduled_service) ||
        SIZE_ORDER[a.airport.size] - SIZE_ORDER[b.airport.size] ||
        (a.airport.iata < b.airport.iata ? -1 : 1),
    )
    .map(({ airport }) => airport)
}
