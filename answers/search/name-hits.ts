import { fold } from '../../config/airports/search/fold.ts'
import { noFlightsText } from '../../config/airports/without-flights.ts'
import { lowerBound } from '../../forecasting/statistics/statistics.ts'
import { Grade, Naming, type ScoredHit } from './hits.ts'
import type { NameIndex } from './name-index.ts'
import { isArea, matchNames, type NameMatch, type Reading } from './name-matches.ts'
import {
  airportAlone,
  isFillWord,
  isLikeWordAboutAirports,
  isQuestionWord,
  placeAlone,
  wordsOf,
} from './query-words.ts'
import {
  OTHER_NAMES,
  OWN_NAMES,
  pushHits,
  SCORE_OF_CORRECTION,
  type Searched,
  score,
  scoreMatches,
} from './score-names.ts'

/** Words after this many are not looked for; a text without spaces is taken apart into more than it seems to have. */
const MAX_SEARCHED_WORDS = 8

/**
 * From this importance on, a hit is trusted and no typing errors are searched. The start of a name is less sure than its words:
 * Bangok is rather Bangkok than the start of Bangoka.
 */
const MIN_IMPORTANCE_TO_TRUST: Partial<Record<Grade, number>> = {
  [Grade.corrected]: Number.POSITIVE_INFINITY,
  [Grade.start]: 0.4,
  [Grade.words]: 0.15,
  [Grade.name]: 0.15,
  [Grade.code]: 0.15,
}

/** Whether a hit is what was meant. An airport whose flights ended was one that people flew to. */
const isTrusted = (index: NameIndex, hit: ScoredHit) =>
  importanceOf(index, hit) >= (MIN_IMPORTANCE_TO_TRUST[hit.grade] ?? 0) ||
  (hit.grade >= Grade.words && noFlightsText(index.airports[hit.position]!.iata) !== null)

/** How important a hit is: the start of the name of a place says nothing of the large airport near it. */
const importanceOf = ({ importance }: NameIndex, { position, grade, matched_by }: ScoredHit) =>
  grade <= Grade.start && matched_by === 'nearby city' ? 0 : importance[position]!

/** Whether an airport is more important than all hits. */
const isLarger = (index: NameIndex, hit: ScoredHit, hits: readonly ScoredHit[]) =>
  hits.every((other) => importanceOf(index, other) < index.importance[hit.position]!)

/** A letter alone is none of the names that begin with it, or have it for an initial. */
const ONE_LETTER = /^[a-z]$/

export function hitsByName(index: NameIndex, words: string[], text: string): ScoredHit[] {
  if (words.length === 0 || ONE_LETTER.test(text)) return []
  if (words.every(isFillWord)) return hitsOfFillWords(index, text)
  const { searched, readings, hits } = namesAsTyped(index, words, text)
  const isAsTyped = ({ matched }: ScoredHit) => wordsOf(matched).join(' ').includes(text)
  // "San Jose Costa Rica" is San José de Costa Rica, whole but for a word without a meaning.
  const isInFull = searched.words.join(' ') === text
  const isName = hits.some((hit) => hit.grade >= Grade.name && (isInFull || isAsTyped(hit)))
  const spaced = isName ? [] : joinedInOne(index, searched)
  // "new ark" is rather Newark than the start of New Archangel, and "du bai" rather Dubai than Bai.
  if (spaced.length > 0 && (!hits.some(isAsTyped) || spaced.some((hit) => isLarger(index, hit, hits)))) return spaced
  const place = hits.length === 0 ? placeAlone(airportAlone(text)) : placeAlone(text)
  if (place !== text && !hits.some(isAsTyped)) {
    const alone = hitsByName(
      index,
      wordsOf(place).filter((word) => !isFillWord(word)),
      place,
    )
    // "Duke University" is none of Duke City.
    const isLonger = ({ matched, matched_by }: ScoredHit) =>
      OTHER_NAMES.has(matched_by) && fold(matched).split(' ').length > place.split(' ').length
    const named = alone.filter((hit) => !isLonger(hit))
    if (hits.length === 0 || named.some(({ grade }) => grade >= Grade.name)) return named
  }
  if (hits.some((hit) => isTrusted(index, hit))) return [...hits, ...largerNearby(index, searched, hits)]
  if (spaced.length > 0) return [...hits, ...spaced]
  const apart = hits.length === 0 ? joinedWithError(index, searched) : []
  if (apart.length > 0) return apart
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
  const whole = asSpeltRight(index, searched, doubtful)
  if (withErrors.length + whole.length > 0)
    return [...hits, ...whole, ...withErrors, ...largeBeyondSmall(index, searched, [...whole, ...withErrors])]
  // If all words match, none is dropped: in East Hampton, New York, the state binds.
  if (hits.length > 0) return hits
  if (searched.words.length > 1) return largeOfSimilarWords(index, searched)
  const inflected = withoutEnding(index, searched.words[0]!)
  return inflected.length > 0 ? inflected : largeBeyondOneError(index, searched)
}

/** More would take too long: each is compared with all known words of about its length. */
const MAX_SIMILAR_WORDS = 3
const MIN_LETTERS_OF_SIMILAR = 3

/** The large airports whose own name is a text in which several words are mistyped, none in its first letter: "Charls de Gaul", "Sen Fransisco". */
function largeOfSimilarWords(index: NameIndex, searched: Searched): ScoredHit[] {
  const { words } = searched
  if (words.length > MAX_SIMILAR_WORDS || words.some((word) => word.length < MIN_LETTERS_OF_SIMILAR)) return []
  if (words.some(isQuestionWord)) return []
  const readings = words.map((word, position) => [
    ...readingsOf(index, word, position === words.length - 1, false),
    ...similarTo(index, word).filter((reading) => index.words[reading.word]!.startsWith(word[0]!)),
  ])
  const all = (1 << words.length) - 1
  const inOneName = matchNames(index, readings).filter(({ mask, name }) => mask === all && OWN_NAMES.has(name.kind))
  return largeOf(index, searched, inOneName)
}

/** Endings of cases in the languages in which names of cities have many: Finnish, Hungarian, Turkish, Slavic, Romanian. */
const CASE_ENDINGS = new Set(
  `issa ista iin ssa sta ssu sse lla lta lle ella elle elta an en ban ben bol bal rol ra re ba be nal nel dan den tan ten da de ya ye
  ului ul om em ou ach ech ich u a e y i ой ом ем ою у ю а я е и ы`.split(/\s+/),
)
const MAX_ENDING = 5

/** The airports of the name that a word is in another case, in which the name may have a last letter more: "Berlinissä", "Katowicach". */
function withoutEnding(index: NameIndex, word: string): ScoredHit[] {
  for (let end = word.length - 1; end >= Math.max(MIN_LETTERS_FOR_ERRORS, word.length - MAX_ENDING); end -= 1) {
    const stem = word.slice(0, end)
    if (!CASE_ENDINGS.has(word.slice(end))) continue
    const hits: ScoredHit[] = []
    for (let other = lowerBound(index.words, stem); index.words[other]?.startsWith(stem); other += 1) {
      const name = index.words[other]!
      if (name.length <= stem.length + 1) hits.push(...namesAsTyped(index, [name], name).hits)
    }
    const named = hits.filter((hit) => hit.grade === Grade.name && isTrusted(index, hit))
    if (named.length > 0) return named.map(corrected)
  }
  return []
}

/** The hits of words as typed; the last word may be the start of one. */
export function namesAsTyped(index: NameIndex, words: string[], text: string) {
  const searched = {
    words: withoutMistypedNoise(index, words)
      .flatMap((word) => segments(index, word))
      .slice(0, MAX_SEARCHED_WORDS),
    text,
  }
  const last = searched.words.length - 1
  const readings = searched.words.map((word, position) => readingsOf(index, word, position === last, last === 0))
  return { searched, readings, hits: score(index, searched, readings, false) }
}

/** Leaves out words that are near to one about airports and belong to no name: "aiport". */
function withoutMistypedNoise(index: NameIndex, words: string[]): string[] {
  const retained = words.filter((word) => index.positionOfWord.has(word) || !isLikeWordAboutAirports(word))
  return retained.length > 0 ? retained : words
}

/** "la" is a name, "in" is none: only whole names count, also behind a word as in "to LA". */
function hitsOfFillWords(index: NameIndex, text: string): ScoredHit[] {
  const hits: ScoredHit[] = []
  const last = text.split(' ').at(-1)!
  const isLast = (name: number) => fold(index.names[name]!.text) === last
  for (const name of index.namesOfFillWords.get(text) ?? index.namesOfFillWords.get(last)?.filter(isLast) ?? [])
    pushHits(hits, index, index.names[name]!, Grade.name, 10)
  return hits
}

/** The name of a small or distant place may be a mistyped name of a large one: "orando" is Oran's too. */
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
  const nearest = correctionsOf(index, word, 1)
  return largeOf(index, searched, matchNames(index, [nearest])).map((hit) => Object.assign(hit, { beside: true }))
}

const MIN_LETTERS_FOR_THREE_ERRORS = 10

/** A word that is near to no name may have two letters of the own name of a large airport wrong, a long one three, but not the first: "shipol", "edinborough". */
function largeBeyondOneError(index: NameIndex, searched: Searched): ScoredHit[] {
  const word = searched.words[0]!
  if (word.length < MIN_LETTERS_FOR_LARGER) return []
  const max = word.length < MIN_LETTERS_FOR_THREE_ERRORS ? 2 : 3
  const alike = correctionsOf(index, word, max).filter((reading) => index.words[reading.word]!.startsWith(word[0]!))
  const large = largeOf(index, searched, matchNames(index, [alike]))
  return large.length > 0 ? large : largeOf(index, searched, matchNames(index, [soundingLike(index, word)]))
}

/** A word as it sounds in most languages: "skipol" and "schiphol" are one. */
const soundOf = (word: string) =>
  word
    .replace(/(?<=[^aeiou])h/g, '')
    .replace(/ck|[cq]/g, 'k')
    .replace(/(.)\1/g, '$1')

/** The words that begin with the letter of another one and sound like it. */
function soundingLike({ words }: NameIndex, word: string): Reading[] {
  const sound = soundOf(word)
  const found: Reading[] = []
  for (let other = lowerBound(words, word[0]!); words[other]?.startsWith(word[0]!); other += 1)
    if (words[other]!.length >= sound.length && soundOf(words[other]!) === sound)
      found.push({ word: other, quality: 0.5 })
  return found
}

/** The large airports two typing errors away from a word that is one away from names of small ones alone: "ohair" is rather O'Hare than Chair City. */
function largeBeyondSmall(index: NameIndex, searched: Searched, found: readonly ScoredHit[]): ScoredHit[] {
  if (searched.words.length > 1) return []
  const isSmall = ({ position }: ScoredHit) => index.importance[position]! < MAX_IMPORTANCE_OF_SMALL
  return found.every(isSmall) ? largeBeyondOneError(index, searched) : []
}

/** The large airports whose own name is among the matches of a text. */
const largeOf = (index: NameIndex, searched: Searched, matches: NameMatch[]): ScoredHit[] =>
  scoreMatches(index, searched, matches, (1 << searched.words.length) - 1, true)
    .filter(
      ({ position, matched_by }) => index.importance[position]! >= MIN_IMPORTANCE_OF_LARGE && OWN_NAMES.has(matched_by),
    )
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_LARGER)

const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Mc}ー]+$/u

/** Splits a text of a script without spaces into the longest known words; unknown rests are left out. */
function segments(index: NameIndex, word: string): string[] {
  if (index.positionOfWord.has(word) || !UNSPACED.test(word)) return [word]
  const found: string[] = []
  for (let start = 0; start < word.length; ) {
    let end = Math.min(word.length, start + 16)
    while (end > start + 1 && !index.positionOfWord.has(word.slice(start, end))) end -= 1
    if (end > start + 1) found.push(word.slice(start, end))
    start = end
  }
  return found.length > 0 ? found.slice(0, 4) : [word]
}

/** Longer lists of words that begin alike say nothing about what is meant. */
const MAX_STARTS = 1_500
const MIN_START_LETTERS = 2

/** Whether a word is the whole name of a country or region, like MA. */
function isAreaName({ starts, names, namesWithWord }: NameIndex, position: number): boolean {
  for (let entry = starts[position]!; entry < starts[position + 1]!; entry += 1) {
    const name = names[namesWithWord[entry]!]!
    if (isArea(name) && !name.text.includes(' ')) return true
  }
  return false
}

/**
 * The word itself; the last word also matches words that begin with it, because it may be incomplete. After other words the name
 * of a country or region is whole: in "Springfield, MA" it is not the start of Manhattan.
 */
function readingsOf(index: NameIndex, word: string, isLast: boolean, isOnly: boolean): Reading[] {
  const position = index.positionOfWord.get(word)
  const readings: Reading[] = position === undefined ? [] : [{ word: position, quality: 1 }]
  if (!isOnly && position !== undefined && isAreaName(index, position)) return readings
  if (!isLast || (word.length < MIN_START_LETTERS && !UNSPACED.test(word))) return readings
  const first = lowerBound(index.words, word)
  for (let start = first; start < index.words.length && start < first + MAX_STARTS; start += 1) {
    const other = index.words[start]!
    if (!other.startsWith(word)) break
    if (start !== position) readings.push({ word: start, quality: 0.4 + (0.5 * word.length) / other.length })
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
/** Only the most similar of many similar words can be meant. */
const MAX_CORRECTIONS = 60

/** The words that are likely mistyped: those of no name; where there are none, the longest. Words of questions are none of them. */
function doubtfulWords(index: NameIndex, all: string[]): Set<string> {
  const words = all.filter((word) => !isQuestionWord(word))
  const unknown = words.filter((word) => !index.positionOfWord.has(word))
  const longest = words.toSorted((a, b) => b.length - a.length).slice(0, 1)
  return new Set((unknown.length > 0 ? unknown : longest).slice(0, MAX_WORDS_WITH_ERRORS))
}

function correctionsOf(index: NameIndex, word: string, max?: number): Reading[] {
  if (word.length < MIN_LETTERS_FOR_ERRORS) return []
  // "Troy" is no "tro", but "Sann" is "San".
  const undoubled = word.replace(/(.)\1/u, '$1')
  const isLikely = (reading: Reading) => {
    const right = index.words[reading.word]!
    return right.length >= MIN_LETTERS_FOR_ERRORS || right === undoubled
  }
  return similarTo(index, word, max).filter(isLikely).slice(0, MAX_CORRECTIONS)
}

/** The words with at most so many typing errors, but for the word itself. */
function similarTo(index: NameIndex, word: string, max = word.length < MIN_LETTERS_FOR_TWO_ERRORS ? 1 : 2): Reading[] {
  if (word.length > MAX_LETTERS_FOR_ERRORS) return []
  return index.similarWords
    .find(word, max)
    .filter(({ errors }) => errors > 0)
    .map(({ index: other, errors }) => ({ word: other, quality: errors === 1 ? QUALITY_OF_ONE_ERROR : 0.5 }))
}

/**
 * The airports of the names that a text is when its one doubtful word is spelt right, with as few errors as possible, in the
 * order that each name gives them as typed: "Providance" is Providence, whose airports are those near it.
 */
function asSpeltRight(index: NameIndex, { words, text }: Searched, doubtful: ReadonlySet<string>): ScoredHit[] {
  const [mistyped, ...others] = doubtful
  if (mistyped === undefined || others.length > 0) return []
  const readings = correctionsOf(index, mistyped)
  for (const quality of new Set(readings.map((reading) => reading.quality))) {
    const found = readings
      .filter((reading) => reading.quality === quality)
      .flatMap(({ word }) => {
        const right = index.words[word]!
        const spelt = (typed: string) => (typed === mistyped ? right : typed)
        const { hits } = namesAsTyped(index, words.map(spelt), text.split(' ').map(spelt).join(' '))
        return hits.filter(({ grade }) => grade === Grade.name)
      })
    if (found.length > 0) return found.map(corrected)
  }
  return []
}

/** A hit of a name that was read with typing errors. Another name of a city is rarely what was mistyped. */
const corrected = (hit: ScoredHit): ScoredHit => ({
  ...hit,
  grade: Grade.corrected,
  naming: Naming.other,
  score: hit.score + SCORE_OF_NAMING * (hit.naming - Number(isOtherName(hit))) - SCORE_OF_CORRECTION,
})

const isOtherName = ({ naming, matched_by }: ScoredHit) =>
  naming === Naming.other && OTHER_NAMES.has(matched_by) && matched_by !== 'nearby city'

const SCORE_OF_NAMING = 2

/** "mc carran" is "mccarran" with a space too many. */
function joinedInOne(index: NameIndex, { text }: Searched): ScoredHit[] {
  const words = text.split(' ')
  for (let second = 1; second < words.length; second += 1) {
    const joined = `${words[second - 1]}${words[second]}`
    if (!index.positionOfWord.has(joined)) continue
    const whole = words.toSpliced(second - 1, 2, joined).filter((word) => !isFillWord(word))
    const readings = whole.map((word) => readingsOf(index, word, false, false))
    const hits = score(index, { words: whole, text: whole.join(' ') }, readings, true)
    const known = hits.filter(({ position }) => index.importance[position]! >= MAX_IMPORTANCE_OF_SMALL)
    if (known.length > 0) return known
  }
  return []
}

/** "bru sels" is "brussels" with a space too many and a letter too few. */
function joinedWithError(index: NameIndex, { words }: Searched): ScoredHit[] {
  const [first, second, ...others] = words
  if (first === undefined || second === undefined || others.length > 0) return []
  const word = `${first}${second}`
  return largeOf(index, { words: [word], text: word }, matchNames(index, [correctionsOf(index, word, 1)]))
}

/** "losangeles" is "los angeles" without the space. */
function splitInTwo(index: NameIndex, { words, text }: Searched): ScoredHit[] {
  for (const [position, word] of words.entries()) {
    if (index.positionOfWord.has(word)) continue
    const hits: ScoredHit[] = []
    for (let split = 2; split <= word.length - 2; split += 1) {
      const parts = [word.slice(0, split), word.slice(split)].filter((part) => !isFillWord(part))
      if (parts.some((part) => !index.positionOfWord.has(part))) continue
      const whole = words.toSpliced(position, 1, ...parts)
      const readings = whole.map((part) => readingsOf(index, part, false, false))
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
