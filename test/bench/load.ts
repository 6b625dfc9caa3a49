import autocannon from 'autocannon'

const CONNECTIONS = 32

export interface Load {
  requests_per_second: number
  p99_ms: number
}

export interface LoadOptions {
  seconds: number
  /** Number of requests, instead of a duration. */
  amount?: number
  headers?: Record<string, string>
  /** Paths requested in rotation, instead of that of `url`. */
  paths?: string[]
  /** Bodies posted in rotation, with their own headers in addition to `headers`. */
  posts?: { headers: Record<string, string>; body: string }[]
}

/**
 * Sends load to an address from a separate thread, so that the generator does not block the server's event loop.
 * @throws Error when an answer is not 200
 */
export async function load(url: string, { seconds, amount, headers = {}, paths, posts }: LoadOptions): Promise<Load> {
  const result = await autocannon({
    url,
    headers,
    connections: CONNECTIONS,
    workers: 1,
    duration: seconds,
    ...(amount !== undefined && { amount }),
    ...(paths && { requests: paths.map((path) => ({ path })) }),
    ...(posts && {
      requests: posts.map((post) => ({ method: 'POST', body: post.body, headers: { ...headers, ...post.headers } })),
    }),
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} answers were not 200, ${result.errors} failed`)
  return { requests_per_second: result.requests.average, p99_ms: result.latency.p99 }
}
