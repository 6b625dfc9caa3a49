import type { Directory } from '../../config/airports/directory.ts'
import { fold } from '../../config/airports/search/fold.ts'
import { memoizeByObject } from '../../config/once.ts'
import { Grade } from './hits.ts'
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

/** The region or country behind the name of a place, as the text has it: `Kentucky` of "Providence Kentucky"; null if there is none, or where it is rather a city, as New York is. */
export function areaBehind(directory: Directory, index: NameIndex, query: string): string | null {
  const letters = LETTERS_BEHIND.exec(query)?.[1]
  if (letters !== undefined) return letters
  const words = query.trim().split(/[\s,]+/)
  for (let length = Math.min(MAX_WORDS_OF_AREA, words.length - 1); length > 0; length -= 1) {
    const area = words.slice(-length).join(' ')
    if (!areaNames(index).has(fold(area))) continue
    // "Miami and Georgia" are two places.
    if (isFillWord(fold(words.at(-length - 1)!))) return null
    const place = words.slice(0, -length).join(' ')
    const isCity = hitsAsWritten(directory, index, area)[0]?.matched_by === 'city'
    return !isCity && hitsAsWritten(directory, index, place).some(({ grade }) => grade === Grade.name) ? area : null
  }
  return null
}
