import { z } from 'zod'
import { AdjustedTo, ModelCard } from '../../config/answers.ts'
import { Iata, UtcInstant } from '../../config/domain.ts'
import { type CallClient, defineCall } from './define-call.ts'

/**
 * A question about the past (`as_of`): the forecast or the history as it was known at an instant. The pipeline answers it from
 * the warehouse, which the api does not open. Minutes are in tenths, as in a snapshot.
 */

export const ARCHIVE_TIMEOUT_MS = 5_000

const commonFields = {
  iata: Iata,
  /** Nothing that was made or became known later is in the answer. */
  as_of: UtcInstant,
  from: UtcInstant,
  /** Excluded. */
  to: UtcInstant,
  terminals: z.boolean(),
}

export const ArchiveRequest = z.discriminatedUnion('subject', [
  z.strictObject({
    subject: z.literal('forecast'),
    ...commonFields,
    /** Hours that ended by then carry their observed mean. */
    now: UtcInstant,
  }),
  z.strictObject({ subject: z.literal('history'), ...commonFields }),
])
export type ArchiveRequest = z.infer<typeof ArchiveRequest>

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
      /** Percentage of the hour in which the queue is open by the hours known then; 255: nothing was known. */
      open: numbers,
      /** The wait that the snapshot of that time had adjusted the series to. */
      adjusted_to: AdjustedTo.nullable(),
      /** Observed mean of each hour; null when none is known. */
      observed: z.array(z.int().nullable()),
    }),
  ),
})

export const PastForecast = z.strictObject({
  subject: z.literal('forecast'),
  /** The newest vintage issued at or before `as_of`; null when no such vintage reaches as far as `as_of`. */
  vintage: Vintage.nullable(),
  /** Set when there is no vintage: when the airport's oldest retained vintage was issued; null if it never had any. */
  oldest_issued_at: UtcInstant.nullable(),
})
export type PastForecast = z.infer<typeof PastForecast>

export const PastHistory = z.strictObject({
  subject: z.literal('history'),
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
      /** The source of each hour, as its index in `sources`. */
      source: numbers,
      sources: z.array(z.string()),
    }),
  ),
  /** Number of the airport's hours that are known now but were unknown, or had other figures, at `as_of`. */
  withheld_hours: z.int(),
})
export type PastHistory = z.infer<typeof PastHistory>

export const ArchiveAnswer = z.discriminatedUnion('subject', [PastForecast, PastHistory])
export type ArchiveAnswer = z.infer<typeof ArchiveAnswer>

/** The answer that fits a request. */
export type ArchiveAnswerTo<R extends ArchiveRequest> = Extract<ArchiveAnswer, { subject: R['subject'] }>

export const archiveCall = defineCall<ArchiveRequest, ArchiveAnswer>({
  name: 'archive',
  request: ArchiveRequest,
  answer: ({ subject }) => (subject === 'forecast' ? PastForecast : PastHistory),
  timeout_ms: ARCHIVE_TIMEOUT_MS,
  max_request_bytes: 1_024,
  redis_concurrency: 2,
  unavailable_code: 'ARCHIVE_UNAVAILABLE',
  unavailable_effect: 'only the pipeline can read the past, but requests without as_of are still answered',
})

/** Sends a question about the past; its answer has the type that fits the question. */
export function callArchive<R extends ArchiveRequest>(
  client: CallClient,
  request: R,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<ArchiveAnswerTo<R>> {
  return client.call(archiveCall, request, options) as Promise<ArchiveAnswerTo<R>>
}
