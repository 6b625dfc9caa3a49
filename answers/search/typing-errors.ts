import { groupBy } from '../../config/group-by.ts'
/** A word of a list that is similar to another. */
export interface SimilarWord {
  /** Its position in the list. */
  index: number
  errors: number
}

/** Words of one length. */
interface Group {
  words: string[]
  /** The position of each in the whole list. */
  indexes: number[]
  /** The letters of each (see `lettersOf`). */
  letters: Int32Array
}

/** A list of words in which those that are similar to a word are found. */
export class SimilarWords {
  /** Groups by word length. */
  readonly #groups: (Group | undefined)[] = []

  /** @param list words, none twice */
  constructor(list: readonly string[]) {
    for (const [length, indexes] of groupBy(list.keys(), (index) => list[index]!.length)) {
      const words = indexes.map((index) => list[index]!)
      this.#groups[length] = { words, indexes, letters: Int32Array.from(words, lettersOf) }
    }
  }

  /**
   * The words that differ from a word by at most `max` typing errors, the most similar first: a letter too many, too few, wrong,
   * or two exchanged. Only words of nearly the same letters are compared letter by letter.
   */
  find(word: string, max: number): SimilarWord[] {
    const found: SimilarWord[] = []
    const own = lettersOf(word)
    const rows = Array.from({ length: word.length + max + 1 }, () => new Uint8Array(word.length + 1))
    for (let column = 0; column <= word.length; column += 1) rows[0]![column] = Math.min(column, max + 1)
    for (let length = Math.max(0, word.length - max); length <= word.length + max; length += 1) {
      const group = this.#groups[length]
      if (!group) continue
      const { words, indexes, letters } = group
      for (let position = 0; position < letters.length; position += 1) {
        const other = letters[position]!
        if (hasMoreBits(other & ~own, max) || hasMoreBits(own & ~other, max)) continue
        const errors = errorsBetween(rows, words[position]!, word, max)
        if (errors <= max) found.push({ index: indexes[position]!, errors })
      }
    }
    return found.sort((a, b) => a.errors - b.errors || a.index - b.index)
  }
}

/** The letters that a word has, one bit for each; letters with the same last five bits share one. */
function lettersOf(word: string): number {
  let letters = 0
  for (let index = 0; index < word.length; index += 1) letters |= 1 << (word.charCodeAt(index) & 31)
  return letters
}

/** Whether a number has more than `max` bits. */
function hasMoreBits(bits: number, max: number): boolean {
  let rest = bits
  for (let cleared = 0; cleared < max; cleared += 1) rest &= rest - 1
  return rest !== 0
}

/** The number of typing errors; more than `max` where there are more. */
function errorsBetween(rows: Uint8Array[], other: string, word: string, max: number): number {
  for (let depth = 1; depth <= other.length; depth += 1)
    if (fillRow(rows, depth, other, word, max) > max) return max + 1
  return rows[other.length]![word.length]!
}

/** Fills the row of a word's letter `depth` where it can have at most `max` errors; returns the least number of errors in it. */
function fillRow(rows: Uint8Array[], depth: number, other: string, word: string, max: number): number {
  const above = rows[depth - 1]!
  const row = rows[depth]!
  const from = Math.max(1, depth - max)
  const to = Math.min(word.length, depth + max)
  row[from - 1] = from === 1 && depth <= max ? depth : max + 1
  let least = row[from - 1]!
  const letter = other.charCodeAt(depth - 1)
  const before = depth > 1 ? other.charCodeAt(depth - 2) : -1
  for (let column = from; column <= to; column += 1) {
    const wrong = letter === word.charCodeAt(column - 1) ? 0 : 1
    let errors = above[column - 1]! + wrong
    if (row[column - 1]! + 1 < errors) errors = row[column - 1]! + 1
    if (above[column]! + 1 < errors) errors = above[column]! + 1
    if (column > 1 && letter === word.charCodeAt(column - 2) && before === word.charCodeAt(column - 1))
      errors = Math.min(errors, rows[depth - 2]![column - 2]! + 1)
    row[column] = errors
    if (errors < least) least = errors
  }
  if (to < word.length) row[to + 1] = max + 1
  return least
}
