import type { QueueWait, StatusFields } from '../../../config/answer-schemas.ts'
import { shownName } from '../../../config/terminal-name.ts'
import { FRESH_SECONDS, HOUR_MS, startOfHour } from '../../../config/vocabulary.ts'
import { type LearnedHours, openPercentAt, reopeningAfter, UNKNOWN_OPEN } from './learned-hours.ts'
import { standardStatus } from './standard-lanes.ts'

/**
 * How much of an unexpected status is left an hour later. A checkpoint closed at noon is probably closed at one. The value has
 * the smallest Brier score over three months of 25 airports (0.104 against 0.125 without it; docs/measurements/closed-hours.md).
 */
const PERSISTENCE_AN_HOUR = 0.65
/** A status that was observed in the hour itself; it may still change before the hour is over. */
const OBSERVED_OPEN = 0.97
const OBSERVED_CLOSED = 0.03

/** The current wait of one queue of one airport. */
export interface CurrentQueue {
  iata: string
  kind: string
  wait: QueueWait
}

/** A fresh observation of whether a queue is open; null when there is none. */
function freshStatus({ status, status_basis, status_age_seconds }: StatusFields): 'open' | 'closed' | null {
  const isObserved = status_basis === 'measured' || status_basis === 'reported'
  if (!isObserved || status_age_seconds === null || status_age_seconds >= FRESH_SECONDS) return null
  return status === 'unknown' ? null : status
}

/** Whether the standard lanes of a queue, or of one of its terminals (empty for the whole airport), are open. */
export function statusOfTerminal(wait: QueueWait, terminal: string): StatusFields | null {
  if (terminal === '') return wait
  const found = wait.terminals.find((terminalWait) => terminalWait.terminal === shownName(terminal))
  return found ? standardStatus(found) : null
}

/** When a closed queue opens by what its source has published (epoch ms); null if it has not. */
const publishedOpening = ({ reopens_at, reopens_basis }: StatusFields): number | null =>
  reopens_at !== null && reopens_basis === 'measured' ? Date.parse(reopens_at) : null

/**
 * The probability that a queue is open in the hour that starts at `start` (epoch ms): what its hours show, corrected by a
 * fresh observation that contradicts them. The correction fades by the hour, but for a closure whose end is published: it lasts until
 * then and no longer. Null when nothing is known.
 */
export function openProbability(
  hours: LearnedHours | null,
  observed: StatusFields | null,
  start: number,
  now: number,
): number | null {
  const learnedAt = (instant: number) => {
    const percent = hours === null ? UNKNOWN_OPEN : openPercentAt(hours, instant)
    return percent === UNKNOWN_OPEN ? null : percent / 100
  }
  const learned = learnedAt(start)
  const status = observed && freshStatus(observed)
  if (!status) return learned
  const thisHour = startOfHour(now)
  const hoursAhead = (start - thisHour) / HOUR_MS
  if (hoursAhead < 0) return learned
  const opening = status === 'closed' ? publishedOpening(observed) : null
  if (opening !== null && start + HOUR_MS <= opening) return OBSERVED_CLOSED
  if (opening !== null && start >= thisHour + HOUR_MS) return start < opening ? Math.max(learned ?? 0, 0.5) : learned
  if (hoursAhead === 0) return probabilityThisHour(status, hours, learned, now)
  const seen = status === 'open' ? 1 : 0
  const expected = learnedAt(thisHour)
  const left = PERSISTENCE_AN_HOUR ** hoursAhead
  // Without hours nothing says when the status will change. A closure lasts for a while; that a queue is open is no surprise that fades.
  if (learned === null) return status === 'open' || left < 0.5 ? null : 1 - left
  const surprise = expected === null ? 0 : Math.abs(seen - expected)
  return learned + surprise * left * (seen - learned)
}

function probabilityThisHour(
  status: 'open' | 'closed',
  hours: LearnedHours | null,
  learned: number | null,
  now: number,
): number {
  if (status === 'open') return Math.max(learned ?? 0, OBSERVED_OPEN)
  const reopening = hours && reopeningAfter(hours, now)
  const opensInThisHour = reopening && reopening.opens_ms < (Math.floor(now / HOUR_MS) + 1) * HOUR_MS
  return opensInThisHour ? Math.max(learned ?? 0, 0.5) : OBSERVED_CLOSED
}
