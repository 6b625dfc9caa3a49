import type { Source } from '../../config/sources.ts'
import { type CaptureHead, capturePath, writeCapture } from '../../warehouse/storage/raw-captures.ts'
import type { SourceRequest } from '../parsing/collector.ts'
import { redactKeys } from '../transport/redact.ts'
import type { FetchedBody } from '../transport/transport.ts'
import { type CollectContext, requestKey } from './collect-context.ts'

/** Longer ones say nothing more. */
const MAX_HEADER_CHARACTERS = 500

/** A validator that is cut would be another one, and a long one would make each request too large. */
const usableValidator = (header: string | null) =>
  header !== null && header.length <= MAX_HEADER_CHARACTERS ? header : null

/**
 * Stores the bytes of an answer before anything parses them. After a 304 the cached body and its capture are used again, with the
 * fetch time of this request.
 */
export async function storeCapture(
  source: Source,
  request: SourceRequest,
  answer: FetchedBody,
  context: CollectContext,
): Promise<{ body: Uint8Array; capture: CaptureHead }> {
  const { answers, learned_keys } = context.memory
  const key = requestKey(source, request)
  const cached = answers.get(key)
  if (answer.not_modified && cached)
    return { body: cached.body, capture: { ...cached.capture, fetched_at: answer.fetched_at } }
  const { status, fetched_at, body } = answer
  const content_type = answer.content_type?.slice(0, MAX_HEADER_CHARACTERS) ?? null
  const [etag, last_modified] = [usableValidator(answer.etag), usableValidator(answer.last_modified)]
  const capture = await writeCapture(context.warehouse.data_dir, body, {
    source: source.id,
    fetched_at,
    url: redactKeys(answer.url, learned_keys.get(source.id)),
    status,
    content_type,
    etag,
    last_modified,
    iata: request.iata,
  })
  await context.captureStored?.(capturePath(context.warehouse.data_dir, capture))
  if (etag || last_modified) answers.set(key, { etag, last_modified, body, capture })
  return { body, capture }
}
