import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export interface SteadyLoad {
  requests_per_second: number
  /** Percentiles of the time from the instant at which a request was due to the end of its answer. */
  p50_ms: number
  p99_ms: number
  longest_ms: number
}

export interface SteadyLoadOptions {
  /** Requests per second, evenly spaced. */
  rate: number
  seconds: number
  /** Seconds at the same rate that come first and do not count. */
  warm_up_seconds: number
  connections: number
  headers?: Record<string, string>
  /** Paths requested in rotation, instead of that of the address. */
  paths?: string[]
  /** Bodies posted in rotation, with their own headers in addition to `headers`. */
  posts?: { headers: Record<string, string>; body: string }[]
}

const DEFAULTS = { warm_up_seconds: 1, connections: 32 }

/**
 * Sends requests at an even pace from a thread of its own, whether or not earlier ones are answered, as independent callers
 * do. Latencies at a rate are measured with this: `load` sends the requests of a second all at once at its beginning, and so
 * measures its own queue.
 * @throws Error when an answer is not 200
 */
export async function steadyLoad(
  url: string,
  options: Omit<SteadyLoadOptions, keyof typeof DEFAULTS> & Partial<SteadyLoadOptions>,
): Promise<SteadyLoad> {
  const workerData = { url, options: { ...DEFAULTS, ...options } }
  const worker = new Worker(new URL('./steady-load-worker.js', import.meta.url), { workerData })
  const [{ found, problems }] = (await once(worker, 'message')) as [{ found: SteadyLoad; problems: string[] }]
  await worker.terminate()
  if (problems.length > 0) throw new Error(`${url}: ${problems.length} requests failed, the first with: ${problems[0]}`)
  return found
}
