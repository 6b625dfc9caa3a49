import type { Directory } from '../../config/airports/directory.ts'
import { fold } from '../../config/airports/search/fold.ts'
import { memoizeByObject } from '../../config/once.ts'
import { METRO_CODES } from '../../config/reference/metro-codes.ts'
import { Grade, isOfArea, type ScoredHit } from './hits.ts'
import { hitsAsWritten } from './hits-as-written.ts'
import type { NameIndex } from './name-index.ts'
import { isArea } from './name-matches.ts'
import { isFillWord } from './query-words.ts'

/** A state or province behind a place by its two letters: "Dublin, OH". */
const LETTERS_BEHIND = /,\s*([a-z]{2})\s*$/i
const MAX_WORDS_OF_AREA = 3

export const hasLettersOfState = (query: string): boolean => LETTERS_BEHIND.test(query)

/** The names of all regions and countries, as they are compared. */
const areaNames = memoizeByObject(
  (index: NameIndex) => new Set(index.names.filter(isArea).map(({ text }) => fold(text))),
)

/** Whether the name of an area is rather that of a city: of one with several airports, or with the busiest of the area. New York is, Ontario in California is not. */
function isRatherCity({ importance }: NameIndex, hits: readonly ScoredHit[]): boolean {
  const [first] = hits
  if (first?.matched_by !== 'city') return false
  const ofArea = hits.filter(isOfArea).map(({ position }) => importance[position]!)
  const isMetro = METRO_CODES.rows().some(({ name }) => fold(name) === fold(first.matched))
  return isMetro || importance[first.position]! >= Math.max(...ofArea)
}

/** Whether the last words of a text are the name of a region or country. */
export const endsInArea = (index: NameIndex, words: readonly string[]): boolean =>
  Array.from({ length: MAX_WORDS_OF_AREA }, (_, before) => words.slice(-before - 1).join(' ')).some((text) =>
    areaNames(index).has(fold(text)),
  )

/** A place with the region or country behind it, as a text has them: `Providence` and `Kentucky`. */
interface PlaceInArea {
  place: string
  area: string
}

/** The place of a text with the region or country behind it; null if there is none, or where it is rather a city, as New York is. */
export function areaBehind(directory: Directory, index: NameIndex, query: string): PlaceInArea | null {
  const letters = LETTERS_BEHIND.exec(query)
  if (letters !== null) return { place: query.slice(0, letters.index), area: letters[1]! }
  const words = query.trim().split(/[\s,]+/)
  for (let length = Math.min(MAX_WORDS_OF_AREA, words.length - 1); length > 0; length -= 1) {
    const area = words.slice(-length).join(' ')
    if (!areaNames(index).has(fold(area))) continue
    // "Miami and Georgia" are two places.
    if (isFillWord(fold(words.at(-length - 1)!))) return null
    const place = words.slice(0, -length).join(' ')
    return !isRatherCity(index, hitsAsWritten(directory, index, area)) &&
      hitsAsWritten(directory, index, place).some(({ grade }) => grade === Grade.name)
      ? { place, area }
      : null
  }
  return null
}
