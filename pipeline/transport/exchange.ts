import { isoUtc } from '../../config/domain.ts'
import { FetchError } from '../../config/errors.ts'
import type { FetchedBody } from './types.ts'

export interface ExchangeRequest {
  /** The address as the world knows it; reported back as `url`. */
  url: string
  /** Where the bytes really go (see world.ts). */
  send_to: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | null
  timeout_ms: number
  max_bytes: number
}

export interface Exchanged extends FetchedBody {
  location: string | null
  retry_after: string | null
  cache_control: string | null
}

/**
 * One request, one answer: no redirects, no retries, no opinion about the status.
 * @throws FetchError FETCH_FAILED (network, timeout) or FETCH_TOO_LARGE
 */
export async function exchange(request: ExchangeRequest, now: () => number): Promise<Exchanged> {
  const stop = new AbortController()
  const timer = setTimeout(
    () => stop.abort(new FetchError('FETCH_FAILED', `${request.url}: no answer in ${request.timeout_ms} ms`)),
    request.timeout_ms,
  )
  try {
    const response = await fetch(request.send_to, {
      method: request.method,
      headers: request.headers,
      body: request.body,
      redirect: 'manual',
      signal: stop.signal,
    })
    const body = await readCapped(response, request, stop)
    const header = (name: string) => response.headers.get(name)
    return {
      status: response.status,
      body,
      content_type: header('content-type'),
      etag: header('etag'),
      last_modified: header('last-modified'),
      fetched_at: isoUtc(now()),
      url: request.url,
      not_modified: response.status === 304,
      location: header('location'),
      retry_after: header('retry-after'),
      cache_control: header('cache-control'),
    }
  } catch (cause) {
    if (stop.signal.reason instanceof FetchError) throw stop.signal.reason
    throw new FetchError('FETCH_FAILED', `${request.url}: ${reasonOf(cause)}`, { cause })
  } finally {
    clearTimeout(timer)
  }
}

async function readCapped(response: Response, request: ExchangeRequest, stop: AbortController): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > request.max_bytes) {
      stop.abort(
        new FetchError('FETCH_TOO_LARGE', `${request.url}: the body is over ${request.max_bytes} bytes`, {
          status: response.status,
        }),
      )
      throw stop.signal.reason
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** fetch() hides what happened one `cause` down: "fetch failed" helps nobody. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = (error.cause as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? `${error.message} (${code})` : error.message
}
