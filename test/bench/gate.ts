import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
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
const MAX_MICROSECONDS = 15
const REDIS_DECISIONS = 5_000
const REDIS_CONCURRENCY = 32
const REDIS_PORT = 16_396

/** Measures the gate in this process, and over its own Redis if one is installed. */
export async function benchGate(folder: string): Promise<Measurement[]> {
  const state = await openStateAt(`${folder}/gate.sqlite`, 'pepper of the bench, 16 and more')
  const originalLimit = TIERS.enterprise.requests_per_minute
  TIERS.enterprise.requests_per_minute = 4 * DECISIONS
  try {
    return [await localDecision(state), ...(await redisDecisions(state, folder))]
  } finally {
    TIERS.enterprise.requests_per_minute = originalLimit
    await state.close()
  }
}

/**
 * Time of one decision for a known key: key state, minute, month and settling the call. Each is made in its own turn of the
 * event loop, the most expensive case: decisions in one turn share the check of what other processes committed.
 */
async function localDecision(state: State): Promise<Measurement> {
  const now = Date.now()
  const { key } = await issueKey(state, { tier: 'enterprise' }, now)
  const gate = new LocalGate(state)
  let spent = 0
  for (let made = 0; made < 2 * DECISIONS; made++) {
    // The first half is warm-up.
    if (made === DECISIONS) spent = 0
    await nextTurn()
    const start = performance.now()
    const admitted = gate.admit(key, now, true)
    const admission = admitted instanceof Promise ? await admitted : admitted
    if (admission.refusal) throw admission.refusal
    admission.settle(true, 'bench')
    spent += performance.now() - start
  }
  await gate.flush(now)
  const value = (spent * 1_000) / DECISIONS
  return { name: 'gate: a decision', value, unit: 'µs', target: { at_most: MAX_MICROSECONDS } }
}

/** The same over Redis on this machine: the time a caller waits, and this process's CPU time per decision with many callers. */
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
    const measurement = (name: string, value: number) => ({
      name: `gate over Redis: ${name}`,
      value,
      unit: 'µs',
      target: null,
    })
    await decide(gate, key, 1)
    const alone = await decide(gate, key, 1)
    const many = await decide(gate, key, REDIS_CONCURRENCY)
    return [
      measurement('a decision, alone', alone.wall),
      measurement(`a decision, ${REDIS_CONCURRENCY} at once`, many.wall),
      measurement('of this process', many.cpu),
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

/** Microseconds per decision: wall-clock time and CPU time of this process. */
async function decide(gate: Gate, key: string, concurrency: number): Promise<{ wall: number; cpu: number }> {
  const now = Date.now()
  const start = performance.now()
  const cpuStart = process.cpuUsage()
  let remaining = REDIS_DECISIONS
  const caller = async () => {
    while (remaining-- > 0) {
      const { refusal, settle } = await gate.admit(key, now, true)
      if (refusal) throw refusal
      settle(true, 'bench')
    }
  }
  await Promise.all(Array.from({ length: concurrency }, caller))
  const { user, system } = process.cpuUsage(cpuStart)
  return { wall: ((performance.now() - start) * 1_000) / REDIS_DECISIONS, cpu: (user + system) / REDIS_DECISIONS }
}
