import { NOTAM_HEAD, NOTAM_TAIL } from '../../../config/reference/faa-words.ts'
import { WEEKDAYS } from '../../../warehouse/tables/closure.ts'
import { utcMs } from './times.ts'

/** The parts of a NOTAM text, which the FAA publishes as a closure's reason. */
export interface Notam {
  /** e.g. `LAX 05/277`; null when the text is not a numbered NOTAM. */
  id: string | null
  /** The text without number, place and period. */
  body: string
  /** The period at the end of the text; null when there is none. `end` is null for PERM and until further notice. */
  period: { start: number | null; end: number | null } | null
}

function stampMs(stamp: string): number | null {
  const part = (offset: number) => Number(stamp.slice(offset, offset + 2))
  return utcMs(2_000 + part(0), part(2) - 1, part(4), part(6), part(8))
}

/** Splits a NOTAM text into its parts; other text becomes the body. */
export function parseNotam(text: string): Notam {
  const head = NOTAM_HEAD.exec(text)
  const rest = head ? text.slice(head[0].length) : text
  const tail = NOTAM_TAIL.exec(rest)
  return {
    id: head ? `${head[1]} ${head[2]}` : null,
    body: (tail ? rest.slice(0, tail.index) : rest).trim(),
    period: tail && period(tail[1]!, tail[2]!),
  }
}

/** A period with an impossible date is none: the words beside it may be better. */
function period(from: string, to: string): Notam['period'] {
  const dated = (stamp: string) => /^\d/.test(stamp)
  const start = dated(from) ? stampMs(from) : null
  const end = dated(to) ? stampMs(to) : null
  return (dated(from) && start === null) || (dated(to) && end === null) ? null : { start, end }
}

/** The hours of a NOTAM, and the rest of its text. */
export interface Schedule {
  /** In the form of the column `closed_hours_utc`; null when the NOTAM names no hours: round the clock. */
  closed_hours_utc: string | null
  rest: string
  /** False when the text names hours in a form that is not supported (`DLY SR-SS`, `EXC SUN`). */
  readable: boolean
}

const RANGE = /^([01]\d|2[0-3])[0-5]\d-(?:([01]\d|2[0-3])[0-5]\d|2400)$/
const SUN_BOUND = /^(?:SR|SS|\d{4})-(?:SR|SS|\d{4})$/

const dayNumber = (name: string) => (WEEKDAYS as readonly string[]).indexOf(name)

/** The weekdays of `WED` or `MON-FRI`; null when the token is neither. */
function daysOf(token: string): string[] | null {
  const [first, last = first, ...more] = token.split('-') as [string, string?, ...string[]]
  const from = dayNumber(first)
  const to = dayNumber(last)
  if (from < 0 || to < 0 || more.length > 0) return null
  return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, step) => WEEKDAYS[(from + step) % 7]!)
}

const isScheduleToken = (token: string) => token === 'DLY' || RANGE.test(token) || daysOf(token) !== null
const segment = (days: string[], range: string) => [...days, range].join(' ')

/** Joins weekdays with the hours after them; weekdays without hours mean the whole day. */
function segmentsOf(tokens: string[]): string[] {
  const segments: string[] = []
  let days: string[] = []
  let used = false
  for (const token of tokens) {
    const named = daysOf(token)
    if (named) {
      days = used ? named : [...days, ...named]
      used = false
    } else if (RANGE.test(token)) {
      segments.push(segment(days, token))
      used = true
    } else if (token === 'DLY') {
      days = []
    }
  }
  if (days.length > 0 && !used) segments.push(segment(days, '0000-2400'))
  return segments
}

/** Separates daily hours and weekday lists (`DLY 0430-0945`, `WED THU 0500-1300`, all UTC) from a NOTAM's body. */
export function splitSchedule(body: string): Schedule {
  const tokens = body.split(/[\s,]+/).filter(Boolean)
  const first = tokens.findIndex(isScheduleToken)
  if (first < 0) {
    return { closed_hours_utc: null, rest: tokens.join(' '), readable: !tokens.some((token) => SUN_BOUND.test(token)) }
  }
  let last = first
  while (last < tokens.length && (isScheduleToken(tokens[last]!) || tokens[last] === 'AND')) last++
  const before = tokens.slice(0, first)
  const after = tokens.slice(last)
  const strays = after.some((token) => isScheduleToken(token) || SUN_BOUND.test(token) || /^HOL/.test(token))
  const readable = !strays && before.at(-1) !== 'EXC'
  const segments = readable ? segmentsOf(tokens.slice(first, last)) : []
  return {
    closed_hours_utc: segments.length > 0 ? segments.join(', ') : null,
    rest: [...before, ...after].join(' '),
    readable,
  }
}
