import type { Directory } from '../../config/airports/directory.ts'
import { fold } from '../../config/airports/search/fold.ts'
import { countryCode } from '../../config/reference/countries.ts'
import { metroByCode } from '../../config/reference/metro-codes.ts'
import { codeHits } from './code-hits.ts'
import { Grade, isOfArea, Naming, type ScoredHit } from './hits.ts'
import { hitsAsWritten, inTurn, isServed, MAX_HITS, select } from './hits-as-written.ts'
import { hitsByName } from './name-hits.ts'
import type { NameIndex } from './name-index.ts'
import {
  CODE_IN_CAPITALS,
  HAS_MARKS,
  isAboutAirports,
  isFillWord,
  isInCapitals,
  isLikeWordAboutAirports,
  isNoName,
  isQuestionAlone,
  isQuestionWord,
  queryWords,
  UNSPACED_WORDS,
  wordsOf,
} from './query-words.ts'
import { serviceWordsAt } from './service-words.ts'
import { endsInArea } from './stated-area.ts'

/** The codes of airports with flights, and of cities with several, that stand in capitals among other words. Where all is in capitals, only a code in front of a country counts: `YVR USA`. */
export function codesAmongWords({ byIata }: Directory, query: string): string[] {
  const [, first, country] = /^\s*([A-Z]{3})[\s,]+(\S.*?)\s*$/.exec(query) ?? []
  const isBesideCountry = first !== undefined && country !== undefined && countryCode(country) !== null
  const ofCapitals = isBesideCountry ? [first] : []
  const codes = isInCapitals(query) ? ofCapitals : (query.match(CODE_IN_CAPITALS) ?? [])
  const isServedCode = (code: string) => byIata.get(code)?.scheduled_service || metroByCode(code) !== null
  // Among words USA is the country.
  return codes.filter((code) => code !== 'USA' && isServedCode(code) && !isAboutAirports(code.toLowerCase()))
}

/** Further words of a text are not looked at. */
const MAX_WORDS_OF_QUESTION = 24
const MAX_WORDS_OF_NAME = 4

/** Many words are also names of small places, so a name in small letters needs the first importance; behind a word like "at" the second is enough. */
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

interface NamedInText {
  hits: ScoredHit[]
  words: number
  isCapitalised: boolean
  importance: number
}

/** A text with what is known of its words. */
function textAround(directory: Directory, index: NameIndex, query: string): TextAround {
  const words = query
    .replace(UNSPACED_WORDS, ' ')
    .split(/[^\p{L}\p{M}\p{N}'’.-]+|[.-]+(?=\s|$)/u)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS_OF_QUESTION)
  return {
    words,
    codes: new Set([...codesAmongWords(directory, query), ...smallCodes(directory, index, words)]),
    // Of "Albany airport wait" Albany is the most: words about airports are none of its names.
    lettersOfNames: lettersIn(words.filter((word) => !isNoName(fold(word)) && fold(word) !== TRAIN)),
    isTitle: words.every(isWrittenAsName),
  }
}

/** Whether the words of a text are names as they are written, beside words that say nothing of a place: "Alaska lounge Seattle". */
export function isAllNames(directory: Directory, index: NameIndex, query: string): boolean {
  const text = textAround(directory, index, query)
  const isNoise = (word: string) => isNoName(fold(word)) || isQuestionWord(fold(word))
  const isKnown = (word: string) => isNoise(word) || index.positionOfWord.has(fold(word))
  if (text.words.length === 1 || !text.words.every(isKnown)) return false
  const { named, others } = namesIn(directory, index, text, serviceWordsAt)
  return named.length > 0 && others.every(isNoise)
}

/** The airports whose codes and names stand among other words, each a guess: those of Denver in "How long is the line at Denver right now?". */
export function namesAmongWords(directory: Directory, index: NameIndex, query: string): ScoredHit[] {
  const text = textAround(directory, index, query)
  const { words } = text
  const { named: elsewhere, others } = namesIn(directory, index, text, serviceWordsAt)
  const mistyped = elsewhere.length > 0 ? [] : writtenOtherwise(directory, index, others)
  if (mistyped.length > 0) return mistyped
  // "Air Tahiti" alone may mean the island.
  const found = elsewhere.length > 0 ? elsewhere : namesIn(directory, index, text, () => 0).named
  const isPlace = ({ hits }: NamedInText) => hits.some((hit) => !isOfArea(hit))
  // A country beside a place says where that is.
  const named = found.some(isPlace) ? found.filter(isPlace) : found
  const capitalised = named.filter(({ isCapitalised }) => isCapitalised)
  // Names in capitals stay in the order of the text, "from Buffalo to Charlotte"; of other words the larger place is rather meant.
  const isOrdered = !text.isTitle || text.codes.size > 0 || words.some((word) => isFillWord(fold(word)))
  const isRoute = ROUTE.test(fold(words.join(' ')))
  // In "Toronto New York" the name of a state may say where the place is, however many words it has.
  const isInTurn = isRoute || (named.length > 1 && endsInArea(index, words))
  const likeliest = isInTurn ? named : named.toSorted((a, b) => b.words - a.words || b.importance - a.importance)
  const inTurnOfText = isRoute ? capitalised : capitalised.toSorted((a, b) => b.words - a.words)
  const meant = capitalised.length > 0 && isOrdered ? inTurnOfText : likeliest
  return inTurn(meant.map(({ hits }) => hits)).slice(0, MAX_HITS[Grade.corrected])
}

/** Two places with words of a way between them: "from Boston to New York". */
const ROUTE = /\S (?:to|nach|naar|till?|do|para|vers) \S|(?:^| )(?:de|da|desde) \S.* a \S/

/** The names in a text, and its other words. `ignoredAt` is how many words from a position on are skipped, unless a longer name begins there: Clear Lake. */
function namesIn(
  directory: Directory,
  index: NameIndex,
  text: TextAround,
  ignoredAt: (words: readonly string[], first: number) => number,
): { named: NamedInText[]; others: string[] } {
  const found: NamedInText[] = []
  const others: string[] = []
  for (let first = 0; first < text.words.length; ) {
    const ignored = ignoredAt(text.words, first)
    const named = longestNameAt(directory, index, text, first)
    const isName = named !== null && named.words > ignored
    if (isName) found.push(named)
    else if (ignored === 0) others.push(text.words[first]!)
    first += isName ? named.words : Math.max(1, ignored)
  }
  return { named: found, others }
}

/** A train to an airport, as no name begins: the "Malpensa Express" is not Toledo Express Airport. */
const TRAIN = 'express'
/** Words before the name of a place in English. */
const BEFORE_PLACES = new Set(['at', 'from', 'to', 'in', 'near', 'for'])
/** With "the" before it, "sea" is no code. */
const ARTICLES = new Set(['a', 'an', 'the'])
const isBeforePlace = (word: string | undefined) => BEFORE_PLACES.has(fold(word ?? ''))

/** Whether a word stands behind an article, as a place does not ("the split" is not Split), unless a word like "in" precedes both: "in the Bahamas". */
const isBehindArticle = (words: readonly string[], place: number) =>
  ARTICLES.has(fold(words[place - 1] ?? '')) && !isBeforePlace(words[place - 2])

/** Whether the article before a word may belong to the name: to that of a country, or to one that has it, like "The Hague". */
function isNamedWithArticle(hits: readonly ScoredHit[], words: readonly string[], place: number): boolean {
  const withArticle = fold(words.slice(place - 1, place + 1).join(' '))
  return hits.some((hit) => isOfArea(hit) || fold(hit.matched).includes(withArticle))
}

/** Three letters without a vowel are no word. */
const NO_VOWEL = /^[^aeiouy]+$/

/**
 * Codes of large airports in other letters than capitals: words behind one like "at", those without a vowel, and those beside which
 * no other word says anything, as in "sea tsa line".
 */
function smallCodes(directory: Directory, index: NameIndex, typed: readonly string[]): string[] {
  const words = typed.map(fold)
  const isNoise = (word: string) => isNoName(word) || isQuestionWord(word)
  const isCode = (place: number) => {
    const word = words[place]!
    if (!/^[a-z]{3}$/i.test(typed[place]!) || isNoise(word)) return false
    if (ARTICLES.has(words[place - 1] ?? '') && !NO_VOWEL.test(word)) return false
    const code = word.toUpperCase()
    const members = directory.byIata.has(code) ? [code] : (metroByCode(code)?.airports.map(({ iata }) => iata) ?? [])
    const airports = members.flatMap((iata) => directory.byIata.get(iata) ?? [])
    return airports.some((airport) => index.importance[directory.all.indexOf(airport)]! >= MIN_IMPORTANCE_AMONG_WORDS)
  }
  const places = [...words.keys()].filter(isCode)
  const isAlone = words.every((word, place) => isNoise(word) || places.includes(place))
  return places
    .filter((place) => isAlone || isBeforePlace(words[place - 1]) || NO_VOWEL.test(words[place]!))
    .map((place) => typed[place]!)
}

/** A text whose words are looked at: its codes, and the letters of the words that may be of a name. */
interface TextAround {
  words: string[]
  codes: ReadonlySet<string>
  lettersOfNames: number
  /** Whether each word is written as that of a name: "Daytona International Speedway". */
  isTitle: boolean
}

const isWrittenAsName = (word: string) => /^\p{Lu}/u.test(word) || isFillWord(fold(word))

const lettersIn = (words: readonly string[]) => words.join('').length

/** The longest name that begins with a word of a text; null if none does. */
function longestNameAt(
  directory: Directory,
  index: NameIndex,
  { words, codes, lettersOfNames, isTitle }: TextAround,
  first: number,
): NamedInText | null {
  const isBehindAt = first > 0 && isFillWord(fold(words[first - 1]!))
  const least = isBehindAt || HAS_NO_CASE.test(words[first]!) ? MIN_IMPORTANCE_BEHIND_AT : MIN_IMPORTANCE_AMONG_WORDS
  for (let length = Math.min(MAX_WORDS_OF_NAME, words.length - first); length > 0; length -= 1) {
    const written = words.slice(first, first + length)
    const isCode = codes.has(written.join(' '))
    const isMost = lettersIn(written) * 2 > lettersOfNames
    const named = isCode
      ? codeInText(directory, index, written[0]!.toUpperCase())
      : nameInText(directory, index, written, { isMost, isBehindAt })
    if (named === null) continue
    // The first word of a sentence has a capital in any case.
    const isCapitalised = named.isCapitalised && (first > 0 || isCode || isTitle)
    if (!isCapitalised && isBehindArticle(words, first) && !isNamedWithArticle(named.hits, words, first)) continue
    if (isCapitalised || isMost || named.importance >= least) return { ...named, isCapitalised }
  }
  return null
}

/** Each of these words costs a look through the words of about its length. */
const MAX_MISTYPED_WORDS = 3
const MIN_LETTERS_FOR_TWO_ERRORS = 10

/** Names of an airport itself. Those of places nearby and of regions, and of cities in other languages, are near to too many words: "basis" to Baris. */
const OF_AIRPORT: ReadonlySet<ScoredHit['matched_by']> = new Set([
  'city',
  'metropolitan area',
  'airport name',
  'other airport name',
  'short name',
])

const CODE = /^[A-Z]{3}$/

/**
 * The airports of a text of several words that names none as it is written: those of its codes where all is in capitals, of "LAX
 * TBIT" LAX, or the large ones in whose name a word stands with a typing error, those of Dublin in "how long is the que at dubiln".
 */
function writtenOtherwise(directory: Directory, index: NameIndex, typed: readonly string[]): ScoredHit[] {
  const words = typed.map(fold)
  const codes = typed.flatMap((word, place) => {
    // "LGAA" has a letter twice.
    const code = word.length === 4 ? word.replace(/(.)\1/, '$1') : word
    const isCode = CODE.test(code) && !isNoName(words[place]!) && !isQuestionWord(words[place]!)
    return isCode && directory.byIata.get(code)?.scheduled_service ? [codeInText(directory, index, code).hits] : []
  })
  if (codes.length > 0 || typed.length === 1) return inTurn(codes)
  // In a sentence, a word that is nearly a name is likely another word: "are the parts here" does not mean Paris.
  const isAlone = !words.some(isFillWord)
  const isOfPlace = (place: number) =>
    isAlone ||
    isBeforePlace(words[place - 1]) ||
    isBeforePlace(words[place - 2]) ||
    (place > 0 && /^\p{Lu}/u.test(typed[place]!))
  const isMistyped = (word: string) =>
    word.length >= MIN_LETTERS_OF_PART &&
    !index.positionOfWord.has(word) &&
    !isQuestionWord(word) &&
    !isNoName(word) &&
    !isLikeWordAboutAirports(word)
  const places = [...words.keys()]
    .filter((place) => isOfPlace(place) && isMistyped(words[place]!))
    .slice(0, MAX_MISTYPED_WORDS)
  const found = places.map((place) => {
    const word = words[place]!
    const alike = index.similarWords.find(word, word.length < MIN_LETTERS_FOR_TWO_ERRORS ? 1 : 2)
    const right = new Set(
      alike.map((other) => index.words[other.index]!).filter((other) => other[0] === word[0] && !isNoName(other)),
    )
    if (right.size === 0) return []
    const isMeant = ({ position, matched, matched_by }: ScoredHit) =>
      index.importance[position]! >= MIN_IMPORTANCE_AMONG_WORDS &&
      OF_AIRPORT.has(matched_by) &&
      wordsOf(matched).some((other) => right.has(other))
    return select(index, word, hitsByName(index, [word], word)).filter(isMeant)
  })
  return inTurn(found).slice(0, MAX_HITS[Grade.corrected])
}

/** The airport of a code, or where none has it those of the city. */
function codeInText(directory: Directory, index: NameIndex, code: string): NamedInText {
  const matchedBy = directory.byIata.has(code) ? 'IATA code' : 'metropolitan area code'
  return {
    hits: codeHits(directory, index, code, code.toLowerCase()).filter(({ matched_by }) => matched_by === matchedBy),
    words: 1,
    isCapitalised: true,
    importance: 1,
  }
}

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
  if (ends.some(isNoName) || ends[0] === TRAIN || words.every(isFillWord) || isQuestionAlone(words)) return null
  if (!IN_SYLLABLES.test(text) && fold(text).length < MIN_LETTERS_AMONG_WORDS) return null
  if (!HAS_MARKS.test(text) && words.some((word) => !index.positionOfWord.has(word))) return null
  const isCapitalised = written.every(isWrittenAsName)
  const all = hitsAsWritten(directory, index, text).filter(({ position }) => isMost || isServed(index, position))
  const named = all.filter(
    ({ grade, naming }) =>
      grade === Grade.name && naming >= (isCapitalised || HAS_NO_CASE.test(text) ? Naming.serves : Naming.is),
  )
  // "Speedway" is a part of the name of a sight, and of no name of an airport.
  const isOnly =
    all.length === 1 &&
    (all[0]!.grade === Grade.name || OF_AIRPORT.has(all[0]!.matched_by)) &&
    (isCapitalised || isBehindAt) &&
    text.length >= MIN_LETTERS_OF_PART
  const hits = isOnly ? all : named
  if (hits.length === 0) return null
  const importance = Math.max(...hits.map(({ position }) => index.importance[position]!))
  return { hits, words: written.length, isCapitalised, importance }
}
