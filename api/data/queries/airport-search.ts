import { distance } from 'fastest-levenshtein'
import type { Airport, Directory } from '../../../config/airports/directory.ts'

/** Words with fewer letters are one typing error away from too many other words. */
const MIN_LENGTH_FOR_TYPOS = 4

/**
 * Airports by name, city, IATA or ICAO code: the best match first, then large before small, then by code. If nothing
 * matches exactly, names with one or two typing errors match.
 */
export function searchAirports(directory: Directory, query: string): Airport[] {
  const text = fold(query)
    .replace(/[,;()]+/g, ' ')
    .replace(/\b(intl|int'l)\b/g, 'international')
    .replace(/\s+/g, ' ')
    .trim()
  const names = foldedNamesOf(directory)
  const exact = sortByRank(candidatesFor(directory, text), (airport) => rank(airport, names.get(airport.iata)!, text))
  if (exact.length > 0 || text.length < MIN_LENGTH_FOR_TYPOS) return exact
  const typos = typosByAirport(directory, text)
  if (typos.size > 0) return sortByRank(directory.all, ({ iata }) => typos.get(iata) ?? null)
  const words = text.split(/\s+/)
  if (words.length === 1) return []
  const typosOfWords = typosOfAllWords(directory, words)
  return sortByRank(directory.all, ({ iata }) => typosOfWords.get(iata) ?? null)
}

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

function foldedNamesOf(directory: Directory): Map<string, FoldedNames> {
  let names = foldedNames.get(directory)
  if (!names) {
    names = new Map(directory.all.map(({ iata, name, city }) => [iata, { name: fold(name), city: fold(city ?? '') }]))
    foldedNames.set(directory, names)
  }
  return names
}

/** How well an airport matches a search text, smaller is better; null when it does not match. */
function rank(airport: Airport, names: FoldedNames, text: string): number | null {
  if (airport.iata.toLowerCase() === text) return 0
  if (airport.icao?.toLowerCase() === text) return 1
  if (names.city === text) return 2
  if (names.city.startsWith(text) || names.name.startsWith(text)) return 3
  if (names.name.includes(text) || names.city.includes(text)) return 4
  const words = text.split(/\s+/)
  return words.every((word) => names.name.includes(word) || names.city.includes(word)) ? 5 : null
}

const SIZE_ORDER = { large: 0, medium: 1, small: 2 }

/** The airports with a rank, the smallest first; then scheduled service, size and code decide. */
function sortByRank(airports: readonly Airport[], rankOf: (airport: Airport) => number | null): Airport[] {
  const ranked: { airport: Airport; rank: number }[] = []
  for (const airport of airports) {
    const rank = rankOf(airport)
    if (rank !== null) ranked.push({ airport, rank })
  }
  return ranked
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        Number(b.airport.scheduled_service) - Number(a.airport.scheduled_service) ||
        SIZE_ORDER[a.airport.size] - SIZE_ORDER[b.airport.size] ||
        (a.airport.iata < b.airport.iata ? -1 : 1),
    )
    .map(({ airport }) => airport)
}

/** The airports that can match exactly: every match contains the longest word of the search text. */
function candidatesFor(directory: Directory, text: string): readonly Airport[] {
  const names = foldedNamesOf(directory)
  const [longest = ''] = text.split(/\s+/).toSorted((a, b) => b.length - a.length)
  return airportsWithText(directory, longest, ({ iata, icao }) => {
    const { name, city } = names.get(iata)!
    return `${iata.toLowerCase()} ${icao?.toLowerCase() ?? ''} ${name} ${city}`
  })
}

/** For each sequence of three letters, the positions in the directory of the airports whose text contains it. */
type TrigramIndex = Map<string, number[]>

const trigramIndexes = new WeakMap<Directory, TrigramIndex>()

const trigramsOf = (text: string) =>
  Array.from({ length: Math.max(0, text.length - 2) }, (_, start) => text.slice(start, start + 3))

function trigramIndexOf(directory: Directory, textOf: (airport: Airport) => string): TrigramIndex {
  const known = trigramIndexes.get(directory)
  if (known) return known
  const index: TrigramIndex = new Map()
  for (const [position, airport] of directory.all.entries())
    for (const trigram of trigramsOf(textOf(airport))) {
      const positions = index.get(trigram)
      if (!positions) index.set(trigram, [position])
      else if (positions.at(-1) !== position) positions.push(position)
    }
  trigramIndexes.set(directory, index)
  return index
}

/**
 * At least all airports whose text contains a word, in the directory's order. It finds them by an index of trigrams, a
 * hundred times faster than by reading every text. `textOf` is called once for each airport of a directory.
 */
export function airportsWithText(
  directory: Directory,
  word: string,
  textOf: (airport: Airport) => string,
): readonly Airport[] {
  const trigrams = trigramsOf(word)
  if (trigrams.length === 0) return directory.all
  const index = trigramIndexOf(directory, textOf)
  const [fewest = []] = trigrams.map((trigram) => index.get(trigram) ?? []).sort((a, b) => a.length - b.length)
  return fewest.map((position) => directory.all[position]!)
}

const vocabularies = new WeakMap<Directory, Map<string, Set<string>>>()

/** Every city, name and word of them, with the codes of the airports that have it. */
function vocabularyOf(directory: Directory): Map<string, Set<string>> {
  let words = vocabularies.get(directory)
  if (!words) {
    words = new Map()
    for (const [iata, { name, city }] of foldedNamesOf(directory))
      for (const word of [city, name, ...city.split(/[^a-z0-9]+/), ...name.split(/[^a-z0-9]+/)])
        if (word.length >= MIN_LENGTH_FOR_TYPOS) words.set(word, (words.get(word) ?? new Set()).add(iata))
    vocabularies.set(directory, words)
  }
  return words
}

/** The fewest typing errors between a text and a word of each airport, by code: at most one in a short text, two in a long one. */
function typosByAirport(directory: Directory, text: string): Map<string, number> {
  const maxTypos = text.length < 8 ? 1 : 2
  const typosOf = new Map<string, number>()
  for (const [word, airports] of vocabularyOf(directory)) {
    if (Math.abs(word.length - text.length) > maxTypos) continue
    const typos = distance(word, text)
    if (typos > maxTypos) continue
    for (const iata of airports) typosOf.set(iata, Math.min(typos, typosOf.get(iata) ?? typos))
  }
  return typosOf
}

/** Typing errors in one word of several, by airport code: 0 where the airport has the word itself; a short word allows no error. */
function typosOfWord(directory: Directory, word: string): Map<string, number> {
  const typos = word.length < MIN_LENGTH_FOR_TYPOS ? new Map<string, number>() : typosByAirport(directory, word)
  for (const [iata, { name, city }] of foldedNamesOf(directory))
    if (name.includes(word) || city.includes(word)) typos.set(iata, 0)
  return typos
}

/** Typing errors in all words together, by code of the airports that match each word. */
function typosOfAllWords(directory: Directory, words: string[]): Map<string, number> {
  const [first = '', ...others] = words
  let sums = typosOfWord(directory, first)
  for (const word of others) {
    if (sums.size === 0) return sums
    const typos = typosOfWord(directory, word)
    sums = new Map([...sums].flatMap(([iata, sum]) => (typos.has(iata) ? [[iata, sum + typos.get(iata)!]] : [])))
  }
  return sums
}

const COUNTRY_NAMES = new Intl.DisplayNames('en', { type: 'region' })
/** Common names that are neither an ISO 3166-1 code nor the full English name. */
const COMMON_COUNTRY_NAMES: Record<string, string> = { uk: 'GB', usa: 'US', england: 'GB', scotland: 'GB', wales: 'GB' }

const countryCodes = new WeakMap<Directory, Map<string, string>>()

/** The ISO 3166-1 code of a country with airports, by its English name or its code; null for any other word. */
export function countryCodeOf(directory: Directory, name: string): string | null {
  let codes = countryCodes.get(directory)
  if (!codes) {
    codes = new Map()
    for (const code of new Set(directory.all.map(({ country }) => country))) {
      codes.set(code.toLowerCase(), code)
      codes.set((COUNTRY_NAMES.of(code) ?? code).toLowerCase(), code)
    }
    countryCodes.set(directory, codes)
  }
  const word = name.trim().toLowerCase()
  return codes.get(word) ?? COMMON_COUNTRY_NAMES[word] ?? null
}
