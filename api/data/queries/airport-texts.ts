import type { Airport, Directory } from '../../../config/airports/directory.ts'

/** Three letters in a row, and the places in the directory of the airports that have them. */
type Index = Map<string, number[]>

const LETTERS = 3
const made = new WeakMap<Directory, Index>()

function indexOf(directory: Directory, textOf: (airport: Airport) => string): Index {
  const known = made.get(directory)
  if (known) return known
  const index: Index = new Map()
  for (const [place, airport] of directory.all.entries())
    for (const letters of lettersOf(textOf(airport))) {
      const places = index.get(letters)
      if (!places) index.set(letters, [place])
      else if (places.at(-1) !== place) places.push(place)
    }
  made.set(directory, index)
  return index
}

const lettersOf = (text: string) =>
  Array.from({ length: Math.max(0, text.length - LETTERS + 1) }, (_, at) => text.slice(at, at + LETTERS))

/**
 * The airports whose text may have a word in it, and surely all whose text has, in the directory's order: to look at those
 * few is a hundred times quicker than at all. `textOf` is asked once for each airport of a directory.
 */
export function airportsLike(
  directory: Directory,
  word: string,
  textOf: (airport: Airport) => string,
): readonly Airport[] {
  if (word.length < LETTERS) return directory.all
  const index = indexOf(directory, textOf)
  const [rarest = []] = lettersOf(word)
    .map((letters) => index.get(letters) ?? [])
    .sort((a, b) => a.length - b.length)
  return rarest.map((place) => directory.all[place]!)
}
