import { type QueueStatus, WaitMinutes } from '../../config/vocabulary.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { flagOf, numberOf } from './flags-and-ages.ts'
import { textOf } from './json.ts'
import type { NoticeReporter } from './notices.ts'

/**
 * A published number of `unit` as minutes, unrounded. A missing number is null. A value of the wrong type, or outside 0
 * to 600 minutes, is null with a notice. Numbers sent as text ("7", "7 min") are numbers.
 */
export function readMinutes(value: unknown, unit: 'minutes' | 'seconds', report: NoticeReporter): number | null {
  if (value === null || value === undefined) return null
  const withUnit = typeof value === 'string' ? value.trim().match(NUMBER_WITH_UNIT) : null
  const published = withUnit?.[1] ?? value
  const number = numberOf(published)
  const isSeconds = withUnit?.[2] === undefined ? unit === 'seconds' : /^s/i.test(withUnit[2])
  if (number === null || (isSeconds && MAYBE_THOUSANDS.test(textOf(published))))
    return report.warning('value_not_a_number', 'The wait is not a number.', value)
  return minutesInRange(isSeconds ? number / 60 : number, value, report)
}

/** Seconds as text ("1.200") that are 1,200 where a point separates thousands, and 1.2 elsewhere; up to 36,000, the longest wait. */
const MAYBE_THOUSANDS = /^([1-9]|[12]\d|3[0-6])\.\d{3}$/

/** Minutes in the languages of the sources: a feed may answer in another one than before ("5 minutos", "5 Minuten", "5 minuuttia"). */
const MINUTES = '(?:mins?|minut(?:[aeioy]|e[nrs]|os|s)?|minuuttia)'

/** A number that states its own unit, which then is the unit: "7 min", "420 s". */
const NUMBER_WITH_UNIT = new RegExp(`^(\\d+(?:\\.\\d+)?)\\s*(${MINUTES}|s|sec(?:ond)?s?)\\.?$`, 'i')

/** The minutes if they can be a wait (0 to 600), otherwise null with a notice that shows the published value. */
export function minutesInRange(minutes: number | null, published: unknown, report: NoticeReporter): number | null {
  if (minutes === null || WaitMinutes.safeParse(minutes).success) return minutes
  return report.warning('wait_out_of_range', 'The wait is below 0 or above 600 minutes.', published)
}

/** The meaning of a posted text: minutes, a range of minutes, a status, or nothing. */
export interface WaitText {
  wait_minutes: number | null
  wait_minutes_low: number | null
  wait_minutes_high: number | null
  status: QueueStatus
  /** False when the words are unknown: the text is kept, and no minutes are read from it. */
  understood: boolean
}

const NO_WAIT_KNOWN: WaitText = {
  wait_minutes: null,
  wait_minutes_low: null,
  wait_minutes_high: null,
  status: 'unknown',
  understood: true,
}

const openWith = (wait: Partial<WaitText>): WaitText => ({ ...NO_WAIT_KNOWN, status: 'open', ...wait })

const NUMBER = String.raw`(\d+(?:\.\d+)?)`
const UNIT = String.raw`\s*(?:${MINUTES}\.?)?`
const UPPER_BOUND = new RegExp(`^(?:<|≤|less than|under|up to)\\s*(${NUMBER}|an?|one)${UNIT}$`)
const LOWER_BOUND = new RegExp(`^(?:>|≥|more than|over|at least)\\s*${NUMBER}${UNIT}$`)
const LOWER_BOUND_AFTER = new RegExp(`^${NUMBER}(?:\\s*\\+${UNIT}|${UNIT}\\s*(?:\\+|(?:or|and) (?:more|longer|over)))$`)
const RANGE = new RegExp(`^${NUMBER}${UNIT}\\s*(?:-|–|—|to)\\s*${NUMBER}${UNIT}$`)
const PLAIN = new RegExp(`^${NUMBER}${UNIT}$`)

const HOURS = String.raw`\s*(?:hours?|hrs?|h)\b\.?`
const LENGTH_IN_HOURS = new RegExp(
  `(?:${NUMBER}|an?|one)${HOURS}(?:,?\\s*(?:and )?(\\d+)\\s*m(?:in(?:ute)?s?)?\\b\\.?)?`,
  'g',
)
/** The beginning of a range whose unit follows its end: the 1 of "1 - 2 hours". */
const BEGINNING_IN_HOURS = new RegExp(`${NUMBER}(?=\\s*(?:-|–|—|to)\\s*${NUMBER}${HOURS})`)

/** A text with its hours as minutes: "1 hr 10 min" as "70 min". */
const inMinutes = (text: string) =>
  text
    .replace(BEGINNING_IN_HOURS, '$1 h')
    .replace(LENGTH_IN_HOURS, (_, hours = '1', minutes = '0') => `${Number(hours) * 60 + Number(minutes)} min`)

/**
 * Reads the wait texts of the sources (words seen in 2022 to 2026). A range keeps its ends and gets no invented middle;
 * "> 20" has no upper end. "X" is ATL's closed checkpoint, "No Wait" is a real zero.
 */
export function readWaitText(posted: string): WaitText {
  const text = inMinutes(posted.replace(/\s+/g, ' ').trim().toLowerCase())
  if (CLOSED_WORD.test(text) || /^(x|cl|closed until\b.*|opens\b.*)$/.test(text))
    return { ...NO_WAIT_KNOWN, status: 'closed' }
  if (/^(|-|–|—|n\/a|not available|unavailable)$/.test(text)) return NO_WAIT_KNOWN
  if (/^no wait( time)?$/.test(text)) return openWith({ wait_minutes: 0 })
  const upper = text.match(UPPER_BOUND)
  if (upper) return openWith({ wait_minutes_low: 0, wait_minutes_high: upper[2] === undefined ? 1 : Number(upper[2]) })
  const lower = text.match(LOWER_BOUND) ?? text.match(LOWER_BOUND_AFTER)
  if (lower) return openWith({ wait_minutes_low: Number(lower[1]) })
  const range = text.match(RANGE)
  if (range && Number(range[1]) <= Number(range[2]))
    return openWith({ wait_minutes_low: Number(range[1]), wait_minutes_high: Number(range[2]) })
  const plain = text.match(PLAIN)
  if (plain) return openWith({ wait_minutes: Number(plain[1]) })
  return { ...NO_WAIT_KNOWN, understood: false }
}

/** The columns of a reading that a posted text fills. */
export type WaitColumns = Pick<
  ParsedReading,
  'wait_minutes' | 'wait_minutes_low' | 'wait_minutes_high' | 'wait_text' | 'status'
>

/** "10" and "4 mins" are numbers, not words. */
const PLAIN_NUMBER = new RegExp(`^\\d+(\\.\\d+)? ?${MINUTES}?$`, 'i')

/** The wait columns of a posted text. Unknown words are kept as text, with a notice. */
export function postedWait(text: string, report: NoticeReporter): WaitColumns {
  const { understood, ...posted } = readWaitText(text)
  // A level gets its notice from the check `level_without_minutes`, whichever collector reads it.
  if (!understood && levelIn(text) === null) report.warning('wait_text_unknown', 'The wait text is unknown.', text)
  return {
    ...posted,
    wait_minutes: minutesInRange(posted.wait_minutes, text, report),
    wait_minutes_low: minutesInRange(posted.wait_minutes_low, text, report),
    wait_minutes_high: minutesInRange(posted.wait_minutes_high, text, report),
    wait_text: text === '' || PLAIN_NUMBER.test(text) ? null : text,
  }
}

/** Words for how busy a queue is, which sources post instead of minutes (CLE, seen 2026-08; the Korean airports; others of the kind). */
const LEVEL = /^(very )?(low|light|smooth|medium|moderate|normal|high|heavy|busy|crowded|severe)( wait| traffic)?$/

/** The level that a text names, in lower case; null when it names none. */
export function levelIn(text: string | null): string | null {
  const words = text?.replace(/\s+/g, ' ').trim().toLowerCase() ?? ''
  return LEVEL.test(words) ? words : null
}

/** The status by a flag that is true for an open queue; unknown when it is neither true nor false, with a notice where it is a word. */
export function statusOfFlag(open: unknown, report: NoticeReporter): QueueStatus {
  const isOpen = flagOf(open)
  if (isOpen === null) return unknownStatus(open, report)
  return isOpen ? 'open' : 'closed'
}

/** The same by a flag that is true for a closed queue. */
export function statusOfClosing(closed: unknown, report: NoticeReporter): QueueStatus {
  const isClosed = flagOf(closed)
  return isClosed === null ? unknownStatus(closed, report) : statusOfFlag(!isClosed, report)
}

/** The status that was posted, beside a flag for a closed queue that is often left out: closed where it is set, unknown where it says neither yes nor no. */
export function statusUnlessClosed(posted: QueueStatus, closed: unknown, report: NoticeReporter): QueueStatus {
  const isClosed = flagOf(closed)
  if (isClosed === true) return 'closed'
  return isClosed === false || textOf(closed) === '' ? posted : unknownStatus(closed, report)
}

/** Words that feeds use for a status that they do not know. A digit may be any of a source's own codes. */
const NO_STATUS = /^(\d*|unknown|unavailable|n\/a|null|-)$/

/** Unknown, with a notice where the source published a word: it may be that for closed in another language. */
export function unknownStatus(published: unknown, report: NoticeReporter): QueueStatus {
  const word = textOf(published).toLowerCase()
  if (!NO_STATUS.test(word)) report.warning('status_unknown', 'The word for the status of the queue is unknown.', word)
  return 'unknown'
}

/** Words for open and closed, in the languages of the airports whose feeds are read. "closure" is BWI's word. */
const OPEN_WORD =
  /^(opened|open( now)?|ge(ö|oe)ffnet|offen|ouvert|abiert[oa]|oberta?|apert[oa]|åben|åpen|öppen|öppet|avoinna|auki|otevřeno|açık)$/
const CLOSED_WORD =
  /^((temporarily |currently )?closed( now| temporarily)?|closure|suspended|(vorübergehend )?geschlossen|fermée?|cerrad[oa]|tancat|tancada|chius[oa]|lukket|stengt|stängd|stängt|suljettu|gesloten|zavřeno|kapalı)$/

/** The status by a flag or by a word; any other word is unknown, with a notice. */
export function statusOf(published: unknown, report: NoticeReporter): QueueStatus {
  const word = textOf(published).toLowerCase()
  if (OPEN_WORD.test(word)) return 'open'
  if (CLOSED_WORD.test(word)) return 'closed'
  if (NO_STATUS.test(word) && typeof published !== 'boolean') return 'unknown'
  return statusOfFlag(published, report)
}
