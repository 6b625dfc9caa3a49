import autocannon from 'autocannon'
import { projectFile } from '../../config/paths.ts'

export interface Load {
  requests_per_second: number
  /** At a fixed rate, measured from the instant at which a request was due. */
  p99_ms: number
  longest_ms: number
}

export interface LoadOptions {
  seconds: number
  /** Requests a second, evenly spaced; absent: as many as are answered. */
  rate?: number
  /** Those of one caller, or of several callers in rotation. */
  headers?: Record<string, string> | Record<string, string>[]
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
const IN_THREAD = { workers: 1, setupClient: projectFile('tools', 'bench', 'own-requests.cjs') }

/** A server that answers fewer requests was not measured: all that are sent once, half at a rate, otherwise one a connection. */
function fewestAnswers({ seconds, rate }: LoadOptions, amount: number | null): number {
  if (amount !== null) return amount
  return rate === undefined ? CONNECTIONS : (rate * seconds) / 2
}

/**
 * Puts a load on an address with autocannon over 32 connections; paths are requested from a thread of its own, so that a server in
 * this process is not held up.
 * @throws Error when an answer is not 2xx, a connection fails, or too few are answered (see `fewestAnswers`)
 */
export async function load(url: string, options: LoadOptions): Promise<Load> {
  const { seconds, rate, headers = {}, posts, once } = options
  const { origin, pathname, search } = new URL(url)
  const callers = [headers].flat()
  const caller = (index: number) => callers[index % callers.length]!
  const { paths = [pathname + search] } = options
  const requests: autocannon.Request[] = posts
    ? posts.map((post, index) => ({
        method: 'POST',
        path: pathname,
        headers: { ...caller(index), ...post.headers },
        body: post.body,
      }))
    : Array.from({ length: Math.max(paths.length, callers.length) }, (_, index) => ({
        path: paths[index % paths.length]!,
        headers: caller(index),
      }))
  const amount = once ? Math.floor(requests.length / CONNECTIONS) * CONNECTIONS : null
  let opened = 0
  // For requests sent once, autocannon's duration is in whole seconds and includes its preparation.
  let first = 0
  let last = 0
  // Each connection has posts of its own, so that none is sent by two of them.
  const setupClient = (client: autocannon.Client) => {
    const own = opened++
    const part = requests.filter((_, index) => index % CONNECTIONS === own)
    client.setRequests(part.length > 0 ? part : requests)
    client.on('response', () => {
      last = performance.now()
      first ||= last
    })
  }
  const load: autocannon.Options = {
    url: origin,
    connections: CONNECTIONS,
    ...(amount === null ? { duration: seconds } : { amount }),
    ...(rate !== undefined && { overallRate: rate }),
    // Each connection prepares these before it gets its own: all of them would take longer than the load.
    requests: posts ? requests.slice(0, 1) : requests,
    ...(posts && { setupClient }),
  }
  const result = await autocannon(posts ? load : Object.assign(load, IN_THREAD))
  const failed = result.non2xx + result.errors + result.timeouts
  if (failed > 0)
    throw new Error(
      `${url}: ${result.non2xx} answers are not 2xx, ${result.errors} errors, ${result.timeouts} timeouts`,
    )
  const fewest = fewestAnswers(options, amount)
  if (result['2xx'] < fewest) throw new Error(`${url}: ${result['2xx']} answers, of at least ${fewest}`)
  const { p99, max } = result.latency
  return {
    requests_per_second: once
      ? (result.requests.total * 1_000) / (last - first)
      : result.requests.total / result.duration,
    p99_ms: p99,
    longest_ms: max,
  }
}
