import { type Dispatcher, fetch, type Response } from 'undici'
import { isoUtc } from '../../config/domain.ts'
import { FetchError } from '../../config/errors.ts'
import type { FetchedBody } from './transport.ts'

export interface ExchangeRequest {
  /** The public address; returned as `url`. */
  url: string
  /** The address that the request is sent to (see simulated-url.ts). */
  send_to: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | null
  timeout_ms: number
  max_bytes: number
  /** Limits which addresses may be connected to (see public-network.ts); absent for the simulated world. */
  dispatcher?: Dispatcher | undefined
}

/** An answer with the headers that redirects, retries and caching need. */
export interface ExchangeAnswer extends FetchedBody {
  location: string | null
  retry_after: string | null
  cache_control: string | null
}

/**
 * Sends one request and reads its answer, without redirects or retries and for any status.
 * @throws FetchError FETCH_FAILED (network, timeout) or FETCH_TOO_LARGE
 */
export async function exchange(request: ExchangeRequest, now: () => number): Promise<ExchangeAnswer> {
  const abort = new AbortController()
  const timer = setTimeout(
    () => abort.abort(new FetchError('FETCH_FAILED', `${request.url}: no answer within ${request.timeout_ms} ms`)),
    request.timeout_ms,
  )
  try {
    const response = await fetch(request.send_to, {
      method: request.method,
      headers: request.headers,
      body: request.body,
      redirect: 'manual',
      signal: abort.signal,
      ...(request.dispatcher === undefined ? {} : { dispatcher: request.dispatcher }),
    })
    const body = await readCapped(response, request, abort)
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
    if (abort.signal.reason instanceof FetchError) throw abort.signal.reason
    const refusal = (cause as Error).cause
    if (refusal instanceof FetchError)
      throw new FetchError('OUTWARD_REFUSED', `${request.url}: ${refusal.message}`, { retryable: false })
    throw new FetchError('FETCH_FAILED', `${request.url}: ${reasonOf(cause)}`, { cause })
  } finally {
    clearTimeout(timer)
  }
}

/** The body; aborts the request once the body exceeds `max_bytes`. */
async function readCapped(response: Response, request: ExchangeRequest, abort: AbortController): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > request.max_bytes) {
      const message = `${request.url}: the body is over ${request.max_bytes} bytes`
      abort.abort(new FetchError('FETCH_TOO_LARGE', message, { status: response.status }))
      throw abort.signal.reason
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The message of an error with the code of its cause: `fetch()` itself only says "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = (error.cause as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? `${error.message} (${code})` : error.message
}
