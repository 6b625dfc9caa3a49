import { afterAll, beforeAll } from 'vitest'
import { type RunningSimulatedWorld, startSimulatedWorld } from '../../../pipeline/simulator/server.ts'

/** A Friday afternoon in America. */
export const NOW = Date.parse('2026-11-20T22:00:20Z')

/** A simulated world with a fixed clock for the tests of one file; `fetchFrom` fetches `host/path`. */
export function runningSimulator(now: () => number = () => NOW) {
  let simulator: RunningSimulatedWorld
  beforeAll(async () => {
    simulator = await startSimulatedWorld({ seed: 7, now })
  })
  afterAll(() => simulator.close())
  return {
    simulator: () => simulator,
    fetchFrom: (address: string, init?: RequestInit) => fetch(`${simulator.url}/${address}`, init),
  }
}
