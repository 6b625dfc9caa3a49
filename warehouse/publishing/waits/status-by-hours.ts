import {
  type CheckpointWait,
  CLOSED_REASON,
  NO_PROVENANCE,
  type QueueWait,
  type StatusFields,
  type TerminalWait,
  UNKNOWN_STATUS,
} from '../../../config/answer-schemas.ts'
import { WHOLE_AIRPORT } from '../../../config/terminal-name.ts'
import { FRESH_SECONDS, isoUtc } from '../../../config/vocabulary.ts'
import { type LearnedHours, openPercentAt, openStatus, reopeningAfter } from './learned-hours.ts'

/** Current waits beside the opening hours that were learned: when a closed queue opens, and whether it still is closed. */

/** The learned hours of a terminal, or of the airport without one. */
export type HoursOf = (terminal?: string) => LearnedHours | null

const PAST_CLOSURE = 'the last observation was of a closed queue, which should be open by now'

/** The status that the hours of a queue let expect at an instant (epoch ms). */
export function predictedStatus(hours: LearnedHours | null, now: number): StatusFields {
  const status = hours === null ? 'unknown' : openStatus(openPercentAt(hours, now))
  if (hours === null || status === 'unknown') return UNKNOWN_STATUS
  const predicted: StatusFields = {
    ...UNKNOWN_STATUS,
    status,
    status_basis: 'predicted' as const,
    status_source: hours.days === 0 && hours.published ? hours.published.source : `hours@${hours.to}`,
  }
  return status === 'closed' ? withReopening(predicted, hours, now) : predicted
}

/** A queue without a fresh observation that is closed by its hours. */
export function closedByItsHours(status: StatusFields): QueueWait {
  return {
    average_wait_minutes: null,
    ...status,
    ...NO_PROVENANCE,
    basis: status.status_basis,
    source: status.status_source,
    unavailable_reason: CLOSED_REASON,
    terminals: [],
  }
}

/**
 * An observed wait as its hours complete it; null when they outweigh it. A closed queue gets the time at which it opens. A
 * closure over an hour old does not outlast an opening that was due since. A wait over an hour old, or a 0 without a status,
 * does not count in an hour in which the queue is closed.
 */
export function withHours(wait: QueueWait, hoursOf: HoursOf, now: number): QueueWait | null {
  const hours = hoursOf()
  if (wait.status === 'closed' && hasEnded(wait, hours, now)) return null
  const isDoubtful = wait.age_seconds === null || wait.age_seconds >= FRESH_SECONDS || isBareZero(wait)
  if (wait.average_wait_minutes !== null && isDoubtful && predictedStatus(hours, now).status === 'closed') return null
  const completed = wait.status === 'closed' ? withReopening(wait, hours, now) : wait
  if (!completed.terminals.some(({ status }) => status === 'closed')) return completed
  return {
    ...completed,
    terminals: completed.terminals.map((terminal) =>
      terminalWithHours(terminal, hoursOf(terminal.terminal === WHOLE_AIRPORT ? '' : terminal.terminal), now),
    ),
  }
}

const isBareZero = ({ average_wait_minutes, status }: QueueWait) => average_wait_minutes === 0 && status === 'unknown'

function terminalWithHours(terminal: TerminalWait, hours: LearnedHours | null, now: number): TerminalWait {
  if (terminal.status !== 'closed')
    return { ...terminal, checkpoints: terminal.checkpoints.map((lane) => laneWithHours(lane, hours, now)) }
  const ended = hasEnded(terminal, hours, now)
  const completed: TerminalWait = ended
    ? { ...terminal, ...UNKNOWN_STATUS, unavailable_reason: PAST_CLOSURE }
    : withReopening(terminal, hours, now)
  return { ...completed, checkpoints: terminal.checkpoints.map((lane) => laneWithHours(lane, hours, now)) }
}

/** A lane has no hours of its own: where its terminal is open, nothing is known of when the lane opens. */
function laneWithHours(lane: CheckpointWait, hours: LearnedHours | null, now: number): CheckpointWait {
  if (lane.status !== 'closed') return lane
  if (!hasEnded(lane, hours, now)) return withReopening(lane, hours, now)
  return { ...lane, ...UNKNOWN_STATUS, open: null, unavailable_reason: PAST_CLOSURE }
}

/** Whether a closure should have ended since: its source published when it opens, or it is over an hour old and its hours say so. */
function hasEnded(closure: StatusFields, hours: LearnedHours | null, now: number) {
  const { status_observed_at, status_age_seconds, reopens_at, reopens_basis } = closure
  if (reopens_at !== null && reopens_basis === 'measured') return Date.parse(reopens_at) <= now
  if (hours === null || status_observed_at === null || (status_age_seconds ?? 0) < FRESH_SECONDS) return false
  const reopening = reopeningAfter(hours, Date.parse(status_observed_at))
  return reopening !== null && reopening.opens_ms <= now
}

/** A closed queue with the time at which its hours let it open, unless the source has published one. */
export function withReopening<Figure extends StatusFields>(
  figure: Figure,
  hours: LearnedHours | null,
  now: number,
): Figure {
  const isPublishedAhead = figure.reopens_at !== null && Date.parse(figure.reopens_at) > now
  if (isPublishedAhead) return figure
  const reopening = hours && reopeningAfter(hours, now)
  return {
    ...figure,
    reopens_at: reopening ? isoUtc(reopening.opens_ms) : null,
    reopens_basis: reopening && (reopening.days === null ? ('measured' as const) : ('predicted' as const)),
    reopens_days: reopening?.days ?? null,
  }
}
