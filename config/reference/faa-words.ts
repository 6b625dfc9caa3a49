import { z } from 'zod'
import { quoted } from '../untrusted-text.ts'
import { referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'

/**
 * The FAA's reasons of delays and texts of closures, in plain words. Only text whose words are all known is translated; any
 * other is quoted as it stands.
 */

const LISTS = ['center', 'category', 'initiative', 'phrase', 'contraction', 'plain'] as const

/** A word of the FAA in plain words. */
const FaaWord = z.strictObject({
  list: z
    .enum(LISTS)
    .describe(
      'center: a control centre by its id; category: of the reason of a delay; initiative: what a measure does to flights; phrase: a pattern, in the order of their use; contraction: of a word; plain: a word that means what it says.',
    ),
  text: z.string().min(1).describe('As the FAA writes it; of a phrase, a regular expression.'),
  words: z.string(),
  ...Evidence.shape,
})
export type FaaWord = z.infer<typeof FaaWord>

/** Words of reasons and closures, written by hand. */
export const FAA_WORDS_FILE = referenceFile('faa-words', FaaWord)

/** The words of a list by their text, in order. */
const faaWords = (list: FaaWord['list']): ReadonlyMap<string, string> =>
  new Map(FAA_WORDS_FILE.rows().flatMap((row) => (row.list === list ? [[row.text, row.words]] : [])))

/** Number and place of a NOTAM: `!LAX 05/277 LAX `. */
export const NOTAM_HEAD = /^!?([A-Z0-9]{3,4})\s+(\d{1,2}\/\d{1,4})\s+[A-Z0-9]{3,4}\s+/
/** `2605271826-2705281600`, `…-PERM`, `…-2705281600EST` (estimated), `WIE-UFN` (with immediate effect, until further notice). */
export const NOTAM_TAIL = /\s*\b(\d{10}|WIE|WEF)-(\d{10}|PERM|UFN)\s*(?:EST)?\s*\.?\s*$/

/** The words for a closure without exceptions. */
export const CLOSED_WORDS = 'airport closed'

const CENTERS = faaWords('center')
const CATEGORIES = faaWords('category')
const INITIATIVES = faaWords('initiative')
const CONTRACTIONS = faaWords('contraction')
const PLAIN = faaWords('plain')
/** The longer before the shorter. */
const PHRASES = [...faaWords('phrase')].map(([pattern, words]) => ({ pattern: new RegExp(pattern, 'g'), words }))

const CONTACT = /\b(?:CTC|CONTACT)\b.*|\b(?:\d{3}-)?\d{3}-\d{4}\b/g
/** Hours and weekdays of a NOTAM, which are separate from its words. */
const SCHEDULE = /\b(?:DLY|(?:SUN|MON|TUE|WED|THU|FRI|SAT)(?:-(?:SUN|MON|TUE|WED|THU|FRI|SAT))?|\d{4}-\d{4})\b,?/g

/** A text in plain words; null when one of its words is not known. */
function plainWords(text: string): string | null {
  let expanded = text
    .toUpperCase()
    .replace(/\s*\/\s*/g, ' or ')
    .replace(/ - /g, ', ')
  for (const { pattern, words } of PHRASES) expanded = expanded.replace(pattern, words)
  const words = expanded
    .replace(/\.$/, '')
    .split(/\s+/)
    .filter(Boolean)
    .map((token) => {
      const [, word = '', comma = ''] = /^(.*?)(,?)$/.exec(token)!
      const plain = plainWord(word)
      return plain === null ? null : plain + comma
    })
  return words.length > 0 && words.every((word) => word !== null) ? words.join(' ') : null
}

function plainWord(word: string): string | null {
  const [, code] = /^<([A-Z0-9-]+)>$/.exec(word) ?? []
  if (code !== undefined) return code
  const centre = CENTERS.get(word)
  if (centre !== undefined) return `${centre} Center`
  const contraction = CONTRACTIONS.get(word)
  if (contraction !== undefined) return contraction
  return PLAIN.has(word.toLowerCase()) ? word.toLowerCase() : null
}

/** The words of a reason in the coded vocabulary (`CATEGORY:detail[:cause]`); null when one of its parts is not known. */
function codedReason(text: string): string | null {
  const [head = '', ...details] = text.split(':').map((part) => part.trim())
  if (head.toUpperCase() === 'TM INITIATIVES') {
    const [measure = '', cause = ''] = details
    const [what, why] = [INITIATIVES.get(measure.toUpperCase()), causeWords(cause)]
    return what === undefined || why === null ? null : [why, what].filter(Boolean).join('; ')
  }
  const category = CATEGORIES.get(head.toUpperCase())
  const detail = plainWords(details.join(' '))
  if (category === undefined || detail === null) return null
  if (category === 'other' || category === 'weather' || detail.includes(category)) return detail
  if (category === 'runway' || category === 'taxiway') return pavementWords(category, detail)
  if (category === 'equipment') return /outage|out of service/.test(detail) ? detail : `equipment (${detail})`
  return detail
}

/** The fault of a runway or taxiway. */
function pavementWords(category: string, detail: string): string {
  if (/^(?:aircraft|animal|debris|disabled|foreign|obstruction|vehicle)\b/.test(detail))
    return `${detail} on the ${category}`
  return /\brunways?\b|noise/.test(detail) ? detail : `${category} ${detail}`
}

const causeWords = (cause: string) => CATEGORIES.get(cause.toUpperCase()) ?? plainWords(cause)

/** The words of the reason of a delay program, like `wind` for `WX:Wind`; the text in quotation marks where they are not known. */
export function reasonWords(reason: string): string {
  const [, centre, rest = reason] = /^(Z[A-Z]{2})\/(.*)$/.exec(reason.trim()) ?? []
  const words = rest.includes(':') ? codedReason(rest) : (CATEGORIES.get(rest.trim().toUpperCase()) ?? plainWords(rest))
  if (words === null) return quoted(reason)
  if (centre === undefined) return words
  return CENTERS.get(centre) === undefined
    ? quoted(reason)
    : `${words} in the airspace of ${CENTERS.get(centre)} Center`
}

/**
 * The words of a closure, like `airport closed except helicopters` for `!ASE 08/012 ASE AD AP CLSD EXC HEL DLY 0430-0945
 * 2608110430-2608220945`: without its number, hours, period and telephone numbers. Quoted where a word is not known.
 */
export function closureWords(text: string): string {
  const body = text
    .replace(NOTAM_HEAD, '')
    .replace(NOTAM_TAIL, '')
    .toUpperCase()
    .replace(CONTACT, '')
    .replace(SCHEDULE, '')
  return plainWords(body) ?? quoted(text)
}
