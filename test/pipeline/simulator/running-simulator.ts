import { afterAll, beforeAll } from 'vitest'
import { type RunningSimulatedWorld, startSimulatedWorld } from '../../../pipeline/simulator/server.ts'

/** A Friday afternoon in America. */
export const NOW = Date.parse('2026-11-20T22:00:20Z')

/** A world with a clock that stands still, for the tests of one file; `ask` fetches `host/path`. */
export function runningWorld(now: () => number = () => NOW) {
  let world: RunningSimulatedWorld
  beforeAll(async () => {
    world = await startSimulatedWorld({ seed: 7, now })
  })
  afterAll(() => world.close())
  return {
    world: () => world,
    ask: (address: string, init?: RequestInit) => fetch(`${world.url}/${address}`, init),
  }
}
