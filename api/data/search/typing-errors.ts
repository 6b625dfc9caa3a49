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
  const rows: Uint8Array[] = [Uint8Array.from({ length: width }, (_, column) => column)]
  const found: { index: number; errors: number }[] = []
  /** How many letters of the current word have a row. */
  let depth = 0
  /** Words that share this many letters with the last one have too many errors; 0 when there is no such beginning. */
  let hopeless = 0
  for (const [index, other] of sorted.entries()) {
    const shared = sharedLetters[index]!
    if (hopeless > 0 && shared >= hopeless) continue
    hopeless = 0
    depth = Math.min(depth, shared)
    const end = Math.min(other.length, word.length + max + 1)
    while (depth < end) {
      const least = fillRow(rows, depth + 1, other, word)
      depth += 1
      if (least > max) {
        hopeless = depth
        break
      }
    }
    if (hopeless === 0 && depth === other.length && rows[depth]![width - 1]! <= max)
      found.push({ index, errors: rows[depth]![width - 1]! })
  }
  return found
}

/** Fills the row of a word's letter `depth`; returns the least number of errors in it. */
function fillRow(rows: Uint8Array[], depth: number, other: string, word: string): number {
  const width = word.length + 1
  const above = rows[depth - 1]!
  rows[depth] ??= new Uint8Array(width)
  const row = rows[depth]!
  row[0] = depth
  let least = depth
  const letter = other.charCodeAt(depth - 1)
  for (let column = 1; column < width; column += 1) {
    const wrong = letter === word.charCodeAt(column - 1) ? 0 : 1
    let errors = Math.min(row[column - 1]! + 1, above[column]! + 1, above[column - 1]! + wrong)
    const exchanged =
      depth > 1 &&
      column > 1 &&
      letter === word.charCodeAt(column - 2) &&
      other.charCodeAt(depth - 2) === word.charCodeAt(column - 1)
    if (exchanged) errors = Math.min(errors, rows[depth - 2]![column - 2]! + 1)
    row[column] = errors
    if (errors < least) least = errors
  }
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
