import { z } from 'zod'
import { Iata, UtcInstant } from '../config/domain.ts'
import { HoldshortError } from '../config/errors.ts'
import { QueueWait } from '../config/facts.ts'

/** The contract of a live request: who serves asks, who collects answers, over a socket or over Redis alike. */

/** The whole time an asker waits. */
export const ASK_WITHIN_MS = 10_000
/** The part of it that the sources have; the rest is for the way back. */
export const SCRAPE_WITHIN_MS = 9_000

export const LiveKind = z.enum(['security', 'immigration', 'checkin'])
export type LiveKind = z.infer<typeof LiveKind>

export const LiveRequest = z.strictObject({ iata: Iata, kind: LiveKind })
export type LiveRequest = z.infer<typeof LiveRequest>

/** scraped: asked just now. recent: asked so lately that it was not asked again. no_source: nobody publishes this wait live. */
export const LiveOutcome = z.enum(['scraped', 'recent', 'unreachable', 'no_source'])
export type LiveOutcome = z.infer<typeof LiveOutcome>

/** What came of one source. `code` is a stable error code; null when the source answered. */
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
  /** The source that gave `wait`; null when none did. */
  source: z.string().nullable(),
  /** Null unless scraped or recent. */
  wait: QueueWait.nullable(),
  attempts: z.array(LiveAttempt),
  /** When unreachable: the newest usable wait of these sources, however old; null when there is none. */
  last_known: QueueWait.nullable(),
  message: z.string(),
})
export type LiveAnswer = z.infer<typeof LiveAnswer>

/** Answers a live request; the pipeline's side. Does not throw for the world's faults. */
export type LiveAnswerer = (request: LiveRequest) => Promise<LiveAnswer>

/** Where live requests are put; the asking side. */
export interface LiveDesk {
  /**
   * Answers within `ASK_WITHIN_MS`. The signal ends the waiting, never the scrape: others may wait for it.
   * @throws HoldshortError LIVE_UNAVAILABLE when no pipeline answers; the signal's reason
   */
  ask: (request: LiveRequest, options?: { signal?: AbortSignal }) => Promise<LiveAnswer>
  close: () => Promise<void>
}

/** The answering side, while it is open. */
export interface LiveCounter {
  close: () => Promise<void>
}

/** What an asker is told when no answer came. Clients see it: it names no path and no address. */
export function unavailable(why: string, cause?: unknown): HoldshortError {
  return new HoldshortError('LIVE_UNAVAILABLE', `the pipeline ${why}; figures of the last snapshot are served on`, {
    cause,
  })
}
