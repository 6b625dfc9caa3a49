/** The name of the only entry of a source for the whole airport, or of one checkpoint without a name. */
export const WHOLE_AIRPORT = 'all'

/** The name of a terminal or checkpoint as answers show it: never empty. */
export const shownName = (name: string) => (name.trim() === '' ? WHOLE_AIRPORT : name)

/** Numbers in words, and Roman ones of several letters: "V" may be a letter. */
const NUMBER_WORDS = new Map(
  ['one', 'two ii', 'three iii', 'four iv', 'five', 'six vi', 'seven vii', 'eight viii', 'nine ix', 'ten'].flatMap(
    (words, index) => words.split(' ').map((word) => [word, String(index + 1)] as const),
  ),
)

/**
 * Makes names of one terminal equal: "Terminal 04", "T4", "Terminal four", "Terminal IV" and "4" become "4". The whole airport is
 * the empty name, whether it is written as "", "all" or "All terminals".
 */
export const normalizeTerminalName = (terminal: string) =>
  terminal
    .trim()
    .toLowerCase()
    .replace(/^all(\s+terminals?)?$/, '')
    .replace(/^term(?:inal|\.|(?=[\s\d]))[\s:#-]*(?:(?:no\.|no|number)\s+)?(?=\S)|^t[\s-]*(?=\d)/, '')
    .replace(/^[a-z]+$/, (word) => NUMBER_WORDS.get(word) ?? word)
    .replace(/^0+(?=.)/, '')

/** The terminal of a list that a name means, however its source writes it; undefined if there is none. */
export function terminalNamed<Terminal extends { terminal: string }>(
  terminals: readonly Terminal[],
  name: string,
): Terminal | undefined {
  const normalized = normalizeTerminalName(name)
  return terminals.find(({ terminal }) => normalizeTerminalName(terminal) === normalized)
}

/** The words of a name that tell its terminal from others: "North Terminal" and "Concourse B" without the word that says what they are. */
export const terminalWords = (name: string) =>
  normalizeTerminalName(name)
    .replace(/\bintl\b/g, 'international')
    .replace(/\b(terminals?|concourse|pier|building|hall)\b/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const byNumber = new Intl.Collator('en', { numeric: true })

/** Compares two names of terminals or bars, so that 2 comes before 10. */
export const compareNames = (name: string, other: string): number => byNumber.compare(name, other)
