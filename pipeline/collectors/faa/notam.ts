import { utcMs } from './calendar.ts'

/** The parts of a NOTAM text as the FAA puts it into a closure's reason. */
export interface Notam {
  /** e.g. `LAX 05/277`; null when the text is not a numbered NOTAM. */
  id: string | null
  /** What it says, without number, place and period. */
  body: string
  /** The period in its tail; null when there is none. `end` is null for PERM and until further notice. */
  period: { start: number | null; end: number | null } | null
}

const HEAD = /^!?([A-Z0-9]{3,4})\s+(\d{1,2}\/\d{1,4})\s+[A-Z0-9]{3,4}\s+/
/** `2605271826-2705281600`, `…-PERM`, `…-2705281600EST` (estimated), `WIE-UFN` (with immediate effect, until further notice). */
const TAIL = /\s*\b(\d{10}|WIE|WEF)-(\d{10}|PERM|UFN)\s*(?:EST)?\s*\.?\s*$/

function stampMs(stamp: string): number | null {
  const part = (at: number) => Number(stamp.slice(at, at + 2))
  return utcMs(2_000 + part(0), part(2) - 1, part(4), part(6), part(8))
}

/** Takes a NOTAM text apart; plain words come back as a body alone. */
export function parseNotam(text: string): Notam {
  const head = HEAD.exec(text)
  const rest = head ? text.slice(head[0].length) : text
  const tail = TAIL.exec(rest)
  return {
    id: head ? `${head[1]} ${head[2]}` : null,
    body: (tail ? rest.slice(0, tail.index) : rest).trim(),
    period: tail && period(tail[1]!, tail[2]!),
  }
}

/** A tail with an impossible date is no period at all: its words may be better. */
function period(from: string, to: string): Notam['period'] {
  const dated = (stamp: string) => /^\d/.test(stamp)
  const start = dated(from) ? stampMs(from) : null
  const end = dated(to) ? stampMs(to) : null
  return (dated(from) && start === null) || (dated(to) && end === null) ? null : { start, end }
}
