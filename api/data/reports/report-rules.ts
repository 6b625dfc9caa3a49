import { HOUR_MS } from '../../../config/domain.ts'

const MINUTE_MS = 60_000

/** Every number that travellers' reports are taken by, with its reason. */
export const REPORT_RULES = {
  /** As the specification has it; whoever stood longer than three hours tells of a breakdown, not of a queue. */
  most_minutes: 180,
  /** Room for "International Departures Terminal", not for a message to whoever reads it. */
  longest_terminal: 40,
  /** A wait of longer ago says little of the queue now. */
  oldest_ms: 2 * HOUR_MS,
  /** Of one account, airport, queue, terminal and lane: nobody queues twice within it, so the later one corrects the earlier. */
  same_ms: 10 * MINUTE_MS,
  /** Of one account: a trip passes about six queues, and its two airports fall into different hours. */
  per_hour: 10,
  /** Of one account at one airport: bags, security, border, lounge, and one correction. */
  per_airport_hour: 5,
  /** A report this far, and by this factor, outside everything known is held; half of it would hold ordinary bad mornings. */
  far_minutes: 30,
  far_factor: 2,
  /** Where nothing is known of a queue, a wait over two hours waits for a second traveller. */
  unknown_most_minutes: 120,
  /** Two travellers see the same queue within this … */
  agree_ms: 30 * MINUTE_MS,
  /** … when they differ by at most this many minutes, or this share of the longer wait: people round, and guess. */
  agree_minutes: 10,
  agree_share: 0.4,
  /** How long a report is shown. */
  shown_ms: 24 * HOUR_MS,
  /** How long one stays with its account: for whoever asks about it; what counts of it is in the warehouse by then. */
  kept_ms: 30 * 24 * HOUR_MS,
} as const
