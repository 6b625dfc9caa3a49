/** A run of letters, of digits, of other ASCII, or one character beyond ASCII. */
const RUN = /[A-Za-z]+|[0-9]+|[ -~\s]|[^\0-\x7f]/g

const isLetter = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
const isDigit = (code: number) => code >= 48 && code <= 57

/**
 * The number of tokens of a text, estimated without a tokenizer's table, which would cost the service 30 MB of memory. It is
 * never less than the count of o200k for our answers, and seldom more than a third above it (test/api/data/tools/answer-size.test.ts).
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  let punctuation = 0
  let afterSpace = false
  for (const [run] of text.matchAll(RUN)) {
    const code = run.charCodeAt(0)
    if (isLetter(code) || isDigit(code) || code > 127) {
      tokens += Math.ceil(punctuation / 3)
      punctuation = 0
    }
    if (isLetter(code))
      tokens += run === run.toUpperCase() ? Math.ceil(run.length / 2) : 1 + Math.floor((run.length - 1) / 7)
    else if (isDigit(code))
      // A space goes with the word after it, but stands alone before a number.
      tokens += Math.ceil(run.length / 3) + (afterSpace ? 1 : 0)
    else if (code > 127) tokens += 1
    else if (code !== 32) punctuation += 1
    afterSpace = code === 32
  }
  return tokens + Math.ceil(punctuation / 3)
}
