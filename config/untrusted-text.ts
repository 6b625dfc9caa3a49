import { HIDDEN, HIDDEN_ALL, JOINER } from './hidden-characters.ts'

/**
 * Rules for short texts from outside. Callers, feeds, imported files and maps write texts that other people's agents, terminals,
 * pages and spreadsheets show. Such a text is bounded, in NFC, on one line, and has no character that is invisible, that
 * controls a terminal or that changes the direction of the text around it. Callers' texts are refused otherwise; those of feeds
 * are cleaned; and every output to a terminal escapes what is left.
 */

/** Longest name: of a terminal, a checkpoint, a client, a browser. */
export const MAX_NAME_CHARACTERS = 100
/** Longest text of one value from a feed; a whole TAF has about 1,500. */
export const MAX_TEXT_CHARACTERS = 4_000
/** Longest text of what is wrong with a line of an imported file; it quotes the value. */
export const MAX_FAULT_CHARACTERS = 300

const JOINER_AT_END = new RegExp(`${JOINER}$`, 'u')
/** More marks on one letter than any language has; they run over the lines above and below. */
const MARK_FLOOD = /\p{M}{5,}/u
const PRINTABLE_ASCII = /^[ -~]*$/

/**
 * Characters that begin a link, an image, code or an element in Markdown or HTML, with their replacement: no markup survives in
 * a name. The expressions are read by the engine of the warehouse too.
 */
export const MARKUP: readonly (readonly [pattern: string, replacement: string])[] = [
  ['<', '‹'],
  ['>', '›'],
  ['`', '’'],
  ['\\]\\(', '] ('],
  ['://', ': '],
]
const MARKUP_EXPRESSIONS = MARKUP.map(([pattern, replacement]) => [new RegExp(pattern, 'g'), replacement] as const)
const HAS_MARKUP = new RegExp(MARKUP.map(([pattern]) => pattern).join('|'))

/** Words of outside inside our own texts or tables: without what begins a link, an image, code or an element. */
export const withoutMarkup = (text: string): string =>
  HAS_MARKUP.test(text)
    ? MARKUP_EXPRESSIONS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text)
    : text

/** Comparisons with their words, `under 5 min` for `< 5 min`: feeds write waits so, and it is no markup. */
export const COMPARISONS: typeof MARKUP = [
  ['<\\s*(\\d)', 'under $1'],
  ['>\\s*(\\d)', 'over $1'],
]

/** A text with its comparisons in words. */
export const comparisonsInWords = (text: string): string =>
  COMPARISONS.reduce((rest, [pattern, replacement]) => rest.replace(new RegExp(pattern, 'g'), replacement), text)

/** Whether a text has only characters that people can see, on one line. */
export function isPlainText(text: string): boolean {
  if (PRINTABLE_ASCII.test(text)) return true
  return !HIDDEN.test(text) && !MARK_FLOOD.test(text)
}

export const NOT_PLAIN =
  'must be plain text on one line: no control, invisible or direction-changing characters, no escape sequences'

const isCleanText = (text: string, max: number) =>
  text.length <= max && (PRINTABLE_ASCII.test(text) || (isPlainText(text) && text === text.normalize('NFC')))

/** A text of a feed as it may land: in NFC, on one line, without hidden characters, cut at `max` characters. */
export function cleanText(text: string, max = MAX_TEXT_CHARACTERS): string {
  if (isCleanText(text, max)) return text
  // A text of any length is cut before it is worked on; twice the length leaves room for what is taken out.
  const cleaned = text
    .slice(0, max * 2)
    .normalize('NFC')
    .replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(HIDDEN_ALL, '')
    .replace(/(\p{M}{4})\p{M}+/gu, '$1')
    .trim()
  const characters = [...cleaned]
  return characters.length <= max
    ? cleaned
    : `${characters
        .slice(0, max - 1)
        .join('')
        .replace(JOINER_AT_END, '')}…`
}

/** A text of a feed as it may land: as `cleanText` gives it, and without markup. */
export const landedText = (text: string, max = MAX_TEXT_CHARACTERS): string =>
  cleanText(withoutMarkup(comparisonsInWords(cleanText(text, max))), max)

interface Cleaning {
  isClean: (text: string, max: number) => boolean
  clean: (text: string, max: number) => string
}
const OF_ANSWERS: Cleaning = { isClean: isCleanText, clean: cleanText }
const OF_FEEDS: Cleaning = {
  isClean: (text, max) => isCleanText(text, max) && !HAS_MARKUP.test(text),
  clean: landedText,
}

/** A copy of rows or of an answer with every text cleaned; the same object when nothing had to be. */
export function withCleanTexts<T>(value: T): T {
  return cleaned(value, MAX_TEXT_CHARACTERS, OF_ANSWERS)
}

/** The same for what comes from feeds and has no addresses of ours: every text as it may land. */
export function withLandedTexts<T>(value: T, max = MAX_TEXT_CHARACTERS): T {
  return cleaned(value, max, OF_FEEDS)
}

// Nearly every answer is clean; to see so takes no copy.
const cleaned = <T>(value: T, max: number, cleaning: Cleaning): T =>
  isClean(value, max, cleaning) ? value : (cleanValue(value, max, cleaning) as T)

/** Typed arrays, maps and the like hold no texts of an answer. */
function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function isClean(value: unknown, max: number, cleaning: Cleaning): boolean {
  if (typeof value === 'string') return cleaning.isClean(value, max)
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every((entry) => isClean(entry, max, cleaning))
  if (!isPlainObject(value)) return true
  for (const key in value) if (!isClean(value[key], max, cleaning)) return false
  return true
}

function cleanValue(value: unknown, max: number, cleaning: Cleaning): unknown {
  if (typeof value === 'string') return cleaning.clean(value, max)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((entry) => cleanValue(entry, max, cleaning))
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, cleanValue(entry, max, cleaning)]))
}

/** Longest quotation of a name or reason in a sentence of ours. */
const MAX_QUOTED_CHARACTERS = 80

/** A name too short to say anything: 4, T4, Terminal 4, B12. */
const SHORT_NAME = /^(Terminal |Concourse )?[\p{L}\p{N}]{1,3}$/u

/** Words of a feed, a map or a caller inside a sentence of ours: cut and in quotation marks, so that they read as data. */
export const quoted = (words: string) =>
  SHORT_NAME.test(words) ? words : `“${landedText(words.replace(/[“”]/g, '"'), MAX_QUOTED_CHARACTERS)}”`

/**
 * The paths of all texts in a caller's input that are not plain, like `trips[0].country`; a key that is not plain counts too.
 * White space around a text is no fault.
 */
export function hiddenTextPaths(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return isPlainText(value.trim()) ? [] : [path]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((entry, index) => hiddenTextPaths(entry, `${path}[${index}]`))
  return Object.entries(value).flatMap(([key, entry]) => {
    const inner = path === '' ? key : `${path}.${key}`
    return isPlainText(key) ? hiddenTextPaths(entry, inner) : [cleanText(inner, MAX_NAME_CHARACTERS)]
  })
}

const escaped = (character: string) => {
  const code = character.codePointAt(0) ?? 0
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`
}

/** A text as a terminal may show it: hidden characters are written as escapes, line breaks too. */
export const terminalText = (text: string) => (PRINTABLE_ASCII.test(text) ? text : text.replace(HIDDEN_ALL, escaped))

/** Several lines of our own for a terminal: like `terminalText`, but line breaks and tabs stay. */
export const terminalLines = (text: string) =>
  text.replace(HIDDEN_ALL, (character) => (character === '\n' || character === '\t' ? character : escaped(character)))

/** JSON for a terminal or a log: hidden characters are escapes, so that it reads back as the same value. */
export const terminalJson = (json: string) =>
  json.replace(HIDDEN_ALL, (character) =>
    character === '\n'
      ? character
      : [...Array(character.length).keys()]
          .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
          .join(''),
  )

/** A field of a CSV file: a text that a spreadsheet would run as a formula begins with an apostrophe. Numbers are no texts. */
export const spreadsheetText = (text: string) => (/^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠|%]/u.test(text) ? `'${text}` : text)
