import { type Dispatcher, request as sendRequest } from 'undici'
import { FetchError } from '../../config/errors.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import { ACCEPTED_CODINGS, decodeContent } from './decode-content.ts'
import type { FetchedBody } from './transport.ts'

export interface ExchangeRequest {
  /** The public address; returned as `url`. */
  url: string
  /** The address that the request is sent to (see simulated-url.ts). */
  send_to: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | null
  /** The time for the request and the redirects before it, and what they have left of it. */
  timeout_ms: number
  left_ms: number
  max_bytes: number
  /** Limits which addresses may be connected to (see public-network.ts); absent for the simulated world. */
  dispatcher?: Dispatcher | undefined
}

/** An answer with the headers that redirects, retries and caching need. */
export interface ExchangeAnswer extends FetchedBody {
  location: string | null
  retry_after: string | null
  cache_control: string | null
  /** The time of the site's own clock. */
  date: string | null
  /** Seconds for which a cache has kept the answer, as it was sent. */
  age: string | null
}

/**
 * Sends one request and reads its answer, without redirects or retries and for any status. A body that breaks off is a failure, also a
 * compressed one: its beginning could be read as a whole page.
 * @throws FetchError FETCH_FAILED (network, timeout, no valid HTTP, a body that is not what its headers say) or FETCH_TOO_LARGE
 */
export async function exchange(request: ExchangeRequest, now: () => number): Promise<ExchangeAnswer> {
  const abort = new AbortController()
  const timer = setTimeout(
    () => abort.abort(new FetchError('FETCH_FAILED', `${request.url}: no answer within ${request.timeout_ms} ms`)),
    request.left_ms,
  )
  let status: number | null = null
  try {
    const response = await sendRequest(request.send_to, {
      method: request.method,
      headers: { Accept: '*/*', 'Accept-Encoding': ACCEPTED_CODINGS, ...request.headers },
      body: request.body,
      signal: abort.signal,
      ...(request.dispatcher === undefined ? {} : { dispatcher: request.dispatcher }),
    })
    status = response.statusCode
    const header = (name: string) => [response.headers[name] ?? []].flat().join(', ') || null
    const sent = await readCapped(response.body, request, status)
    const body = await decodeContent(sent, header('content-encoding'), request.max_bytes)
    if (body === null) throw tooLarge(request, status)
    return {
      status,
      body,
      content_type: header('content-type'),
      etag: header('etag'),
      last_modified: header('last-modified'),
      fetched_at: isoUtc(now()),
      url: request.url,
      not_modified: status === 304,
      location: header('location'),
      retry_after: header('retry-after'),
      cache_control: header('cache-control'),
      date: header('date'),
      age: header('age'),
    }
  } catch (cause) {
    if (abort.signal.reason instanceof FetchError) throw abort.signal.reason
    if (cause instanceof FetchError && cause.code === 'OUTWARD_REFUSED')
      throw new FetchError('OUTWARD_REFUSED', `${request.url}: ${cause.message}`, { retryable: false })
    if (cause instanceof FetchError) throw cause
    throw new FetchError('FETCH_FAILED', `${request.url}: ${reasonOf(cause)}`, { cause, status })
  } finally {
    clearTimeout(timer)
  }
}

const tooLarge = ({ url, max_bytes }: ExchangeRequest, status: number) =>
  new FetchError('FETCH_TOO_LARGE', `${url}: the body is over ${max_bytes} bytes`, { status })

/** The body as it was sent; ends the request once it exceeds `max_bytes`. */
async function readCapped(
  body: AsyncIterable<Uint8Array>,
  request: ExchangeRequest,
  status: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop by an error closes the connection.
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > request.max_bytes) throw tooLarge(request, status)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The meaning of the HTTP library's codes, for an operator. */
const REASONS: [code: RegExp, reason: string][] = [
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'the headers of the answer are too large'],
  [/^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$/, 'the body is not as long as its Content-Length'],
  [/^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/, 'the connection was closed before the answer was complete'],
  [/^ERR_ASSERTION$/, 'the answer is not valid HTTP'],
  [/^ECONNREFUSED$/, 'nothing accepts connections there'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'its name could not be resolved'],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/, 'no connection could be made'],
]

/** The reason of a failure in words, with the code of the library. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  if (typeof code !== 'string') return error.message
  const known = REASONS.find(([pattern]) => pattern.test(code))?.[1]
  return `${known ?? (error.message || 'the connection failed')} (${code})`
}
