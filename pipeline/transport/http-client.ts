import { FetchError } from '../../config/errors.ts'
import type { Source } from '../../config/sources.ts'
import type { SourceRequest } from '../parsing/collector.ts'
import { createCircuits } from './circuits.ts'
import { type Exchanged, exchange } from './exchange.ts'
import { createHostQueues } from './host-queues.ts'
import { followable, type Hop, nextHop } from './redirects.ts'
import { createRefusals } from './refusals.ts'
import { createRetry, TransientFailure, retryAfterMs } from './retry.ts'
import { createRobots, ROBOTS_TOKEN } from './robots.ts'
import { simulatedUrl } from './simulated-url.ts'
import type { FetchedBody, HttpClient, HttpClientOptions, Validators } from './types.ts'

export type { FetchedBody, HttpClient, HttpClientOptions, Validators } from './types.ts'

const DEFAULTS = {
  simulated_world: null,
  timeout_ms: 20_000,
  max_bytes: 5 * 1_048_576,
  retries: 2,
  backoff_ms: 1_000,
  max_wait_ms: 60_000,
  breaker_failures: 5,
  breaker_rest_ms: 300_000,
  refusal_ms: 1_800_000,
  now: Date.now,
  sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  random: Math.random,
}

/** RFC 9309 2.5: at least this much of a robots.txt must be read. */
const ROBOTS_BYTES = 512 * 1_024

/**
 * Makes the one HTTP door. From outside in, a request meets: the circuit of its source, retries with backoff, robots.txt,
 * the turn and pace of its host, a timeout, a size cap. A 401 or 403 is final for a while.
 */
export function createHttpClient(given: HttpClientOptions): HttpClient {
  const options = { ...DEFAULTS, ...given }
  const user_agent = `${ROBOTS_TOKEN}/${options.version} (+${options.contact})`
  const turns = createHostQueues(options)
  const refusals = createRefusals(options.refusal_ms, options.now)
  const circuits = createCircuits({
    failures: options.breaker_failures,
    rest_ms: options.breaker_rest_ms,
    now: options.now,
  })
  const retrying = createRetry(options)
  const robots = createRobots((url) => travel({ url, method: 'GET', headers: {}, body: null }, readRobots), options.now)

  const send = (hop: Hop, limits: { timeout_ms: number; max_bytes: number }): Promise<Exchanged> =>
    exchange(
      {
        ...hop,
        ...limits,
        send_to: simulatedUrl(hop.url, options.simulated_world),
        headers: { 'Accept-Language': 'en', ...hop.headers, 'User-Agent': user_agent },
      },
      options.now,
    )

  const readRobots = (hop: Hop) =>
    turns.run(hop.url, 0, () => send(hop, { timeout_ms: options.timeout_ms, max_bytes: ROBOTS_BYTES }))

  /** Follows redirects; each hop is sent with the manners of `sendHop`. */
  async function travel(first: Hop, sendHop: (hop: Hop) => Promise<Exchanged>): Promise<Exchanged> {
    let hop = first
    for (let followed = 0; ; followed++) {
      const answer = await sendHop(hop)
      if (!followable(answer)) return answer
      hop = nextHop(hop, answer, followed)
    }
  }

  /** Asks robots.txt and waits for the host's turn. */
  async function politely<T>(url: string, source: Source, work: () => Promise<T>): Promise<T> {
    const { crawl_delay_seconds } = await robots.check(url)
    return turns.run(url, Math.max(source.pace_seconds, crawl_delay_seconds) * 1_000, work)
  }

  async function attempt(request: SourceRequest, source: Source, previous: Validators | null): Promise<FetchedBody> {
    const headers = { ...request.headers, ...conditions(request, previous) }
    refusals.check(request.url, request.headers)
    const limits = { timeout_ms: request.timeout_ms ?? options.timeout_ms, max_bytes: options.max_bytes }
    const first = { url: request.url, method: request.method, headers, body: request.body }
    const answer = await travel(first, (hop) => politely(hop.url, source, () => send(hop, limits)))
    const { location: _, retry_after, cache_control: __, ...fetched } = answer
    if (answer.status === 401 || answer.status === 403) throw refusals.note(request.url, request.headers, answer.status)
    if (answer.status === 429 || answer.status >= 500) {
      const wait = retryAfterMs(retry_after, options.now())
      if (wait !== null) turns.pause(answer.url, wait)
      throw new TransientFailure(`${answer.url} answered ${answer.status}`, answer.status, wait)
    }
    if (!answer.not_modified && (answer.status < 200 || answer.status > 299))
      throw new FetchError('FETCH_FAILED', `${answer.url} answered ${answer.status}`, {
        retryable: false,
        status: answer.status,
      })
    return fetched
  }

  return {
    user_agent,
    simulated_world: options.simulated_world,
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
          throw refusals.note(url, {}, error.status ?? 403)
        }
      }),
  }
}

function conditions(request: SourceRequest, previous: Validators | null): Record<string, string> {
  if (request.method !== 'GET' || previous === null) return {}
  return {
    ...(previous.etag === null ? {} : { 'If-None-Match': previous.etag }),
    ...(previous.last_modified === null ? {} : { 'If-Modified-Since': previous.last_modified }),
  }
}
