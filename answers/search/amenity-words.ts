import { fold } from '../../config/airports/search/fold.ts'
import { once } from '../../config/once.ts'
import { projectTable } from '../../config/project-text.ts'

/** What a lounge has, by the words in which travellers ask for it: `wheelchair` and `Rollstuhl` for `accessible`. */

const meanings = once(() =>
  Object.entries(projectTable<string>('answers/search/amenity-words.json')).map(([amenity, words]) => ({
    amenity,
    words: new Set(words.split('|').map(fold)),
  })),
)

/** A text as its words without the "s" of several: `shower` of "Showers". */
const wordsOf = (text: string) =>
  fold(text)
    .split(' ')
    .map((word) => word.replace(/(?<=[a-z]{3})s$/, ''))

/** Whether one of the texts about a lounge has all words of what is asked for, or of what that means. Words are whole: a spa is no "space". */
export function hasAmenity(texts: readonly string[], asked: string): boolean {
  const wanted = fold(asked)
  const meant = meanings().flatMap(({ amenity, words }) => (words.has(wanted) ? amenity : []))
  return texts.some((text) => {
    const known = new Set(wordsOf(text))
    return [wanted, ...meant].some((words) => wordsOf(words).every((word) => known.has(word)))
  })
}
