/** Times of a clock in a traveller's text: one of them, and a range of two. */

/** A clock that is no year: with minutes apart, with am or pm, or four figures that do not begin as a year does. */
export const CLOCK = String.raw`\d{1,2}(?:[:.h]\d{2}(?::\d{2})?)?\s*[ap]\.?m\.?|\d{1,2}[:.h]\d{2}(?::\d{2})?|(?:[01]\d|2[1-3])[0-5]\d(?!\d)`

export const NOT_A_RANGE = 'write one time, not from when to when'
/** From one time to another, which may also be a time with an offset: `6:00-7:30`, `6-7am`, `5 to 7 pm`, `5pm to 7pm`, `between 6 and 7`. */
const RANGE =
  /\d{1,2}:\d{2}\s*(?:[-–]|to|until|till)\s*\d{1,2}:\d{2}|\d\s*(?:[ap]\.?m\.?\s*)?(?:[-–]|to|until|till)\s*\d{1,2}(?::\d{2})?\s*[ap]\.?m\b|\bbetween\s+\d.*\sand\s+\d|\bfrom\s+\d.*\sto\s+\d/i
/** A time that is the first or the last one of a range: `after 6pm`, `by 9am`. */
const OPEN_RANGE = new RegExp(String.raw`\b(?<side>by|before|after|until|till|from)\s+(?:${CLOCK})`, 'i')

/** A hint for words with a range in place of a time, as an end of the error; empty if they have none. */
export function rangeHint(words: string): string {
  if (RANGE.test(words)) return `; ${NOT_A_RANGE}`
  const { side } = OPEN_RANGE.exec(words)?.groups ?? {}
  return side === undefined ? '' : `; write one time, without "${side}"`
}
