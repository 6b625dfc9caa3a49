import autocannon from 'autocannon'

const CONNECTIONS = 32

export interface Load {
  requests_per_second: number
  p99_ms: number
}

export interface LoadOptions {
  seconds: number
  /** How many requests, in place of a time. */
  amount?: number
  headers?: Record<string, string>
  /** Paths asked for in turn, in place of the one of `url`. */
  paths?: string[]
  /** Bodies posted in turn, with headers of their own beside `headers`. */
  posts?: { headers: Record<string, string>; body: string }[]
  /** Most requests a second. */
  rate?: number
}

/**
 * Loads an address from a thread of its own, so that the generator does not take the server's turns. Anything but 200
 * is a failure of the bench.
 */
export async function load(
  url: string,
  { seconds, amount, headers = {}, paths, posts, rate }: LoadOptions,
): Promise<Load> {
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
    ...(rate !== undefined && { overallRate: rate }),
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} answers were not 200, ${result.errors} failed`)
  return { requests_per_second: result.requests.average, p99_ms: result.latency.p99 }
}
