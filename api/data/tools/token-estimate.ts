const LOWER = 1
const UPPER = 2
const DIGIT = 3
const SPACE = 4
const PUNCTUATION = 5
const BEYOND_ASCII = 6

/** The kind of each ASCII character; 0 is a control character, which counts for nothing. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[a-z]/.test(character)) return LOWER
  if (/[A-Z]/.test(character)) return UPPER
  if (/[0-9]/.test(character)) return DIGIT
  if (character === ' ') return SPACE
  return /[!-~\s]/.test(character) ? PUNCTUATION : 0
})

/**
 * The number of tokens of a text, estimated without a tokenizer's table, which would cost the service 30 MB of memory. It is
 * never less than the count of o200k for our answers, and seldom more than a third above it (test/api/data/tools/answer-size.test.ts).
 * It stops at the first word beyond `enough` tokens, for a caller who only wants to know whether a text is longer than that.
 */
export function estimateTokens(text: string, enough = Number.POSITIVE_INFINITY): number {
  const { length } = text
  let tokens = 0
  let punctuation = 0
  let afterSpace = false
  for (let at = 0; at < length && tokens <= enough; ) {
    const kind = KINDS[text.charCodeAt(at)] ?? BEYOND_ASCII
    const begin = at
    at += 1
    if (kind === 0) continue
    if (kind === PUNCTUATION) punctuation += 1
    else if (kind !== SPACE) {
      tokens += Math.ceil(punctuation / 3)
      punctuation = 0
      if (kind === DIGIT) {
        while (KINDS[text.charCodeAt(at)] === DIGIT) at += 1
        // A space goes with the word after it, but stands alone before a number.
        tokens += Math.ceil((at - begin) / 3) + (afterSpace ? 1 : 0)
      } else if (kind === BEYOND_ASCII) tokens += 1
      else {
        let isCapitals = kind === UPPER
        for (; ; at += 1) {
          const next = KINDS[text.charCodeAt(at)]
          if (next === LOWER) isCapitals = false
          else if (next !== UPPER) break
        }
        // Capitals are codes, which a tokenizer seldom knows as words.
        tokens += isCapitals ? Math.ceil((at - begin) / 2) : 1 + Math.floor((at - begin - 1) / 7)
      }
    }
    afterSpace = kind === SPACE
  }
  return tokens + Math.ceil(punctuation / 3)
}
