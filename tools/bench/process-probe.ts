import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { TIERS } from '../../config/tiers.ts'

/**
 * Loaded into a real `holdshort serve` before anything else (`node --import`): reports on request the delays of its event loop
 * since the last report, and its memory after garbage collection.
 */
export interface LoopReport {
  longest_stall_ms: number
  /** CPU time of its main thread, without the time other processes take. */
  cpu_seconds: number
}

export interface HeapReport {
  heap_mb: number
  rss_mb: number
}

// The limit stays in force; it is only too high for the load to reach it.
TIERS.enterprise.requests_per_minute = 6_000_000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const MEGABYTE = 1_048_576

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
const cpuSeconds = () => Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e9
let before = cpuSeconds()

process.on('message', (kind) => {
  if (kind === 'heap') {
    collectGarbage()
    const { heapUsed, rss } = process.memoryUsage()
    process.send?.({ heap_mb: heapUsed / MEGABYTE, rss_mb: rss / MEGABYTE } satisfies HeapReport)
    return
  }
  const now = cpuSeconds()
  process.send?.({ longest_stall_ms: delay.max / 1e6, cpu_seconds: now - before } satisfies LoopReport)
  before = now
  delay.reset()
})
