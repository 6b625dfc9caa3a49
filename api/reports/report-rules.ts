import { CROWD_WINDOW_MS } from '../../config/publishers.ts'
import { DAY_MS, HOUR_MS, type Lane, MINUTE_MS, type QueueKind } from '../../config/vocabulary.ts'

/** Every limit that applies to travellers' reports, with its reason. */
export const REPORT_RULES = {
  /** From the specification; a wait over three hours is a breakdown, not a queue. */
  max_minutes: 180,
  /** Enough for "International Departures Terminal", not for a message to the readers of the report. */
  max_terminal_length: 40,
  /** An older wait says little about the queue now. */
  max_age_ms: 2 * HOUR_MS,
  /** Per account, airport, queue, terminal and lane: nobody queues twice within it, so the later report is a correction. */
  correction_ms: 10 * MINUTE_MS,
  /** Per account: a trip has about six queues, and its two airports are in different hours. */
  per_hour: 10,
  /** Per account and airport: bags, security, border, lounge, and one correction. */
  per_airport_hour: 5,
  /** A report this far, and by this factor, outside all known figures is held; half of it would hold ordinary bad mornings. */
  far_minutes: 30,
  far_factor: 2,
  /** If nothing is known of a queue, a longer wait is held … */
  max_unknown_minutes: 120,
  /** … and of an account younger than a day already from here on: it costs nothing to make one. */
  max_unknown_minutes_of_new: 60,
  /** An account this old may confirm others: a few are quickly made, a few that wait for a day hardly for one queue. */
  established_ms: DAY_MS,
  /** Travellers who must agree before an implausible report counts: against a known figure, and without one. */
  agreeing_against_known: 3,
  agreeing_if_unknown: 2,
  /** The network of a report is needed while others may agree with it; its hash is erased after this time. */
  network_ms: 2 * DAY_MS,
  /** A traveller has one voice within this time. */
  counted_ms: CROWD_WINDOW_MS,
  /** Two travellers see the same queue within this … */
  agree_ms: 30 * MINUTE_MS,
  /** … when they differ by at most this many minutes, or this share of the longer wait: people round and guess. */
  agree_minutes: 10,
  agree_share: 0.4,
  /** How long a report is shown. */
  shown_ms: 24 * HOUR_MS,
  /** How long a report is kept with its account, so that people can ask about it; the warehouse keeps the reading. */
  retention_ms: 30 * DAY_MS,
} as const

/** The statuses of a report. Only accepted reports are in the warehouse and shown to others. */
export const REPORT_STATUSES = {
  accepted: 'it counts',
  held: 'it is implausible, and waits until other travellers agree',
  superseded: 'it is plausible, but a newer report of the same account or network counts, or one of an older account',
  replaced: 'its account has corrected it',
  unmatched: 'its terminal matches no known one: it is never used or shown',
  withdrawn: 'the operator has withdrawn it',
} as const
export type ReportStatus = keyof typeof REPORT_STATUSES

/** The status of a report whose terminal matches no known one. */
export const UNMATCHED: ReportStatus = 'unmatched'

/** A traveller's report. */
export interface ReportedWait {
  iata: string
  queue: QueueKind
  terminal: string | null
  lane: Lane | null
  wait_minutes: number
  observed_at: string
}
