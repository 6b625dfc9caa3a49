/** The characters of a text that people cannot see. This file imports nothing, because scripts of browsers contain it. */

/**
 * Scripts in which U+200C and U+200D between two letters are part of the spelling: they say whether the letters are joined, as in
 * the Persian name of Hong Kong and in the Sinhala one of Sri Lanka.
 */
export const JOINING_SCRIPTS = [
  'Arabic',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
]
const JOINED = JOINING_SCRIPTS.map((name) => `\\p{Script=${name}}`).join('')
export const JOINER = '[\\u200c\\u200d]'
/** Marks that show nothing: behind them nothing is joined. */
const HIDDEN_MARK = String.raw`[\u034f\u17b4\u17b5\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`
/** Matches just behind a joiner that belongs to the spelling of a word, or to an emoji of several signs. */
const SPELT_JOINER = `(?<=[${JOINED}](?:(?!${HIDDEN_MARK})\\p{M})*)${JOINER}(?=[${JOINED}])|(?<=\\p{Extended_Pictographic}[\\p{Emoji_Modifier}\\ufe0f]?)\\u200d(?=\\p{Extended_Pictographic})`
/**
 * Matches a character that people cannot see: controls, format characters (bidirectional, zero-width except joiners within a word,
 * tags), lone surrogates, private use, unassigned, line and paragraph separators; further characters that show nothing: fillers, the
 * joiner of graphemes, the empty Braille cell, variation selectors except the one that makes the symbol before it colourful.
 */
export const HIDDEN = new RegExp(
  String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0](?<!${SPELT_JOINER})|\u034f|\u17b4|\u17b5|\u180b|\u180c|\u180d|\u180f|[\ufe00-\ufe0e]|(?<!\p{Extended_Pictographic})\ufe0f|[\u{e0100}-\u{e01ef}]`,
  'u',
)
export const HIDDEN_ALL = new RegExp(HIDDEN, 'gu')
