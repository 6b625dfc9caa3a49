import { createHistogram } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { Pool } from 'undici'
import type { SteadyLoad, SteadyLoadOptions } from './steady-load.ts'

const { url, options } = workerData as { url: string; options: SteadyLoadOptions }
const { rate, seconds, headers = {}, connections, warm_up_seconds } = options
const base = new URL(url)
const requests = options.posts?.map((post) => ({
  path: base.pathname,
  method: 'POST' as const,
  headers: { ...headers, ...post.headers },
  body: post.body,
})) ??
  options.paths?.map((path) => ({ path, method: 'GET' as const, headers })) ?? [
    { path: base.pathname + base.search, method: 'GET' as const, headers },
  ]

const pool = new Pool(base.origin, { connections, pipelining: 1 })
const latencies = createHistogram()
const problems: string[] = []

/** Sends one request; its latency counts from the instant at which it was due, so that a late generator or a full queue is not hidden. */
async function send(number: number, due: number, counts: boolean): Promise<void> {
  const { statusCode, body } = await pool.request(requests[number % requests.length] as (typeof requests)[number])
  await body.dump({ limit: Number.MAX_SAFE_INTEGER })
  if (statusCode !== 200) throw new Error(`an answer was ${statusCode}`)
  if (counts) latencies.record(Math.max(1, Math.round((performance.now() - due) * 1_000)))
}

const begin = performance.now()
const underWay = new Set<Promise<void>>()
const warmUp = warm_up_seconds * rate
const total = warmUp + seconds * rate
for (let number = 0; number < total; ) {
  const due = begin + (number * 1_000) / rate
  if (due > performance.now()) {
    await wait(1)
    continue
  }
  const sent: Promise<void> = send(number, due, number >= warmUp)
    .catch((error: unknown) => void problems.push(String(error)))
    .finally(() => underWay.delete(sent))
  underWay.add(sent)
  number += 1
}
await Promise.all(underWay)
const elapsed_seconds = (performance.now() - begin) / 1_000
await pool.close()
const ms = (microseconds: number) => microseconds / 1_000
const found: SteadyLoad = {
  requests_per_second: total / elapsed_seconds,
  p50_ms: ms(latencies.percentile(50)),
  p99_ms: ms(latencies.percentile(99)),
  longest_ms: ms(latencies.max),
}
parentPort?.postMessage({ found, problems })
