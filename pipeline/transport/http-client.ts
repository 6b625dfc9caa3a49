import { FetchError } from '../../config/errors.ts'
import { type PublicNetwork, publicNetwork } from '../../config/public-network.ts'
import type { Source } from '../../config/sources.ts'
import { steadyClock } from '../../config/steady-clock.ts'
import type { SourceRequest } from '../parsing/collector.ts'
import { whyTooOldCopy } from './cached-copy.ts'
import { type Circuits, createCircuits } from './circuits.ts'
import { type ExchangeAnswer, exchange } from './exchange.ts'
import { type AcquireHost, createHostQueues } from './host-queues.ts'
import { type Hop, isRedirect, nextHop } from './redirects.ts'
import { createRetry, retryAfterMs, TransientFailure } from './retry.ts'
import { createRobots, ROBOTS_TOKEN } from './robots.ts'
import { simulatedUrl } from './simulated-url.ts'
import type { FetchedBody, Validators } from './transport.ts'

/**
 * After a 401 or 403 the same request is not sent again for `hold_ms`. A request with a newly learned key, in a header or in the
 * address, is a different request: a replaced key costs one refusal and no wait.
 */
function createRefusals(hold_ms: number, now: () => number) {
  const held = new Map<string, { until_ms: number; status: number }>()
  const keyOf = (url: string, headers: Record<string, string>) => JSON.stringify([url, Object.entries(headers).sort()])
  const refusal = (url: string, status: number) =>
    new FetchError('FETCH_REFUSED', `${url} answered ${status}; no further request for ${hold_ms / 60_000} min`, {
      retryable: false,
      status,
    })
  return {
    /** Throws while an earlier refusal of this address with these headers still holds. @throws FetchError FETCH_REFUSED */
    check: (url: string, headers: Record<string, string>) => {
      const earlier = held.get(keyOf(url, headers))
      if (earlier !== undefined && earlier.until_ms > now()) throw refusal(url, earlier.status)
    },
    /** Records a refusal, and returns the error to throw. */
    record: (url: string, headers: Record<string, string>, status: number) => {
      held.set(keyOf(url, headers), { until_ms: now() + hold_ms, status })
      return refusal(url, status)
    },
  }
}

export interface HttpClientOptions {
  /** Version of this software, for the User-Agent. */
  version: string
  /** Contact of the operator, for the User-Agent. */
  contact: string
  /** Base address of the simulated world; null or absent sends requests to the real sites. */
  simulated_world?: string | null
  /** settings.outward_allow: private networks in which sites may lie; by default none. Ignored with a simulated world. */
  allowed_networks?: readonly string[]
  /** Default 20,000: from the request to the last byte of the body, for a request and the redirects of it together. */
  timeout_ms?: number
  /** Default 5 MB, counted after decompression. */
  max_bytes?: number
  /** Default 2: attempts after the first, for network errors, 429 and 5xx. */
  retries?: number
  /** Default 1,000: the first backoff; each further one doubles, each with jitter. */
  backoff_ms?: number
  /** Default 5: failures in a row of a source that open its circuit. */
  breaker_failures?: number
  /** Default 1,800,000: how long a 401 or 403 is final for the same address and headers. */
  refusal_ms?: number
  /** On several machines: waits until this one may send a request to a host. */
  acquireHost?: AcquireHost | undefined
  now?: () => number
  sleep?: (ms: number) => Promise<void>
  /** In [0, 1). */
  random?: () => number
}

/** The one HTTP client of the pipeline. Every error it throws is a FetchError. */
export interface HttpClient {
  readonly user_agent: string
  readonly simulated_world: string | null
  /** The addresses that sites and their pages may lie at. */
  readonly network: PublicNetwork
  readonly circuits: Circuits
  /** Sends a request with all manners, and retries it. @throws FetchError */
  fetch: (request: SourceRequest, source: Source, previous: Validators | null) => Promise<FetchedBody>
  /**
   * Applies the same manners to other work on an address (the browser): robots.txt, the circuit of the source, the queue and pace of
   * the host. A FETCH_REFUSED of the work is recorded for the address. No retries. @throws FetchError, and whatever the work throws
   */
  withManners: <T>(url: string, source: Source, work: () => Promise<T>) => Promise<T>
}

const DEFAULTS = {
  simulated_world: null,
  allowed_networks: [],
  timeout_ms: 20_000,
  max_bytes: 5 * 1_048_576,
  retries: 2,
  backoff_ms: 1_000,
  breaker_failures: 5,
  refusal_ms: 1_800_000,
  now: Date.now,
  sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  random: Math.random,
}

/** The longest wait within a run, for Retry-After or backoff; a longer one fails the request. */
const MAX_WAIT_MS = 60_000
/** The pause between the opening of a circuit and its first probe. */
const CIRCUIT_REST_MS = 300_000
/** RFC 9309 section 2.5: at least this much of a robots.txt must be parsed. */
const ROBOTS_BYTES = 512 * 1_024

/**
 * Creates the HTTP client. A request passes, from the outside in: the circuit of its source, retries with backoff, held
 * refusals, robots.txt, the queue and pace of its host, redirects, the guard against private networks, a timeout, a size cap.
 */
export function createHttpClient(chosen: HttpClientOptions): HttpClient {
  const options = { ...DEFAULTS, ...chosen }
  const user_agent = `${ROBOTS_TOKEN}/${options.version} (+${options.contact})`
  const steady = steadyClock(options.now)
  const queues = createHostQueues({ now: steady, sleep: options.sleep, max_wait_ms: MAX_WAIT_MS }, chosen.acquireHost)
  const refusals = createRefusals(options.refusal_ms, steady)
  const circuits = createCircuits({
    failures: options.breaker_failures,
    rest_ms: CIRCUIT_REST_MS,
    now: options.now,
  })
  const network = publicNetwork(options.allowed_networks)
  const retrying = createRetry({ ...options, max_wait_ms: MAX_WAIT_MS })
  const robots = createRobots(
    (url) =>
      followRedirects(
        { url, method: 'GET', headers: {}, body: null },
        { timeout_ms: options.timeout_ms, max_bytes: ROBOTS_BYTES },
        (address, work) => queues.run(address, 0, work),
      ),
    steady,
  )

  const send = (
    hop: Hop,
    limits: { timeout_ms: number; left_ms: number; max_bytes: number },
  ): Promise<ExchangeAnswer> =>
    exchange(
      {
        ...hop,
        ...limits,
        send_to: simulatedUrl(hop.url, options.simulated_world),
        // Every request to a simulated site goes to the simulated world, which is on this machine.
        dispatcher: options.simulated_world === null ? network.dispatcher : undefined,
        headers: { 'Accept-Language': 'en', ...hop.headers, 'User-Agent': user_agent },
      },
      options.now,
    )

  /** Follows redirects within one limit of time; `queue` runs the sending of each request of the chain when its host is free. */
  async function followRedirects(
    first: Hop,
    limits: { timeout_ms: number; max_bytes: number },
    queue: (url: string, work: () => Promise<ExchangeAnswer>) => Promise<ExchangeAnswer>,
  ): Promise<ExchangeAnswer> {
    let hop = first
    let left_ms = limits.timeout_ms
    for (let followed = 0; ; followed++) {
      const answer = await queue(hop.url, async () => {
        const began = performance.now()
        const sent = await send(hop, { ...limits, left_ms })
        left_ms = Math.max(1, left_ms - (performance.now() - began))
        return sent
      })
      if (!isRedirect(answer)) return answer
      hop = nextHop(hop, answer, followed)
    }
  }

  /** Checks robots.txt, then runs the work in the queue of the host at its pace. */
  async function politely<T>(url: string, source: Source, work: () => Promise<T>): Promise<T> {
    const { crawl_delay_seconds } = await robots.check(url)
    return queues.run(url, Math.max(source.pace_seconds, crawl_delay_seconds) * 1_000, work)
  }

  /** One attempt of a request. @throws TransientFailure when a retry may succeed, FetchError otherwise */
  async function attempt(request: SourceRequest, source: Source, previous: Validators | null): Promise<FetchedBody> {
    refusals.check(request.url, request.headers)
    const headers = { ...request.headers, ...conditionalHeaders(request, previous) }
    const limits = {
      timeout_ms: request.timeout_ms ?? options.timeout_ms,
      max_bytes: request.max_bytes ?? options.max_bytes,
    }
    const first = { url: request.url, method: request.method, headers, body: request.body }
    const answer = await followRedirects(first, limits, (address, work) => politely(address, source, work))
    const { location: _, retry_after, cache_control: __, date, age, ...fetched } = answer
    const { status, url } = answer
    if (status === 401 || status === 403) throw refusals.record(request.url, request.headers, status)
    if (status === 429 || status >= 500) {
      const wait = retryAfterMs(retry_after, date, options.now())
      if (wait !== null) queues.pause(url, wait)
      const pause = wait === null ? '' : ` and asked us to send no request for ${Math.ceil(wait / 1_000)} s`
      throw new TransientFailure(`${url} answered ${status}${pause}`, status, wait)
    }
    const unasked = whyUnasked(status, headers)
    if (unasked !== null) throw new FetchError('FETCH_FAILED', `${url} answered ${status}, ${unasked}`, { status })
    if (!answer.not_modified && (status < 200 || status > 299))
      throw new FetchError('FETCH_FAILED', `${url} answered ${status}`, { retryable: false, status })
    // A simulated world has its own time, and the server in which it runs has not.
    const tooOld = options.simulated_world === null ? whyTooOldCopy({ age, date }, source, options.now()) : null
    if (tooOld !== null) throw new FetchError('FETCH_FAILED', `${url} answered ${tooOld}`, { retryable: false, status })
    return fetched
  }

  return {
    user_agent,
    simulated_world: options.simulated_world,
    network,
    circuits,
    fetch: (request, source, previous) => {
      const once = () => attempt(request, source, previous)
      return circuits.guard(source.id, () => (circuits.probing(source.id) ? once() : retrying.execute(once)))
    },
    withManners: (url, source, work) =>
      circuits.guard(source.id, async () => {
        refusals.check(url, {})
        try {
          return await politely(url, source, work)
        } catch (error) {
          if (!(error instanceof FetchError && error.code === 'FETCH_REFUSED')) throw error
          throw refusals.record(url, {}, error.status ?? 403)
        }
      }),
  }
}

/** Why an answer with this status cannot be the answer to a request with these headers; null when it can. */
function whyUnasked(status: number, headers: Record<string, string>): string | null {
  if (status === 206) return 'a part of the content, and no part was requested'
  if (status !== 304 || 'If-None-Match' in headers || 'If-Modified-Since' in headers) return null
  return 'not modified, and the request had no condition'
}

/** The headers of a conditional request (RFC 9110 section 13.1). */
function conditionalHeaders(request: SourceRequest, previous: Validators | null): Record<string, string> {
  if (request.method !== 'GET' || previous === null) return {}
  return {
    ...(previous.etag === null ? {} : { 'If-None-Match': previous.etag }),
    ...(previous.last_modified === null ? {} : { 'If-Modified-Since': previous.last_modified }),
  }
}
