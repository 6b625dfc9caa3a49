import { z } from 'zod'
import { QueueWait } from '../../config/answer-schemas.ts'
import { Iata, UtcInstant } from '../../config/vocabulary.ts'
import { defineCall } from './define-call.ts'

/** A live request: the pipeline requests the current wait from an airport's sources while the caller waits. */

const TIMEOUT_MS = 10_000
/** The part of the timeout that the sources have; the rest is for the way back. */
export const SCRAPE_TIMEOUT_MS = 9_000

export const LiveKind = z.enum(['security', 'immigration', 'checkin'])
export type LiveKind = z.infer<typeof LiveKind>

export const LiveRequest = z.strictObject({ iata: Iata, kind: LiveKind })
export type LiveRequest = z.infer<typeof LiveRequest>

/**
 * scraped: a source was fetched just now. recent: it was fetched so recently that it was not fetched again. unreachable: no source
 * could be read. no_source: no source of this wait is read live.
 */
export const LiveOutcome = z.enum(['scraped', 'recent', 'unreachable', 'no_source'])
export type LiveOutcome = z.infer<typeof LiveOutcome>

/** The result of asking one source. `code` is a stable error code; null when the source answered. */
export const LiveAttempt = z.strictObject({
  source: z.string(),
  code: z.string().nullable(),
  message: z.string(),
  milliseconds: z.int(),
})
export type LiveAttempt = z.infer<typeof LiveAttempt>

export const LiveAnswer = z.strictObject({
  airport: Iata,
  kind: LiveKind,
  outcome: LiveOutcome,
  asked_at: UtcInstant,
  /** The source that answered; null when none did. */
  source: z.string().nullable(),
  /** Null unless scraped or recent. */
  wait: QueueWait.nullable(),
  attempts: z.array(LiveAttempt),
  /** When there is no figure: the newest wait or closure of these sources, however old; null when there is none. */
  last_known: QueueWait.nullable(),
})
export type LiveAnswer = z.infer<typeof LiveAnswer>

export const liveCall = defineCall({
  name: 'live',
  request: LiveRequest,
  answer: () => LiveAnswer,
  timeout_ms: TIMEOUT_MS,
  max_request_bytes: 1_024,
  redis_concurrency: 50,
  deduplicationKey: ({ iata, kind }) => `${iata}/${kind}`,
  unavailable_code: 'LIVE_UNAVAILABLE',
  unavailable_effect: 'figures of the last snapshot are still served',
})
