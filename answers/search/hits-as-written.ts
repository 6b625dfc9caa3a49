import type { Airport, Directory } from '../../config/airports/directory.ts'
import { fold } from '../../config/airports/search/fold.ts'
import { codeHits } from './code-hits.ts'
import { Grade, Naming, type ScoredHit } from './hits.ts'
import { namesAsTyped } from './name-hits.ts'
import type { NameIndex } from './name-index.ts'
import { isFillWord, queryWords, wordsOf } from './query-words.ts'
import { OTHER_NAMES } from './score-names.ts'

/** Search results are read by people and agents: what is not among the first is not there. */
export const MAX_HITS = {
  [Grade.code]: 12,
  [Grade.name]: 50,
  [Grade.words]: 50,
  [Grade.start]: 25,
  [Grade.corrected]: 10,
}

/** A code is also the start of names: MUN of Munich. Only the own names of larger airports can be meant. */
const MAX_STARTS_BESIDE_CODE = 4
export const MIN_IMPORTANCE_BESIDE_CODE = 0.35

/** The hits of several names, the likeliest of each first, every airport once. */
export function inTurn(hitsByName: readonly ScoredHit[][]): ScoredHit[] {
  const longest = Math.max(0, ...hitsByName.map((hits) => hits.length))
  const interleaved = Array.from({ length: longest }, (_, rank) =>
    hitsByName.flatMap((hits) => hits[rank] ?? []),
  ).flat()
  const seen = new Set<number>()
  return interleaved.filter(({ position }) => !seen.has(position) && seen.add(position))
}

/** The hits of a text that is a code, or all of whose words are in a name as they are written. */
export function hitsAsWritten(directory: Directory, index: NameIndex, query: string): ScoredHit[] {
  const { words, text } = queryWords(query)
  const codeMatches = codeHits(directory, index, query, text)
  const { hits: nameMatches } = words.every(isFillWord) ? { hits: [] } : namesAsTyped(index, words, text)
  const written = [...codeMatches, ...nameMatches].filter(({ grade }) => grade >= Grade.words)
  return written.length === 0 ? [] : select(index, text, written)
}

/** Whether airlines fly to an airport. */
export const isServed = (index: NameIndex, position: number) => index.airports[position]!.scheduled_service

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
export function select(index: NameIndex, text: string, hits: ScoredHit[]): ScoredHit[] {
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
  // The list of places has PBI, a former code of DJT, as a name of Lantana.
  const isCodeAlone = isMetro || distinct[0]!.matched_by === 'former code'
  const exact = distinct.filter(({ grade }) => grade >= (isCodeAlone ? Grade.code : Grade.name))
  const starts = distinct.filter(
    ({ grade, position }) =>
      !isMetro &&
      grade === Grade.start &&
      index.importance[position]! >= MIN_IMPORTANCE_BESIDE_CODE &&
      beginsLike(index.airports[position]!, text),
  )
  return [...exact.slice(0, MAX_HITS[Grade.code]), ...starts.slice(0, MAX_STARTS_BESIDE_CODE)]
}
