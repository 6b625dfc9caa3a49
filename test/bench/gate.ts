import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { issueKey } from '../../api/accounts/keys/keys.ts'
import type { Gate } from '../../api/data/gate/admission.ts'
import { DistributedGate } from '../../api/data/gate/distributed-gate.ts'
import { LocalGate } from '../../api/data/gate/local-gate.ts'
import { RedisLimiter } from '../../api/data/gate/redis-limiter.ts'
import { openStateAt } from '../../api/state/open.ts'
import type { State } from '../../api/state/state.ts'
import { TIERS } from '../../config/tiers.ts'
import type { Measurement } from './measurement.ts'

const DECISIONS = 50_000
const MOST_MICROSECONDS = 15
const REDIS_DECISIONS = 5_000
const REDIS_AT_ONCE = 32
const REDIS_PORT = 16_396

/** The gate's figures: embedded, and over a Redis of its own where one is installed. */
export async function benchGate(folder: string): Promise<Measurement[]> {
  const state = await openStateAt(`${folder}/gate.sqlite`, 'pepper of the bench, 16 and more')
  const usual = TIERS.enterprise.requests_per_minute
  TIERS.enterprise.requests_per_minute = 4 * DECISIONS
  try {
    return [await localDecision(state), ...(await redisDecisions(state, folder))]
  } finally {
    TIERS.enterprise.requests_per_minute = usual
    await state.close()
  }
}

/**
 * Time of one decision of the gate for a known key: key state, minute, month and the settling of the call. Each is made
 * in a turn of its own, which is the dearest case: the look at what other processes committed is shared by a turn.
 */
async function localDecision(state: State): Promise<Measurement> {
  const now = Date.now()
  const { key } = await issueKey(state, { tier: 'enterprise' }, now)
  const gate = new LocalGate(state)
  let spent = 0
  for (let made = 0; made < 2 * DECISIONS; made++) {
    // The first half warms up.
    if (made === DECISIONS) spent = 0
    await turn()
    const from = performance.now()
    const admitted = gate.admit(key, now, true)
    const admission = admitted instanceof Promise ? await admitted : admitted
    if (admission.refusal) throw admission.refusal
    admission.settle(true, 'bench')
    spent += performance.now() - from
  }
  await gate.flush(now)
  const value = (spent * 1_000) / DECISIONS
  return { name: 'gate: a decision', value, unit: 'µs', target: { at_most: MOST_MICROSECONDS } }
}

/** The same over Redis on this machine: how long a caller waits for one, and what one takes of this process when many ask. */
async function redisDecisions(state: State, folder: string): Promise<Measurement[]> {
  const server = spawn('redis-server', ['--port', String(REDIS_PORT), '--save', '', '--dir', folder], {
    stdio: 'ignore',
  })
  const gone = once(server, 'exit').catch(() => undefined)
  const redis = new RedisLimiter(`redis://127.0.0.1:${REDIS_PORT}`)
  await Promise.race([redis.ready(5_000), gone])
  try {
    const gate = new DistributedGate(state, redis)
    const { key } = await issueKey(state, { tier: 'enterprise' }, Date.now())
    const told = (name: string, value: number) => ({
      name: `gate over Redis: ${name}`,
      value,
      unit: 'µs',
      target: null,
    })
    await decide(gate, key, 1)
    const alone = await decide(gate, key, 1)
    const many = await decide(gate, key, REDIS_AT_ONCE)
    return [
      told('a decision, alone', alone.wall),
      told(`a decision, ${REDIS_AT_ONCE} at once`, many.wall),
      told('of this process', many.cpu),
    ]
  } catch (error) {
    if (server.pid === undefined) return []
    throw error
  } finally {
    redis.close()
    server.kill('SIGKILL')
    await gone
  }
}

/** Microseconds a decision, by the clock and by the processor time of this process. */
async function decide(gate: Gate, key: string, atOnce: number): Promise<{ wall: number; cpu: number }> {
  const now = Date.now()
  const [from, cpuFrom] = [performance.now(), process.cpuUsage()]
  let left = REDIS_DECISIONS
  const caller = async () => {
    while (left-- > 0) {
      const { refusal, settle } = await gate.admit(key, now, true)
      if (refusal) throw refusal
      settle(true, 'bench')
    }
  }
  await Promise.all(Array.from({ length: atOnce }, caller))
  const { user, system } = process.cpuUsage(cpuFrom)
  return { wall: ((performance.now() - from) * 1_000) / REDIS_DECISIONS, cpu: (user + system) / REDIS_DECISIONS }
}
