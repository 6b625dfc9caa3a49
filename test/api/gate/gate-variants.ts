import { inject, onTestFinished } from 'vitest'
import { type Gate, zeroDecisionCounts } from '../../../api/gate/admission.ts'
import type { CredentialReader } from '../../../api/gate/credentials.ts'
import { DistributedGate } from '../../../api/gate/distributed-gate.ts'
import { LocalGate } from '../../../api/gate/local-gate.ts'
import { RedisLimiter } from '../../../api/gate/redis-limiter.ts'
import { openState } from '../../../api/state/open.ts'
import type { State } from '../../../api/state/state.ts'
import { HoldshortError } from '../../../config/errors.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { redisInstalled } from '../../jobs/redis/redis-server.ts'

/** One implementation of the gate, for tests that both must pass. */
export interface GateVariant {
  available: boolean
  /** Environment of an installation that uses it. */
  environment: Record<string, string>
  state: (data_dir: string) => Promise<State>
  gate: (state: State, reader?: CredentialReader) => Promise<Gate>
}

const closedAfterwards = (state: State) => {
  onTestFinished(() => state.close())
  return state
}

const LOCAL: GateVariant = {
  available: true,
  environment: {},
  state: async (data_dir) => closedAfterwards(await openState({ data_dir })),
  gate: async (state, reader) => new LocalGate(state, reader),
}

/** The distributed gate on the Redis at an address. */
export function distributedVariant(redis_url: string): GateVariant {
  return {
    available: redisInstalled,
    environment: { REDIS_URL: redis_url },
    state: async (data_dir) => closedAfterwards(await openState({ data_dir, redis_url })),
    gate: async (state, reader) => {
      const limiter = new RedisLimiter(redis_url)
      onTestFinished(() => limiter.close())
      await limiter.ready(2_000)
      return new DistributedGate(state, limiter, reader)
    },
  }
}

/**
 * Both implementations by name; in everyday runs the local one, because the other needs Redis. On PostgreSQL only the local one
 * too: the distributed gate works the same on both databases.
 */
export function gateVariants(redis_url: string): [string, GateVariant][] {
  const variants: [string, GateVariant][] = [['local gate', LOCAL]]
  if (EXHAUSTIVE && !inject('postgresql'))
    variants.push(['distributed gate (needs redis-server)', distributedVariant(redis_url)])
  return variants
}

/** A gate whose Redis is unavailable. */
export const unavailableGate = (): Gate => ({
  decisions: zeroDecisionCounts(),
  admit: () => Promise.reject(new HoldshortError('GATE_UNAVAILABLE', 'Redis is unavailable')),
  flush: async () => undefined,
})
