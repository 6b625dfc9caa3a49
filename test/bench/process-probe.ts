import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { TIERS } from '../../config/tiers.ts'

/**
 * Loaded into a real `holdshort serve` before anything else (`node --import`): tells on request how its event loop fared
 * since the last time it was asked, and how much is in use once all garbage is gone.
 */
export interface LoopReport {
  longest_stall_ms: number
  /** Processor time of its main thread: what others take of a shared machine is not in it. */
  cpu_seconds: number
}

export interface HeapReport {
  heap_mb: number
  rss_mb: number
}

// The limit stays in force; it is only set so high that the load does not meet it.
TIERS.enterprise.requests_per_minute = 6_000_000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const MEGABYTE = 1_048_576

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
const cpuSeconds = () => Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e9
let before = cpuSeconds()
process.on('message', (asked) => {
  if (asked === 'heap') {
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
