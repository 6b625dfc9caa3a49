import { monitorEventLoopDelay } from 'node:perf_hooks'
import { TIERS } from '../../config/tiers.ts'

/**
 * Loaded into a real `holdshort serve` before anything else (`node --import`): tells on request how long its event loop
 * stood still at most since the last time it was asked.
 */
export interface LoopReport {
  longest_stall_ms: number
}

// The limit stays in force; it is only set so high that the load does not meet it.
TIERS.enterprise.requests_per_minute = 600_000

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('message', () => {
  process.send?.({ longest_stall_ms: delay.max / 1e6 } satisfies LoopReport)
  delay.reset()
})
