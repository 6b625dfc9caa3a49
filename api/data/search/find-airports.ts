import type { Airport, Directory } from '../../../config/airports/directory.ts'
import { resolveCode } from '../../../config/airports/resolve-code.ts'
import { fold } from '../../../config/airports/search/fold.ts'
import { METRO_CODES } from '../../../config/reference/metro-codes.ts'
import { lowerBound } from '../../../forecasting/statistics/lower-bound.ts'
import { type IndexedName, NAME_KINDS, type NameIndex, type NameKind, nameIndexOf } from './name-index.ts'
import { isFillWord, isLikeWordAboutAirports, placesIn, queryWords } from './query-words.ts'

/** What of an airport a search text matched. */
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
}

/** How well a hit matches. A better grade hides worse ones: who types a whole name does not mean the start of another. */
enum Grade {
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

interface ScoredHit {
  position: number
  grade: Grade
  score: number
  matched_by: MatchedBy
  matched: string
  /** Shown behind better grades, which hide the other hits of its own. */
  beside?: boolean
}

/** Search results are read by people and agents: what is not among the first is not there. */
const MAX_HITS = { [Grade.code]: 12, [Grade.name]: 50, [Grade.words]: 50, [Grade.start]: 25, [Grade.corrected]: 10 }
/** A code is also the start of names: MUN of Munich. Only the own names of larger airports can be meant. */
const MAX_STARTS_BESIDE_CODE = 4
const MIN_IMPORTANCE_BESIDE_CODE = 0.35

/**
 * The airports that a text means, the likeliest first: an exact code, then airports whose name the text is, then those with
 * its words, then those with words that begin like it, then with typing errors. Among equals the busier one is first. Of a text
 * that names several places, like "JFK or Newark", the likeliest of each place come first.
 */
export function findAirports(directory: Directory, query: string): AirportHit[] {
  const index = nameIndexOf(directory)
  const hits = hitsOfPlaces(directory, index, query) ?? scoredHits(directory, index, query)
  return hits.map((hit) => airportHit(index, hit))
}

/** The next airport of the same name is out of the question when it scores less by this. */
const SCORE_OF_DOUBT = 2

/** The one airport that a text means without doubt, like "Heathrow"; null for "London", whose airports are the choices. */
export function meantAirport(directory: Directory, query: string): { airport: Airport | null; choices: AirportHit[] } {
  const index = nameIndexOf(directory)
  const ofPlaces = hitsOfPlaces(directory, index, query)
  if (ofPlaces) return { airport: null, choices: ofPlaces.map((hit) => airportHit(index, hit)) }
  const hits = scoredHits(directory, index, query)
  const exact = hits.filter(({ grade, position }) => grade >= Grade.name && isServed(index, position))
  const [first, second] = exact
  const isMeant =
    first !== undefined &&
    first === hits[0] &&
    first.matched_by !== 'metropolitan area code' &&
    (second === undefined || first.score - second.score > SCORE_OF_DOUBT)
  return {
    airport: isMeant ? index.airports[first.position]! : null,
    choices: hits.map((hit) => airportHit(index, hit)),
  }
}

function scoredHits(directory: Directory, index: NameIndex, query: string): ScoredHit[] {
  const { words, text } = queryWords(query)
  const byCode = codeHits(directory, index, query, text)
  const byName = hitsByName(index, words, text)
  return select(index, text, [...byCode, ...byName])
}

/**
 * The hits of a text that names several places, those of each in turn; null where it names one: where its words together are a
 * name, as of Trinidad and Tobago, or where a part of it is not written like a code or a name.
 */
function hitsOfPlaces(directory: Directory, index: NameIndex, query: string): ScoredHit[] | null {
  const places = placesIn(query)
  if (places.length < 2 || hitsAsWritten(directory, index, query).length > 0) return null
  const ofEach = places.map((place) => hitsAsWritten(directory, index, place))
  if (ofEach.some((hits) => hits.length === 0)) return null
  const longest = Math.max(...ofEach.map((hits) => hits.length))
  const inTurn = Array.from({ length: longest }, (_, at) => ofEach.flatMap((hits) => hits[at] ?? [])).flat()
  const seen = new Set<number>()
  return inTurn.filter(({ position }) => !seen.has(position) && seen.add(position)).slice(0, MAX_HITS[Grade.name])
}

/** The hits of a text that is a code, or all of whose words are in a name as they are written. */
function hitsAsWritten(directory: Directory, index: NameIndex, query: string): ScoredHit[] {
  const { words, text } = queryWords(query)
  const byCode = codeHits(directory, index, query, text)
  const { hits: byName } = words.every(isFillWord) ? { hits: [] } : namesAsTyped(index, words, text)
  const written = [...byCode, ...byName].filter(({ grade }) => grade >= Grade.words)
  return written.length === 0 ? [] : select(index, text, written)
}

const airportHit = (index: NameIndex, { position, grade, matched_by, matched }: ScoredHit): AirportHit => ({
  airport: index.airports[position]!,
  matched_by,
  matched: spelled(index, position, matched),
  exact: grade >= Grade.name,
  corrected: grade === Grade.corrected,
})

const HAS_MARKS = /[^\0-\x7f]/

/** A name as the airport's own names write it: "München" for "Munchen", because lists of names leave marks out. */
function spelled(index: NameIndex, position: number, name: string): string {
  if (HAS_MARKS.test(name)) return name
  return name.replace(/[a-z]{3,}/gi, (word) => spelledWord(index, position, word))
}

function spelledWord(index: NameIndex, position: number, word: string): string {
  const id = index.positionOfWord.get(word.toLowerCase())
  if (id === undefined) return word
  let found = word
  for (let at = index.starts[id]!; at < index.starts[id + 1]!; at += 1) {
    const { text, kind, target } = index.names[index.namesWithWord[at]!]!
    const isOwn = kind === 'airport name'
    if ((!isOwn && kind !== 'other airport name') || !target.airports.includes(position)) continue
    const written = text.split(/[^\p{L}\p{M}]+/u).find((other) => fold(other) === word.toLowerCase())
    if (written === undefined) continue
    if (isOwn) return HAS_MARKS.test(written) ? written : word
    if (HAS_MARKS.test(written)) found = written
  }
  return found
}

/** Whether airlines fly to an airport. */
const isServed = (index: NameIndex, position: number) => index.airports[position]!.scheduled_service

/** Whether the airport's city or name begins with a text. */
const beginsLike = ({ city, name }: Airport, text: string) =>
  [city ?? '', name].some((own) => fold(own).startsWith(text))

/** Sorts hits, keeps the best of each airport, and hides hits that a better grade makes pointless. */
function select(index: NameIndex, text: string, hits: ScoredHit[]): ScoredHit[] {
  const sorted = hits.sort(
    (a, b) => b.score - a.score || (index.airports[a.position]!.iata < index.airports[b.position]!.iata ? -1 : 1),
  )
  const seen = new Set<number>()
  const distinct = sorted.filter(({ position }) => !seen.has(position) && seen.add(position))
  const best = Math.max(...distinct.map(({ grade }) => grade))
  if (best !== Grade.code) {
    const served = Math.max(...distinct.map(({ grade, position }) => (isServed(index, position) ? grade : -1)))
    const least = served === Grade.name ? Grade.words : Math.min(served, Grade.start)
    const shown = distinct.filter(({ grade }) => grade >= least).slice(0, MAX_HITS[best as Grade] ?? 0)
    const larger = distinct.filter((hit) => hit.beside && !shown.includes(hit))
    return [...shown.slice(0, 2), ...larger, ...shown.slice(2)]
  }
  const isMetro = distinct.some(({ matched_by }) => matched_by === 'metropolitan area code')
  const exact = distinct.filter(({ grade }) => grade >= (isMetro ? Grade.code : Grade.name))
  const starts = distinct.filter(
    ({ grade, position }) =>
      !isMetro &&
      grade === Grade.start &&
      beginsLike(index.airports[position]!, text) &&
      index.importance[position]! >= MIN_IMPORTANCE_BESIDE_CODE,
  )
  return [...exact.slice(0, MAX_HITS[Grade.code]), ...starts.slice(0, MAX_STARTS_BESIDE_CODE)]
}

const CODE_SCORE = 1_000

/** Letters with marks are no code: Åbo is Turku, not ABO. */
const codeHits = (directory: Directory, index: NameIndex, query: string, text: string): ScoredHit[] =>
  HAS_MARKS.test(query.normalize('NFKC')) ? [] : hitsByCode(directory, index, text)

/** Hits of a text that is a code: the airport's own, then those of the metropolitan area. */
function hitsByCode(directory: Directory, index: NameIndex, text: string): ScoredHit[] {
  const code = text.toUpperCase()
  const hits: ScoredHit[] = []
  const add = (airport: Airport | undefined, matched_by: MatchedBy, score: number) => {
    const position = airport ? positionOf(index, airport) : -1
    if (position >= 0) hits.push({ position, grade: Grade.code, score, matched_by, matched: code })
  }
  add(directory.byIata.get(code), 'IATA code', CODE_SCORE)
  const metro = METRO_CODES.rows().find((row) => row.metro === code)
  const members = metro?.airports.toSorted((a, b) => (b.traffic_rank ?? 0) - (a.traffic_rank ?? 0)) ?? []
  for (const [order, { iata }] of members.entries())
    add(directory.byIata.get(iata), 'metropolitan area code', CODE_SCORE - 10 - order / 10)
  const resolved = resolveCode(code, directory)
  if (resolved?.how === 'former') add(resolved.airport, 'former code', CODE_SCORE - 5)
  if (resolved?.how === 'closed') add(resolved.successor ?? undefined, 'closed airport', CODE_SCORE - 5)
  const byIcao = directory.byIcao.get(code)
  if (byIcao?.scheduled_service) add(byIcao, 'ICAO code', CODE_SCORE - 20)
  else if (byIcao) addAirfield(hits, index, byIcao, code)
  if (/\d/.test(code) || code.length === 3) add(directory.byFaaId.get(code), 'FAA id', CODE_SCORE - 30)
  return hits
}

/** The ICAO code of an airfield may be a city's name too, or its letters: what many travellers mean goes first. */
function addAirfield(hits: ScoredHit[], index: NameIndex, airport: Airport, code: string): void {
  hits.push({
    position: positionOf(index, airport),
    grade: Grade.name,
    score: 12,
    matched_by: 'ICAO code',
    matched: code,
  })
}

const positionOf = (index: NameIndex, { iata }: Airport) => positionsByCode(index).get(iata) ?? -1

/** A text as it is searched: its words that must be found, and all of it. */
interface Searched {
  words: string[]
  text: string
}

/** A word of the index that a word of the text may mean. */
interface Reading {
  /** The word's position in the index. */
  word: number
  /** 1 for the word itself, less for the start of it or with errors. */
  quality: number
}

/** Words after this many are not looked for; a text without spaces is taken apart into more than it seems to have. */
const MAX_SEARCHED_WORDS = 8

/**
 * From this importance on a hit is what was meant, so that no typing errors are looked for. The start of a name is less sure than
 * its words: Bangok is rather Bangkok than the start of Bangoka.
 */
const MIN_IMPORTANCE_TO_TRUST: Partial<Record<Grade, number>> = {
  [Grade.corrected]: Number.POSITIVE_INFINITY,
  [Grade.start]: 0.4,
  [Grade.words]: 0.15,
  [Grade.name]: 0.15,
  [Grade.code]: 0.15,
}

function hitsByName(index: NameIndex, words: string[], text: string): ScoredHit[] {
  if (words.length === 0) return []
  if (words.every(isFillWord)) return hitsOfFillWords(index, text)
  const { searched, readings, hits } = namesAsTyped(index, words, text)
  if (hits.some((hit) => index.importance[hit.position]! >= (MIN_IMPORTANCE_TO_TRUST[hit.grade] ?? 0)))
    return [...hits, ...largerNearby(index, searched, hits)]
  const joined = splitInTwo(index, searched)
  if (joined.length > 0) return [...hits, ...joined]
  // An airfield that hardly anyone flies to must not hide what was mistyped.
  for (const hit of hits)
    if (hit.grade < Grade.name) {
      hit.score -= SCORE_OF_CORRECTION
      if (hit.grade === Grade.start) hit.grade = Grade.corrected
    }
  const doubtful = doubtfulWords(index, searched.words)
  const corrected = searched.words.map((word, position) =>
    doubtful.has(word) ? [...readings[position]!, ...correctionsOf(index, word)] : readings[position]!,
  )
  const matches = matchNames(index, corrected)
  const withErrors = scoreMatches(index, searched, matches, (1 << searched.words.length) - 1, true)
  if (withErrors.length > 0 || searched.words.length === 1) return [...hits, ...withErrors]
  return [...hits, ...scorePartly(index, searched, matches)]
}

/** The hits of words as they are typed, the last of which may be the start of one. */
function namesAsTyped(index: NameIndex, words: string[], text: string) {
  const searched = {
    words: withoutMistypedNoise(index, words)
      .flatMap((word) => segments(index, word))
      .slice(0, MAX_SEARCHED_WORDS),
    text,
  }
  const last = searched.words.length - 1
  const readings = searched.words.map((word, position) => readingsOf(index, word, position === last))
  return { searched, readings, hits: score(index, searched, readings, false) }
}

/** Leaves out words that are near to one about airports and belong to no name: "aiport". */
function withoutMistypedNoise(index: NameIndex, words: string[]): string[] {
  const kept = words.filter((word) => index.positionOfWord.has(word) || !isLikeWordAboutAirports(word))
  return kept.length > 0 ? kept : words
}

/** "la" is a name, "in" is none: only whole names count. */
function hitsOfFillWords(index: NameIndex, text: string): ScoredHit[] {
  const hits: ScoredHit[] = []
  for (const name of index.namesOfFillWords.get(text) ?? []) pushHits(hits, index, index.names[name]!, Grade.name, 10)
  return hits
}

/** Who types the name of a small place, or a name from far away, may have mistyped that of a large one: "orando" is Oran's too. */
const MAX_IMPORTANCE_OF_SMALL = 0.4
const MIN_IMPORTANCE_OF_LARGE = 0.5
const MAX_LARGER = 2

/** The large airports whose own name is one typing error away from a word that is no own name of a large one; they go behind it. */
function largerNearby(index: NameIndex, searched: Searched, hits: readonly ScoredHit[]): ScoredHit[] {
  const [word, ...others] = searched.words
  if (word === undefined || others.length > 0 || word.length < MIN_LETTERS_FOR_LARGER) return []
  const isLarge = ({ position, matched_by }: ScoredHit) =>
    index.importance[position]! >= MAX_IMPORTANCE_OF_SMALL && !OTHER_NAMES.has(matched_by)
  if (hits.some(isLarge)) return []
  const nearest = correctionsOf(index, word).filter(({ quality }) => quality >= QUALITY_OF_ONE_ERROR)
  return scoreMatches(index, searched, matchNames(index, [nearest]), 1, true)
    .filter(
      ({ position, matched_by }) => index.importance[position]! >= MIN_IMPORTANCE_OF_LARGE && OWN_NAMES.has(matched_by),
    )
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_LARGER)
    .map((hit) => Object.assign(hit, { beside: true }))
}

const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Mc}ー]+$/u

/** Splits a text of a script without spaces into the longest known words; unknown rests are left out. */
function segments(index: NameIndex, word: string): string[] {
  if (index.positionOfWord.has(word) || !UNSPACED.test(word)) return [word]
  const found: string[] = []
  for (let at = 0; at < word.length; ) {
    let end = Math.min(word.length, at + 16)
    while (end > at + 1 && !index.positionOfWord.has(word.slice(at, end))) end -= 1
    if (end > at + 1) found.push(word.slice(at, end))
    at = end
  }
  return found.length > 0 ? found.slice(0, 4) : [word]
}

/** Longer lists of words that begin alike say nothing about what is meant. */
const MAX_STARTS = 1_500
const MIN_START_LETTERS = 2

/** The word itself, and for the last word of a text also the words that begin with it: it may not be typed out. */
function readingsOf(index: NameIndex, word: string, isLast: boolean): Reading[] {
  const position = index.positionOfWord.get(word)
  const readings: Reading[] = position === undefined ? [] : [{ word: position, quality: 1 }]
  if (!isLast || (word.length < MIN_START_LETTERS && !UNSPACED.test(word))) return readings
  const first = lowerBound(index.words, word)
  for (let at = first; at < index.words.length && at < first + MAX_STARTS; at += 1) {
    const other = index.words[at]!
    if (!other.startsWith(word)) break
    if (at !== position) readings.push({ word: at, quality: 0.4 + (0.5 * word.length) / other.length })
  }
  return readings
}

/** Shorter words are one typing error away from too many other words. */
const MIN_LETTERS_FOR_ERRORS = 4
const MIN_LETTERS_FOR_LARGER = 5
const QUALITY_OF_ONE_ERROR = 0.75
const MIN_LETTERS_FOR_TWO_ERRORS = 7
const MAX_LETTERS_FOR_ERRORS = 24

/** Each word costs a look through the words of about its length. */
const MAX_WORDS_WITH_ERRORS = 2
/** Of many similar words only the most similar can be meant. */
const MAX_CORRECTIONS = 60

/** The words that are likely mistyped: those of no name; where there are none, the longest. */
function doubtfulWords(index: NameIndex, words: string[]): Set<string> {
  const unknown = words.filter((word) => !index.positionOfWord.has(word))
  const longest = words.toSorted((a, b) => b.length - a.length).slice(0, 1)
  return new Set((unknown.length > 0 ? unknown : longest).slice(0, MAX_WORDS_WITH_ERRORS))
}

function correctionsOf(index: NameIndex, word: string): Reading[] {
  if (word.length < MIN_LETTERS_FOR_ERRORS || word.length > MAX_LETTERS_FOR_ERRORS) return []
  const max = word.length < MIN_LETTERS_FOR_TWO_ERRORS ? 1 : 2
  return index.similarWords
    .of(word, max)
    .filter(({ errors }) => errors > 0)
    .slice(0, MAX_CORRECTIONS)
    .map(({ index: other, errors }) => ({ word: other, quality: errors === 1 ? QUALITY_OF_ONE_ERROR : 0.5 }))
}

/** "losangeles" is "los angeles" without the space. */
function splitInTwo(index: NameIndex, { words, text }: Searched): ScoredHit[] {
  for (const [position, word] of words.entries()) {
    if (index.positionOfWord.has(word)) continue
    const hits: ScoredHit[] = []
    for (let at = 2; at <= word.length - 2; at += 1) {
      const parts = [word.slice(0, at), word.slice(at)].filter((part) => !isFillWord(part))
      if (parts.some((part) => !index.positionOfWord.has(part))) continue
      const whole = words.toSpliced(position, 1, ...parts)
      const readings = whole.map((part) => readingsOf(index, part, false))
      // A word like "te" beside a hamlet's name is rather a typing error: "charlote" is not Charlo.
      const hasFill = parts.length === 1
      const found = score(index, { words: whole, text }, readings, true).filter(
        (hit) => hit.score >= 8 && (!hasFill || index.importance[hit.position]! >= MAX_IMPORTANCE_OF_SMALL),
      )
      hits.push(...found)
    }
    if (hits.length > 0) return hits
  }
  return []
}

/** What the words of a text matched in one name. */
interface NameMatch {
  name: IndexedName
  /** One bit for each word of the text that the name has. */
  mask: number
  /** The share of the name's letters that the text has. */
  completeness: number
  /** The mean quality of the words. */
  quality: number
}

const lettersIn = (words: readonly string[]) => words.reduce((sum, word) => sum + word.length, 0)

/** What the words of a text matched in each name, by the name's position; reused, as an index has very many names. */
class NameMatches {
  private readonly masks: Uint16Array
  private readonly letters: Float32Array
  private readonly qualities: Float32Array
  private readonly counts: Uint8Array
  private touched: number[] = []

  constructor(private readonly index: NameIndex) {
    const size = index.names.length
    this.masks = new Uint16Array(size)
    this.letters = new Float32Array(size)
    this.qualities = new Float32Array(size)
    this.counts = new Uint8Array(size)
  }

  /** The names with a word of the text, each with all words of the text that it has. */
  of(readings: Reading[][]): NameMatch[] {
    for (const [bit, ofWord] of readings.entries()) for (const reading of ofWord) this.addReading(1 << bit, reading)
    const matches = this.touched.map((position) => this.take(position))
    this.touched = []
    return matches
  }

  private addReading(bit: number, { word, quality }: Reading): void {
    const { starts, namesWithWord, words } = this.index
    const letters = words[word]!.length * quality
    for (let at = starts[word]!; at < starts[word + 1]!; at += 1) {
      const name = namesWithWord[at]!
      if (this.masks[name]! & bit) continue
      if (this.masks[name] === 0) this.touched.push(name)
      this.masks[name]! |= bit
      this.letters[name]! += letters
      this.qualities[name]! += quality
      this.counts[name]! += 1
    }
  }

  private take(position: number): NameMatch {
    const name = this.index.names[position]!
    const match = {
      name,
      mask: this.masks[position]!,
      completeness: Math.min(1, this.letters[position]! / name.letters + 1e-6),
      quality: this.qualities[position]! / this.counts[position]!,
    }
    this.masks[position] = 0
    this.letters[position] = 0
    this.qualities[position] = 0
    this.counts[position] = 0
    return match
  }
}

const nameMatches = new WeakMap<NameIndex, NameMatches>()

function matchNames(index: NameIndex, readings: Reading[][]): NameMatch[] {
  let matches = nameMatches.get(index)
  if (!matches) {
    matches = new NameMatches(index)
    nameMatches.set(index, matches)
  }
  return matches.of(readings)
}

const isArea = ({ kind }: IndexedName) => kind === 'country' || kind === 'region'

/** Hits whose names, country and region together have all words of the text. */
function score(index: NameIndex, searched: Searched, readings: Reading[][], corrected: boolean): ScoredHit[] {
  return scoreMatches(index, searched, matchNames(index, readings), (1 << searched.words.length) - 1, corrected)
}

/** Hits with as many words of the text as any airport has, at least half of its letters. */
function scorePartly(index: NameIndex, searched: Searched, matches: NameMatch[]): ScoredHit[] {
  const { words } = searched
  const all = (1 << words.length) - 1
  const lettersOf = (mask: number) => lettersIn(words.filter((_, bit) => mask & (1 << bit)))
  const masks = [...new Set(matches.filter(({ name }) => !isArea(name)).map(({ mask }) => mask))]
    .filter((mask) => mask !== all && lettersOf(mask) * 2 >= lettersIn(words))
    .sort((a, b) => lettersOf(b) - lettersOf(a))
  for (const mask of masks.slice(0, 3)) {
    const hits = scoreMatches(
      index,
      searched,
      matches.filter((match) => (match.mask & mask) === mask),
      mask,
      true,
    )
    if (hits.length > 0) return hits
  }
  return []
}

const WEIGHT_OF_IMPORTANCE = 4
const KIND_SCORE: Partial<Record<NameKind, number>> = {
  'other city name': -0.4,
  'other airport name': -0.2,
  nickname: 0.6,
  city: 0,
  'metropolitan area': -0.3,
  region: -1.4,
  country: -2.5,
}
const NEAR_SCORE = -4
/** Who types a code beside a name means that airport. */
const SCORE_OF_CODE = 6
const SCORE_OF_CORRECTION = 3

interface AirportMatch {
  mask: number
  best: NameMatch
  score: number
  near: boolean
}

function scoreMatches(
  index: NameIndex,
  { words, text }: Searched,
  matches: NameMatch[],
  all: number,
  corrected: boolean,
): ScoredHit[] {
  const areas = areaMasks(matches)
  const maskOfArea = (area: string | null) => (area === null ? 0 : (areas.get(area) ?? 0))
  const named = namedMasks(index, matches, maskOfArea)
  const coded = codeMasks(index, words)
  const airports = new Map<number, AirportMatch>()
  const isCovered = (position: number) => {
    if (named[position] === 0) return false
    return ((named[position]! | (coded.get(position) ?? 0)) & all) === all
  }
  for (const match of matches) {
    const { target } = match.name
    const mask = maskOf(match, maskOfArea)
    if (isArea(match.name) && (mask & all) !== all) continue
    const own = scoreOfName(match, mask, all, text)
    for (const [order, airport] of target.airports.entries())
      if (isCovered(airport)) note(airports, airport, match, mask, target.ordered ? own - 0.05 * order : own, false)
    for (const airport of target.near)
      if (isCovered(airport)) note(airports, airport, match, mask, own + NEAR_SCORE, true)
  }
  const hits: ScoredHit[] = []
  for (const [position, { mask, best, score, near }] of airports) {
    const codes = (coded.get(position) ?? 0) & ~mask
    const importance = best.name.target.ordered
      ? index.importance[best.name.target.airports[0]!]!
      : index.importance[position]!
    const total = score + WEIGHT_OF_IMPORTANCE * importance + (codes === 0 ? 0 : SCORE_OF_CODE)
    hits.push({
      position,
      grade: gradeOf(best, corrected),
      score: corrected ? total - SCORE_OF_CORRECTION : total,
      matched_by: near ? 'nearby city' : best.name.kind,
      matched: best.name.text,
    })
  }
  if (areas.size > 0) addHitsOfCodes(index, coded, maskOfArea, airports, all, hits)
  return demoteOtherNames(index, hits, words.length)
}

const maskOf = ({ name, mask }: NameMatch, maskOfArea: (area: string) => number) =>
  name.target.areas.reduce((sum, area) => sum | maskOfArea(area), mask)

/** For each airport the words of the text that its names, country and region have together. */
function namedMasks(index: NameIndex, matches: NameMatch[], maskOfArea: (area: string | null) => number): Uint16Array {
  const masks = new Uint16Array(index.airports.length)
  for (const match of matches) {
    const mask = maskOf(match, maskOfArea)
    for (const airport of match.name.target.airports) masks[airport]! |= mask
    for (const airport of match.name.target.near) masks[airport]! |= mask
  }
  return masks
}

/**
 * From this importance on a city or airport is known by its own name, and an airport that only another name matches goes
 * behind it: Manchester is not Richmond, though GeoNames calls that so too.
 */
const MIN_KNOWN_IMPORTANCE: Partial<Record<MatchedBy, number>> = { 'other city name': 0.45, 'other airport name': 0.25 }
const SCORE_OF_OTHER_NAME = 2
const OTHER_NAMES = new Set<MatchedBy>(['other city name', 'other airport name', 'nearby city'])
const OWN_NAMES = new Set<MatchedBy>(['city', 'airport name', 'metropolitan area'])

function demoteOtherNames(index: NameIndex, hits: ScoredHit[], words: number): ScoredHit[] {
  // A name that was read with typing errors is whole when it has as many words.
  const isName = ({ grade, matched }: ScoredHit) =>
    grade === Grade.name || (grade === Grade.corrected && fold(matched).split(' ').length === words)
  const known = Math.max(
    ...hits.map((hit) => (isName(hit) && OWN_NAMES.has(hit.matched_by) ? index.importance[hit.position]! : 0)),
  )
  for (const hit of hits)
    if (known >= (MIN_KNOWN_IMPORTANCE[hit.matched_by] ?? Number.POSITIVE_INFINITY)) hit.score -= SCORE_OF_OTHER_NAME
  return hits
}

/** The words of the text that are the name of a country or region, by its code. */
function areaMasks(matches: NameMatch[]): Map<string, number> {
  const masks = new Map<string, number>()
  for (const { name, mask, completeness, quality } of matches)
    if (isArea(name) && completeness === 1 && quality === 1)
      for (const area of name.target.areas) masks.set(area, (masks.get(area) ?? 0) | mask)
  return masks
}

function note(
  airports: Map<number, AirportMatch>,
  airport: number,
  match: NameMatch,
  mask: number,
  score: number,
  near: boolean,
): void {
  const known = airports.get(airport)
  if (!known) {
    airports.set(airport, { mask, best: match, score, near })
    return
  }
  known.mask |= mask
  if (score > known.score) {
    known.best = match
    known.score = score
    known.near = near
  }
}

/** A name that the text is scores 10; one with all words of the text less, by how much of it the text has. */
function scoreOfName(match: NameMatch, mask: number, all: number, text: string): number {
  const { name, completeness, quality } = match
  const missing = countBits(all & ~mask)
  const kind = KIND_SCORE[name.kind] ?? 0
  if (isWhole(match)) return 10 + kind - 2 * missing
  const start = missing === 0 && startsWithText(name, text) ? 1 : 0
  return (4 + 4 * completeness) * (0.5 + 0.5 * quality) + kind + start - 2 * missing
}

const isWhole = ({ completeness, quality }: NameMatch) => completeness === 1 && quality === 1

/** Whether a text of several words is typed as the name begins: "los ang" of Los Angeles. */
const startsWithText = ({ text }: IndexedName, typed: string) => typed.includes(' ') && fold(text).startsWith(typed)

function gradeOf(match: NameMatch, corrected: boolean): Grade {
  if (corrected) return Grade.corrected
  if (isWhole(match)) return Grade.name
  return match.quality === 1 ? Grade.words : Grade.start
}

function countBits(mask: number): number {
  let count = 0
  for (let rest = mask; rest > 0; rest &= rest - 1) count += 1
  return count
}

const codePositions = new WeakMap<NameIndex, Map<string, number>>()

/** The positions of airports by IATA and ICAO code. */
function positionsByCode(index: NameIndex): Map<string, number> {
  const known = codePositions.get(index)
  if (known) return known
  const positions = new Map<string, number>()
  for (const [position, { iata, icao }] of index.airports.entries()) {
    positions.set(iata, position)
    if (icao !== null) positions.set(icao, position)
  }
  codePositions.set(index, positions)
  return positions
}

/** The words of a text that are codes, by the position of their airport: "LAX Los Angeles". */
function codeMasks(index: NameIndex, words: string[]): Map<number, number> {
  const masks = new Map<number, number>()
  if (words.length === 1) return masks
  const positions = positionsByCode(index)
  for (const [bit, word] of words.entries()) {
    const position = positions.get(word.toUpperCase())
    if (position !== undefined) masks.set(position, (masks.get(position) ?? 0) | (1 << bit))
  }
  return masks
}

/** Airports of which the text has the code, and besides only the country or region: "LHR UK". */
function addHitsOfCodes(
  index: NameIndex,
  coded: ReadonlyMap<number, number>,
  maskOfArea: (area: string | null) => number,
  known: ReadonlyMap<number, AirportMatch>,
  all: number,
  hits: ScoredHit[],
): void {
  for (const [position, codes] of coded) {
    if (known.has(position)) continue
    const airport = index.airports[position]!
    const area = maskOfArea(airport.country) | maskOfArea(airport.region)
    if (((codes | area) & all) === all)
      hits.push({ position, grade: Grade.name, score: 16, matched_by: 'IATA code', matched: airport.iata })
  }
}

function pushHits(hits: ScoredHit[], index: NameIndex, name: IndexedName, grade: Grade, score: number): void {
  const { target } = name
  const add = (position: number, matched_by: MatchedBy, points: number, order: number) => {
    const importance = target.ordered
      ? index.importance[target.airports[0]!]! - 0.01 * order
      : index.importance[position]!
    hits.push({ position, grade, score: points + WEIGHT_OF_IMPORTANCE * importance, matched_by, matched: name.text })
  }
  const kind = KIND_SCORE[name.kind] ?? 0
  for (const [order, position] of target.airports.entries()) add(position, name.kind, score + kind, order)
  for (const position of target.near) add(position, 'nearby city', score + kind + NEAR_SCORE, 0)
}
