import { fold } from '../../../config/airports/search/fold.ts'
import type { NameIndex } from './name-index.ts'
import { HAS_MARKS } from './query-words.ts'

/** A name as the airport's own names write it: "München" for "Munchen", because lists of names leave marks out. */
export function spelled(index: NameIndex, position: number, name: string): string {
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
