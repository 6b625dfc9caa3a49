import { createHistogram } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { type HttpConnection, openConnection, requestsOf } from './http-connection.ts'
import type { SteadyLoad, SteadyLoadOptions } from './steady-load.ts'

const { url, options } = workerData as { url: string; options: SteadyLoadOptions }
const { rate, seconds, connections, warm_up_seconds } = options
const requests = requestsOf(url, options)
const latencies = createHistogram()
const problems: string[] = []
const warmUp = warm_up_seconds * rate
const total = warmUp + seconds * rate
/** Free connections, and the number of the request that each other one waits for. */
const free: HttpConnection[] = []
const underWay = new Map<HttpConnection, number>()
let begin = 0
let sent = 0

/** When a request is due. Its latency counts from then, so that a late generator or a full queue is not hidden. */
const dueAt = (number: number) => begin + (number * 1_000) / rate

function answered(connection: HttpConnection): void {
  const number = underWay.get(connection) as number
  underWay.delete(connection)
  if (number >= warmUp) latencies.record(Math.max(1, Math.round((performance.now() - dueAt(number)) * 1_000)))
  free.push(connection)
  sendDue()
}

/** Sends what is due over the connections that are free. */
function sendDue(): void {
  for (const now = performance.now(); sent < total && dueAt(sent) <= now; ) {
    const connection = free.pop()
    if (!connection) return
    underWay.set(connection, sent)
    connection.send(requests[sent % requests.length] as Buffer)
    sent += 1
  }
}

const opening = Array.from({ length: connections }, () =>
  openConnection(url, answered, (problem) => problems.push(problem)),
)
const opened = await Promise.all(opening)
free.push(...opened)
begin = performance.now()
while (problems.length === 0 && (sent < total || underWay.size > 0)) {
  sendDue()
  await wait(1)
}
const elapsed_seconds = (performance.now() - begin) / 1_000
for (const connection of opened) connection.close()
const ms = (microseconds: number) => microseconds / 1_000
const found: SteadyLoad = {
  requests_per_second: total / elapsed_seconds,
  p50_ms: ms(latencies.percentile(50)),
  p99_ms: ms(latencies.percentile(99)),
  longest_ms: ms(latencies.max),
}
parentPort?.postMessage({ found, problems })
