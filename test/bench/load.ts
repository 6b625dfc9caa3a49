import autocannon from 'autocannon'

export interface Load {
  requests_per_second: number
  /** At a rate, from the instant at which a request was due. */
  p99_ms: number
  longest_ms: number
}

export interface LoadOptions {
  seconds: number
  /** Requests a second, evenly spaced; absent: as many as are answered. */
  rate?: number
  headers?: Record<string, string>
  /** Paths requested in rotation, instead of that of the address. */
  paths?: string[]
  /** Bodies posted instead, with their own headers in addition to `headers`. */
  posts?: Post[]
  /** Each of the posts is sent once; `seconds` is not used. */
  once?: true
}

export interface Post {
  headers: Record<string, string>
  body: string
}

const CONNECTIONS = 32

/**
 * Puts a load on an address with autocannon over 32 connections; paths are requested from a thread of its own, so that a server in
 * this process is not held up.
 * @throws Error when an answer is not 2xx or a connection fails
 */
export async function load(
  url: string,
  { seconds, rate, headers = {}, paths, posts, once }: LoadOptions,
): Promise<Load> {
  const { origin, pathname, search } = new URL(url)
  const requests: autocannon.Request[] = posts
    ? posts.map((post) => ({
        method: 'POST',
        path: pathname,
        headers: { ...headers, ...post.headers },
        body: post.body,
      }))
    : (paths ?? [pathname + search]).map((path) => ({ path, headers }))
  let opened = 0
  // Of requests that are sent once, autocannon's duration is in whole seconds and has its preparation in it.
  let first = 0
  let last = 0
  // Each connection has posts of its own, so that none is sent by two of them.
  const setupClient = (client: autocannon.Client) => {
    const own = opened++
    const part = requests.filter((_, at) => at % CONNECTIONS === own)
    client.setRequests(part.length > 0 ? part : requests)
    client.on('response', () => {
      last = performance.now()
      first ||= last
    })
  }
  const result = await autocannon({
    url: origin,
    connections: CONNECTIONS,
    ...(once ? { amount: Math.floor(requests.length / CONNECTIONS) * CONNECTIONS } : { duration: seconds }),
    ...(rate !== undefined && { overallRate: rate }),
    // Each connection prepares these before it gets its own: all of them would take longer than the load.
    requests: posts ? requests.slice(0, 1) : requests,
    ...(posts ? { setupClient } : { workers: 1 }),
  })
  const failed = result.non2xx + result.errors + result.timeouts
  if (failed > 0)
    throw new Error(
      `${url}: ${result.non2xx} answers are not 2xx, ${result.errors} errors, ${result.timeouts} timeouts`,
    )
  const { p99, max } = result.latency
  return {
    requests_per_second: once
      ? (result.requests.total * 1_000) / (last - first)
      : result.requests.total / result.duration,
    p99_ms: p99,
    longest_ms: max,
  }
}
