/**
 * The words of a sorted list that differ from a word by at most `max` typing errors: a letter too many, too few, wrong, or
 * two exchanged. Words that begin alike share the work, and a beginning that has too many errors already ends it.
 */
export function similarWords(
  sorted: readonly string[],
  sharedLetters: Uint8Array,
  word: string,
  max: number,
): { index: number; errors: number }[] {
  const width = word.length + 1
  const rows = [Uint8Array.from({ length: width }, (_, column) => Math.min(column, max + 1))]
  for (let depth = 1; depth <= word.length + max; depth += 1) rows.push(new Uint8Array(width).fill(max + 1))
  const found: { index: number; errors: number }[] = []
  /** How many letters of the current word have a row. */
  let depth = 0
  /** Words that share this many letters with the last one have too many errors; 0 when there is no such beginning. */
  let hopeless = 0
  /** How many letters this word shares with the last one that was compared. */
  let shared = Number.POSITIVE_INFINITY
  for (let index = 0; index < sorted.length; index += 1) {
    shared = Math.min(shared, sharedLetters[index]!)
    if (hopeless > 0 && shared >= hopeless) continue
    const other = sorted[index]!
    if (other.length < word.length - max || other.length > word.length + max) continue
    hopeless = 0
    if (shared < depth) depth = shared
    shared = Number.POSITIVE_INFINITY
    const end = Math.min(other.length, word.length + max)
    while (depth < end && hopeless === 0) {
      depth += 1
      if (fillRow(rows, depth, other, word, max) > max) hopeless = depth
    }
    if (hopeless === 0 && depth === other.length && rows[depth]![width - 1]! <= max)
      found.push({ index, errors: rows[depth]![width - 1]! })
  }
  return found
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

/** For each word of a sorted list, how many letters it shares with the word before it. */
export function sharedLettersOf(sorted: readonly string[]): Uint8Array {
  const shared = new Uint8Array(sorted.length)
  for (let index = 1; index < sorted.length; index += 1) {
    const before = sorted[index - 1]!
    const word = sorted[index]!
    let letters = 0
    while (letters < before.length && letters < word.length && before[letters] === word[letters] && letters < 255)
      letters += 1
    shared[index] = letters
  }
  return shared
}
