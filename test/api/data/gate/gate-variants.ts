import { inject, onTestFinished } from 'vitest'
import { type Gate, zeroDecisionCounts } from '../../../../api/data/gate/admission.ts'
import type { CredentialReader } from '../../../../api/data/gate/credentials.ts'
import { DistributedGate } from '../../../../api/data/gate/distributed-gate.ts'
import { LocalGate } from '../../../../api/data/gate/local-gate.ts'
import { RedisLimiter } from '../../../../api/data/gate/redis-limiter.ts'
import { openState } from '../../../../api/state/open.ts'
import type { State } from '../../../../api/state/state.ts'
import { HoldshortError } from '../../../../config/errors.ts'
import { redisInstalled } from '../../../jobs/redis/redis-server.ts'

/** One make of the gate, for tests that both must pass. */
export interface GateVariant {
  available: boolean
  /** Settings of an installation that uses it. */
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

/** The gate over a Redis at an address. */
export function distributedVariant(redis_url: string): GateVariant {
  return {
    available: redisInstalled,
    environment: { REDIS_URL: redis_url },
    state: async (data_dir) => closedAfterwards(await openState({ data_dir, redis_url })),
    gate: async (state, reader) => {
      const redis = new RedisLimiter(redis_url)
      onTestFinished(() => redis.close())
      await redis.ready(2_000)
      return new DistributedGate(state, redis, reader)
    },
  }
}

/** Both makes, by name; the second needs a Redis. On PostgreSQL the first alone: a Redis does the same on either database. */
export const gateVariants = (redis_url: string): [string, GateVariant][] => [
  ['local', LOCAL],
  ...(inject('postgresql')
    ? []
    : [['redis (needs redis-server)', distributedVariant(redis_url)] as [string, GateVariant]]),
]

/** A gate as it is while Redis is away. */
export const unavailableGate = (): Gate => ({
  decisions: zeroDecisionCounts(),
  admit: () => Promise.reject(new HoldshortError('GATE_UNAVAILABLE', 'Redis is away')),
  flush: async () => undefined,
})
