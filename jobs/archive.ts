import { z } from 'zod'
import { Iata, UtcInstant } from '../config/domain.ts'
import { HoldshortError } from '../config/errors.ts'
import { ModelCard } from '../config/facts.ts'

/**
 * The contract of a question about the past: what a forecast or the history said at an instant. Who serves asks, who holds
 * the warehouse answers, over the socket or over Redis as live requests are. Minutes are in tenths, as in a snapshot.
 */

/** The whole time an asker waits. */
export const ARCHIVE_WITHIN_MS = 5_000

const asked = {
  iata: Iata,
  /** Nothing that was made or known later is told. */
  as_of: UtcInstant,
  from: UtcInstant,
  /** Excluded. */
  to: UtcInstant,
  terminals: z.boolean(),
}

export const ArchiveQuestion = z.discriminatedUnion('of', [
  /** `now`: hours that ended by then are told with what was observed in them. */
  z.strictObject({ of: z.literal('forecast'), ...asked, now: UtcInstant }),
  z.strictObject({ of: z.literal('history'), ...asked }),
])
export type ArchiveQuestion = z.infer<typeof ArchiveQuestion>

const numbers = z.array(z.int())

const Vintage = z.strictObject({
  issued_at: UtcInstant,
  model: ModelCard,
  /** The airport (empty terminal) and its terminals, hour after hour from `start` on. */
  series: z.array(
    z.strictObject({
      terminal: z.string(),
      start: UtcInstant,
      p10: numbers,
      p50: numbers,
      p90: numbers,
      /** Percent. */
      confidence: numbers,
      /** Observed mean of each hour; null where none is known. */
      observed: z.array(z.int().nullable()),
    }),
  ),
})

export const ForecastThen = z.strictObject({
  of: z.literal('forecast'),
  /** The newest vintage issued at or before `as_of`; null where none reached so far. */
  vintage: Vintage.nullable(),
  /** When there is no vintage: the oldest one kept of the airport; null where it never had any. */
  oldest_issued_at: UtcInstant.nullable(),
})
export type ForecastThen = z.infer<typeof ForecastThen>

export const HistoryThen = z.strictObject({
  of: z.literal('history'),
  series: z.array(
    z.strictObject({
      terminal: z.string(),
      /** Whole hours since the epoch. */
      hour: numbers,
      mean: numbers,
      p50: numbers,
      p90: numbers,
      max: numbers,
      samples: numbers,
      /** Sources heard in each hour, by their place in `sources`. */
      source: numbers,
      sources: z.array(z.string()),
    }),
  ),
  /** Hours of the airport that are known by now, but were not, or not as they are now, at `as_of`. */
  withheld_hours: z.int(),
})
export type HistoryThen = z.infer<typeof HistoryThen>

export const ArchiveAnswer = z.discriminatedUnion('of', [ForecastThen, HistoryThen])
export type ArchiveAnswer = z.infer<typeof ArchiveAnswer>

/** The answer to a question, by what it is of. */
export type AnswerTo<Q extends ArchiveQuestion> = Extract<ArchiveAnswer, { of: Q['of'] }>

/** Answers questions about the past; the pipeline's side. */
export type Archivist = (question: ArchiveQuestion) => Promise<ArchiveAnswer>

/** Where questions about the past are put; the api's side. */
export interface ArchiveDesk {
  /**
   * Answers within `ARCHIVE_WITHIN_MS`.
   * @throws HoldshortError ARCHIVE_UNAVAILABLE when no pipeline answers; the signal's reason
   */
  ask: <Q extends ArchiveQuestion>(question: Q, options?: { signal?: AbortSignal | undefined }) => Promise<AnswerTo<Q>>
  close: () => Promise<void>
}

/** What an asker is told when no answer came. Clients see it: it names no path and no address. */
export function archiveUnavailable(why: string, cause?: unknown): HoldshortError {
  return new HoldshortError(
    'ARCHIVE_UNAVAILABLE',
    `the pipeline ${why}, and only it can read the past; without as_of you are answered`,
    { cause },
  )
}

/** The answer as it came back, checked. */
export function answerTo<Q extends ArchiveQuestion>({ of }: Q, given: unknown): AnswerTo<Q> {
  const answer = of === 'forecast' ? ForecastThen.parse(given) : HistoryThen.parse(given)
  return answer as AnswerTo<Q>
}
