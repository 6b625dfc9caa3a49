import type { Airport, Directory } from '../../config/airports/directory.ts'
import { distanceKm } from '../../config/airports/distance.ts'
import { fold } from '../../config/airports/search/fold.ts'
import { NEAR_KM, servedNear } from '../../config/airports/served-near.ts'
import { countryCode } from '../../config/reference/countries.ts'
import { codeHits } from './code-hits.ts'
import { type AirportHit, Grade, Naming, type ScoredHit } from './hits.ts'
import { hitsByName, namesAsTyped } from './name-hits.ts'
import { type NameIndex, nameIndexOf } from './name-index.ts'
import {
  CODE_IN_CAPITALS,
  HAS_MARKS,
  isAboutAirports,
  isFillWord,
  isInCapitals,
  isNoName,
  placesIn,
  queryWords,
  UNSPACED_WORDS,
  wordsOf,
} from './query-words.ts'
import { OTHER_NAMES } from './score-names.ts'

/** A name as the airport's own names write it: "München" for "Munchen", because lists of names leave marks out. */
function spelled(index: NameIndex, position: number, name: string): string {
  if (HAS_MARKS.test(name)) return name
  return name.replace(/[a-z]{3,}/gi, (word) => spelledWord(index, position, word))
}

function spelledWord(index: NameIndex, position: number, word: string): string {
  const id = index.positionOfWord.get(word.toLowerCase())
  if (id === undefined) return word
  let found = word
  for (let entry = index.starts[id]!; entry < index.starts[id + 1]!; entry += 1) {
    const { text, kind, target } = index.names[index.namesWithWord[entry]!]!
    const isOwn = kind === 'airport name'
    if ((!isOwn && kind !== 'other airport name') || !target.airports.includes(position)) continue
    const written = text.split(/[^\p{L}\p{M}]+/u).find((other) => fold(other) === word.toLowerCase())
    if (written === undefined) continue
    if (isOwn) return HAS_MARKS.test(written) ? written : word
    if (HAS_MARKS.test(written)) found = written
  }
  return found
}

/** Search results are read by people and agents: what is not among the first is not there. */
const MAX_HITS = { [Grade.code]: 12, [Grade.name]: 50, [Grade.words]: 50, [Grade.start]: 25, [Grade.corrected]: 10 }
/** A code is also the start of names: MUN of Munich. Only the own names of larger airports can be meant. */
const MAX_STARTS_BESIDE_CODE = 4
const MIN_IMPORTANCE_BESIDE_CODE = 0.35

/**
 * The airports that a text means, the likeliest first: an exact code, then airports whose name the text is, then those with its
 * words, then those with words that begin like it, then with typing errors. Among equals the busier one is first. If a text
 * names several places, like "JFK or Newark", the likeliest of each come first.
 */
export function findAirports(directory: Directory, query: string): AirportHit[] {
  const index = nameIndexOf(directory)
  const hits = hitsOfPlaces(directory, index, query) ?? scoredHits(directory, index, query)
  return withServed(index, codesOrHits(directory, index, query, withState(directory, index, query, hits)))
}

/** The hits, or the airports that the words name with a code in capitals where no name is meant as it is written: of "LGW airport north terminal" LGW. */
function codesOrHits(directory: Directory, index: NameIndex, query: string, hits: AirportHit[]): AirportHit[] {
  const isCoded = hits.every(({ corrected }) => corrected) && codesAmongWords(directory, query).length > 0
  return isCoded ? namesAmongWords(directory, index, query) : hits
}

/** The codes in capitals of airports with flights among words; of a text in capitals a code in front of a country, which is another than the airport's: `YVR USA`. */
function codesAmongWords({ byIata }: Directory, query: string): string[] {
  const [, first, country] = /^\s*([A-Z]{3})[\s,]+(\S.*?)\s*$/.exec(query) ?? []
  const isBesideCountry = first !== undefined && country !== undefined && countryCode(country) !== null
  const ofCapitals = isBesideCountry ? [first] : []
  const codes = isInCapitals(query) ? ofCapitals : (query.match(CODE_IN_CAPITALS) ?? [])
  return codes.filter((code) => byIata.get(code)?.scheduled_service && !isAboutAirports(code.toLowerCase()))
}

/** Further words of a text are not looked at. */
const MAX_WORDS_OF_QUESTION = 24
const MAX_WORDS_OF_NAME = 4
/** Many words are also names of small places: a name in small letters is one from the first importance on, behind a word like "at" from the second. */
const MIN_IMPORTANCE_AMONG_WORDS = 0.5
const MIN_IMPORTANCE_BEHIND_AT = 0.3
/** Shorter words are also codes of regions: IS of Iceland. */
const MIN_LETTERS_AMONG_WORDS = 3
/** Two letters of these scripts are a name. */
const IN_SYLLABLES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** A word of a script without capitals. */
const HAS_NO_CASE = /^\p{Lo}/u
/** A capitalised word of this many letters, or one behind "at", that only one airport has is its name: Galeão. */
const MIN_LETTERS_OF_PART = 5

const AREAS: ReadonlySet<ScoredHit['matched_by']> = new Set(['country', 'region'])

interface NamedInText {
  hits: ScoredHit[]
  words: number
  isCapitalised: boolean
  importance: number
}

/** The airports whose codes and names stand among other words: of "How long is the line at Denver right now?" those of Denver. */
function namesAmongWords(directory: Directory, index: NameIndex, query: string): AirportHit[] {
  const words = query
    .replace(UNSPACED_WORDS, ' ')
    .split(/[^\p{L}\p{M}\p{N}'’.-]+|[.-]+(?=\s|$)/u)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS_OF_QUESTION)
  const codes = new Set(codesAmongWords(directory, query))
  const lettersOf = (some: readonly string[]) => some.join('').length
  // Of "Albany airport wait" Albany is the most: words about airports are none of its names.
  const lettersOfNames = lettersOf(words.filter((word) => !isNoName(fold(word))))
  const found: NamedInText[] = []
  for (let first = 0; first < words.length; first += 1)
    for (let length = Math.min(MAX_WORDS_OF_NAME, words.length - first); length > 0; length -= 1) {
      const written = words.slice(first, first + length)
      const isCode = codes.has(written.join(' '))
      const isMost = lettersOf(written) * 2 > lettersOfNames
      const isBehindAt = first > 0 && isFillWord(fold(words[first - 1]!))
      const named = isCode
        ? codeInText(directory, index, written[0]!)
        : nameInText(directory, index, written, { isMost, isBehindAt })
      if (named === null) continue
      const least = isBehindAt || HAS_NO_CASE.test(written[0]!) ? MIN_IMPORTANCE_BEHIND_AT : MIN_IMPORTANCE_AMONG_WORDS
      const isCapitalised = named.isCapitalised && (first > 0 || isCode)
      if (!isCapitalised && !isMost && named.importance < least) continue
      found.push({ ...named, isCapitalised })
      first += length - 1
      break
    }
  const isPlace = ({ hits }: NamedInText) => hits.some(({ matched_by }) => !AREAS.has(matched_by))
  // A country beside a place says where that is.
  const named = found.some(isPlace) ? found.filter(isPlace) : found
  const capitalised = named.filter(({ isCapitalised }) => isCapitalised)
  // Names in capitals stay in the order of the text, "from Buffalo to Charlotte"; of other words the larger place is rather meant.
  const meant =
    capitalised.length > 0
      ? capitalised.toSorted((a, b) => b.words - a.words)
      : named.toSorted((a, b) => b.words - a.words || b.importance - a.importance)
  return inTurn(meant.map(({ hits }) => hits))
    .slice(0, MAX_HITS[Grade.corrected])
    .map((hit) => ({ ...airportHit(index, query, hit), exact: false, corrected: true }))
}

const codeInText = (directory: Directory, index: NameIndex, code: string): NamedInText => ({
  hits: codeHits(directory, index, code, code.toLowerCase()).filter(({ matched_by }) => matched_by === 'IATA code'),
  words: 1,
  isCapitalised: true,
  importance: 1,
})

/** The airports of the name that words of a text are, those with flights alone unless the words are most of the text; null if they are none. */
function nameInText(
  directory: Directory,
  index: NameIndex,
  written: string[],
  { isMost, isBehindAt }: { isMost: boolean; isBehindAt: boolean },
): NamedInText | null {
  const text = written.join(' ')
  const { words } = queryWords(text)
  const ends = [written[0]!, written.at(-1)!].map(fold)
  if (ends.some(isNoName) || words.every(isFillWord)) return null
  if (!IN_SYLLABLES.test(text) && fold(text).length < MIN_LETTERS_AMONG_WORDS) return null
  if (!HAS_MARKS.test(text) && words.some((word) => !index.positionOfWord.has(word))) return null
  const isCapitalised = written.every((word) => /^\p{Lu}/u.test(word) || isFillWord(fold(word)))
  const all = hitsAsWritten(directory, index, text).filter(({ position }) => isMost || isServed(index, position))
  const named = all.filter(
    ({ grade, naming }) =>
      grade === Grade.name && naming >= (isCapitalised || HAS_NO_CASE.test(text) ? Naming.serves : Naming.is),
  )
  const isOnly = all.length === 1 && (isCapitalised || isBehindAt) && text.length >= MIN_LETTERS_OF_PART
  const hits = isOnly ? all : named
  if (hits.length === 0) return null
  const importance = Math.max(...hits.map(({ position }) => index.importance[position]!))
  return { hits, words: written.length, isCapitalised, importance }
}

const MAX_OF_STATE = 3

/**
 * The hits of a text as airports. If its place is unknown in the state behind it ("Dublin, OH"), the busiest airports of that
 * state come first: the places of that name lie elsewhere.
 */
function withState(directory: Directory, index: NameIndex, query: string, hits: ScoredHit[]): AirportHit[] {
  const found =
    hits.length > 0 ? hits.map((hit) => airportHit(index, query, hit)) : namesAmongWords(directory, index, query)
  const state = STATE_BEHIND.exec(query)?.[1]
  if (state === undefined || found.some(({ corrected }) => !corrected)) return found
  const stateHits = hitsAsWritten(directory, index, state)
    .filter(({ matched_by }) => matched_by === 'region')
    .slice(0, MAX_OF_STATE)
    .map((hit) => airportHit(index, state, hit))
  const regions = new Set(stateHits.map(({ airport }) => airport.region))
  return found.some(({ airport }) => regions.has(airport.region)) ? found : [...stateHits, ...found]
}

/** The hits, and where no airline flies to the first the nearest airport with flights behind it. */
function withServed(index: NameIndex, hits: AirportHit[]): AirportHit[] {
  const [first, ...others] = hits
  if (!first || first.airport.scheduled_service) return hits
  const kmTo = ({ latitude, longitude }: Airport) =>
    distanceKm(first.airport.latitude, first.airport.longitude, latitude, longitude)
  // A guess at another place says nothing of this one.
  if (others.some(({ airport, corrected }) => !corrected && airport.scheduled_service && kmTo(airport) <= NEAR_KM))
    return hits
  const nearest = servedNear(first.airport, index.airports)[0]?.airport
  if (!nearest) return hits
  const matched = first.airport.city ?? first.airport.name
  const further = others.filter(({ airport }) => airport !== nearest)
  return [first, { airport: nearest, matched_by: 'nearby city', matched, exact: false, corrected: false }, ...further]
}

/** The next airport of the same name is out of the question when it scores less by this, or by half of it where the name is rather the first one's. */
const SCORE_OF_DOUBT = 2

/** The one airport that a text means without doubt, like "Heathrow"; null for "London", whose airports are the choices. */
export function meantAirport(directory: Directory, query: string): { airport: Airport | null; choices: AirportHit[] } {
  const index = nameIndexOf(directory)
  const placeHits = hitsOfPlaces(directory, index, query)
  if (placeHits) return { airport: null, choices: placeHits.map((hit) => airportHit(index, query, hit)) }
  const hits = scoredHits(directory, index, query)
  const exact = hits.filter(({ grade, position }) => grade >= Grade.name && isServed(index, position))
  const [first, ...others] = exact
  const isMeant =
    first !== undefined &&
    first === hits[0] &&
    first.matched_by !== 'metropolitan area code' &&
    !(STATE_BEHIND.test(query) && others.some((other) => isElsewhere(index, first, other))) &&
    (first.grade === Grade.code ||
      first.matched_by === 'city' ||
      !others.some((other) => other.matched_by === 'country' && isAbroad(index, first, other))) &&
    others.every(({ score, naming }) => first.score - score > SCORE_OF_DOUBT / (first.naming > naming ? 2 : 1))
  return {
    airport: isMeant ? index.airports[first.position]! : null,
    choices: withServed(index, codesOrHits(directory, index, query, withState(directory, index, query, hits))),
  }
}

/** Whether two letters behind a place mean a state for one hit and a country for another: "Richmond, CA" is near San Francisco, and in Canada. */
const isElsewhere = (index: NameIndex, first: ScoredHit, other: ScoredHit): boolean =>
  other.matched === first.matched && isAbroad(index, first, other)

/** Whether two hits lie in different countries: Macedonia is a name of the airport of Thessaloniki, and another country. The code MAN and the city Norfolk leave no such doubt. */
const isAbroad = ({ airports }: NameIndex, first: ScoredHit, other: ScoredHit): boolean =>
  airports[other.position]!.country !== airports[first.position]!.country

function scoredHits(directory: Directory, index: NameIndex, query: string): ScoredHit[] {
  const { words, text } = queryWords(query)
  const codeMatches = codeHits(directory, index, query, text)
  const nameMatches = hitsByName(index, words, text)
  if (/^[A-Z][a-z]{2}$/.test(query.trim())) putBehindPlaces(index, text, codeMatches, nameMatches)
  const found = select(index, text, [...codeMatches, ...nameMatches])
  const [first] = found
  const city = first && cityWithSlip(index, text, first)
  if (!city) return found
  const respelt = scoredHits(directory, index, city)
  // "Hydrabad" stands among the names of the smaller Hyderabad alone, but means the larger one too.
  if (respelt[0]?.position !== first.position) return respelt.map((hit) => ({ ...hit, respelt: true }))
  return found.map((hit) => {
    const slip = cityWithSlip(index, text, hit)
    return slip ? { ...hit, matched_by: 'city', matched: slip, respelt: true } : hit
  })
}

/**
 * The city of a hit whose name the text lacks one letter of: lists of names have "Londn" and "Springfild", which are rather
 * typing errors. Null for any other hit.
 */
function cityWithSlip(
  { airports }: NameIndex,
  text: string,
  { position, grade, matched_by }: ScoredHit,
): string | null {
  const { city } = airports[position]!
  if (city === null || grade < Grade.words || matched_by !== 'other city name') return null
  const whole = fold(city)
  if (text.length < MIN_LETTERS_OF_SLIP || text.length !== whole.length - 1) return null
  const missing = [...whole].findIndex((letter, index) => letter !== text[index])
  return whole.slice(0, missing) + whole.slice(missing + 1) === text ? city : null
}

const MIN_LETTERS_OF_SLIP = 5

const NAMED: ReadonlySet<ScoredHit['matched_by']> = new Set(['city', 'region', 'airport name', 'other airport name'])

/** A code that is also a name rather means the place with a busier airport: Goa is not Genoa. */
function putBehindPlaces(
  { importance }: NameIndex,
  text: string,
  codeMatches: readonly ScoredHit[],
  nameMatches: readonly ScoredHit[],
): void {
  const named = nameMatches.filter(
    ({ matched_by, matched, naming }) =>
      naming > Naming.other && NAMED.has(matched_by) && queryWords(matched).text === text,
  )
  const isBusier = (hit: ScoredHit) => named.some(({ position }) => importance[position]! > importance[hit.position]!)
  for (const hit of codeMatches) {
    if (hit.matched_by !== 'IATA code' || !isBusier(hit)) continue
    hit.naming = Naming.other
    hit.score = 0
  }
}

/** A state behind a place is no place of its own: "Dublin, OH". */
const STATE_BEHIND = /,\s*([a-z]{2})\s*$/i

/**
 * The hits of a text that names several places, those of each in turn; null if it names one: where its words together are a
 * name, as of Trinidad and Tobago, or where a part of it is not written like a code or a name.
 */
function hitsOfPlaces(directory: Directory, index: NameIndex, query: string): ScoredHit[] | null {
  const places = placesIn(query)
  if (places.length < 2 || STATE_BEHIND.test(query) || hitsAsWritten(directory, index, query).length > 0) return null
  const hitsByPlace = places.map((place) => hitsAsWritten(directory, index, place))
  if (hitsByPlace.some((hits) => hits.length === 0)) return null
  return inTurn(hitsByPlace).slice(0, MAX_HITS[Grade.name])
}

/** The hits of several names, the likeliest of each first, every airport once. */
function inTurn(hitsByName: readonly ScoredHit[][]): ScoredHit[] {
  const longest = Math.max(0, ...hitsByName.map((hits) => hits.length))
  const interleaved = Array.from({ length: longest }, (_, rank) =>
    hitsByName.flatMap((hits) => hits[rank] ?? []),
  ).flat()
  const seen = new Set<number>()
  return interleaved.filter(({ position }) => !seen.has(position) && seen.add(position))
}

/** The hits of a text that is a code, or all of whose words are in a name as they are written. */
function hitsAsWritten(directory: Directory, index: NameIndex, query: string): ScoredHit[] {
  const { words, text } = queryWords(query)
  const codeMatches = codeHits(directory, index, query, text)
  const { hits: nameMatches } = words.every(isFillWord) ? { hits: [] } : namesAsTyped(index, words, text)
  const written = [...codeMatches, ...nameMatches].filter(({ grade }) => grade >= Grade.words)
  return written.length === 0 ? [] : select(index, text, written)
}

function airportHit(index: NameIndex, query: string, hit: ScoredHit): AirportHit {
  const { position, grade, of_own_city, respelt = false } = hit
  // Another name of a place that the airport serves is not one of its own city.
  const matched_by = hit.matched_by === 'other city name' && of_own_city === false ? 'city' : hit.matched_by
  const airport = index.airports[position]!
  return {
    airport,
    matched_by,
    matched: asTyped(query, hit.matched) ?? spelled(index, position, hit.matched),
    exact: grade >= Grade.name && !respelt,
    corrected: grade === Grade.corrected || respelt,
  }
}

/** The text, where it is the name in another script or other characters of it: 東京 for 东京. */
const asTyped = (query: string, matched: string) =>
  HAS_MARKS.test(query) && HAS_MARKS.test(matched) && !LATIN.test(query) && fold(query) === fold(matched)
    ? query.trim()
    : null

const LATIN = /\p{Script=Latin}/u

/** Whether airlines fly to an airport. */
const isServed = (index: NameIndex, position: number) => index.airports[position]!.scheduled_service

/** Whether the airport's city or name begins with a text. */
const beginsLike = ({ city, name }: Airport, text: string) =>
  [city ?? '', name].some((own) => fold(own).startsWith(text))

const FORMER: ReadonlySet<ScoredHit['matched_by']> = new Set(['closed airport', 'former name'])

/** Whether a name is only in part like a text, beside one that the text is: "Quang Minh" beside Ho Chi Minh City, "Wien Tsjan" beside Wien. */
const isPartOf = (text: string, { naming, grade, matched, matched_by }: ScoredHit, first: ScoredHit) =>
  first.grade === Grade.name &&
  first.naming > Naming.other &&
  naming === Naming.other &&
  grade < Grade.name &&
  (OTHER_NAMES.has(matched_by) || (text.includes(' ') && !wordsOf(matched).join(' ').includes(text)))

/** Sorts hits, keeps the best of each airport, and hides hits that a better grade makes pointless. */
function select(index: NameIndex, text: string, hits: ScoredHit[]): ScoredHit[] {
  const sorted = hits.sort(
    (a, b) =>
      b.naming - a.naming ||
      b.score - a.score ||
      (index.airports[a.position]!.iata < index.airports[b.position]!.iata ? -1 : 1),
  )
  const seen = new Set<number>()
  const all = sorted.filter(({ position }) => !seen.has(position) && seen.add(position))
  // A former name means what took its place, and nothing that is only called alike.
  const isFormer = all[0]?.grade === Grade.name && FORMER.has(all[0].matched_by)
  const distinct = isFormer
    ? all.filter(({ matched }) => matched === all[0]!.matched)
    : all.filter((hit) => !isPartOf(text, hit, all[0]!))
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
      index.importance[position]! >= MIN_IMPORTANCE_BESIDE_CODE &&
      beginsLike(index.airports[position]!, text),
  )
  return [...exact.slice(0, MAX_HITS[Grade.code]), ...starts.slice(0, MAX_STARTS_BESIDE_CODE)]
}

/** The same without how each was found. */
export const searchAirports = (directory: Directory, query: string): Airport[] =>
  findAirports(directory, query).map(({ airport }) => airport)
