import { FetchError, type HoldshortError } from '../../config/errors.ts'
import type { Source } from '../../config/sources.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import type { CaptureHead } from '../../warehouse/storage/raw-captures.ts'
import type { SourceRequest } from '../parsing/collector.ts'
import { redactKeys } from '../transport/redact.ts'
import type { CollectContext } from './collect-context.ts'
import type { Batch } from './landing.ts'

/** One request of a run of a source: it becomes one row of `runs`. */
export interface RunRequest {
  source: Source
  /** Null if the run failed before its first request. */
  request: SourceRequest | null
  index: number
  /** When the run began: the same for all its requests. */
  started_at: string
}

const MAX_MESSAGE_LENGTH = 500

function commonColumns(
  { source, request, index, started_at }: RunRequest,
  capture: CaptureHead | null,
  context: CollectContext,
) {
  const finished_at = isoUtc(context.now())
  return {
    source: source.id,
    started_at,
    finished_at,
    fetched_at: capture?.fetched_at ?? finished_at,
    url: redactKeys(request?.url ?? source.url, context.memory.learned_keys.get(source.id)),
    http_status: capture?.status ?? null,
    sha256: capture?.sha256 ?? null,
    bytes: capture?.bytes ?? null,
    content_type: capture?.content_type ?? null,
    iata: request?.iata ?? null,
    capture_id: capture?.capture_id ?? `${source.id}-failed-${started_at}-${request?.iata ?? ''}-${index}`,
  }
}

/** The row of a request whose answer was parsed. Landing fills in the outcome and the number of new rows. */
export function parsedRun(
  run: RunRequest,
  capture: CaptureHead,
  counts: { parsed_rows: number; notices: number; observed_at: string | null },
  context: CollectContext,
): Batch['run'] {
  return {
    ...commonColumns(run, capture, context),
    error_code: null,
    error_message: null,
    parsed_rows: counts.parsed_rows,
    notices: counts.notices,
    observed_at: counts.observed_at ?? capture.fetched_at,
    outcome: null,
  }
}

/** The row of a request that failed; `capture` is null if it failed before an answer was stored. */
export function failedRun(
  run: RunRequest,
  capture: CaptureHead | null,
  error: HoldshortError,
  context: CollectContext,
): Batch['run'] {
  const columns = commonColumns(run, capture, context)
  return {
    ...columns,
    http_status: columns.http_status ?? (error instanceof FetchError ? error.status : null),
    error_code: error.code,
    error_message: error.message.slice(0, MAX_MESSAGE_LENGTH),
    parsed_rows: 0,
    notices: 0,
    observed_at: null,
    outcome: 'failed',
  }
}
