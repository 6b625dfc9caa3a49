import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export interface Load {
  requests_per_second: number
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

/** What the generator reports to the thread that started it. */
export interface LoadReport {
  answers: number
  elapsed_seconds: number
  /** The first request that failed; null when none did. */
  problem: string | null
}

/**
 * Sends as many requests as an address answers, over 32 connections, from a separate thread, so that the generator does not
 * block the server's event loop.
 * @throws Error when an answer is not 200 or has no Content-Length, or a connection ends
 */
export async function load(url: string, options: LoadOptions): Promise<Load> {
  const worker = new Worker(new URL('./load-worker.js', import.meta.url), { workerData: { url, options } })
  const [{ answers, elapsed_seconds, problem }] = (await once(worker, 'message')) as [LoadReport]
  await worker.terminate()
  if (problem !== null) throw new Error(`${url}: ${problem}`)
  return { requests_per_second: answers / elapsed_seconds }
}
