import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis, type Result } from 'ioredis'
import { HoldshortError } from '../../../config/errors.ts'
import { ACCESS_VERSION_KEY, withTimeout } from '../../state/access-version-in-redis.ts'

/** What the names of the gate's keys in Redis begin with. */
const ROOT = 'holdshort:gate'
/** The run of the Redis server whose counts are whole: after a restart all are loaded from the state again. */
const GENERATION_KEY = `${ROOT}:generation`

/** Longest that a caller waits for a decision. */
const ANSWER_WITHIN_MS = 2_000
/** A connection on which nothing comes back for so long is given up for a new one. */
const SILENT_FOR_MS = 3_000
const LONGEST_RETRY_MS = 1_000

declare module 'ioredis' {
  interface RedisCommander<Context> {
    decide(...keysAndArguments: (string | number)[]): Result<(string | number)[], Context>
    release(month: string, generation: string): Result<number, Context>
  }
}

/** One call to be decided, with what had to be read of the state for it. */
export interface DecisionRequest {
  /** Keyed hash of what was presented. */
  credential: string
  now: number
  month: string
  billable: boolean
  caller: StoredCaller | null
  calls: { generation: string; calls: number } | null
}

/** A caller as read from the state, at an epoch of access. */
export interface StoredCaller {
  epoch: string
  expires: number
  per_minute: number
  /** -1 where calls beyond the month's are metered, not refused. */
  per_month: number
  id: string
  account_id: string
  /** The caller as JSON, to come back with each decision. */
  json: string
}

/** Decided, or what must be read of the state first. */
export type DecisionReply =
  | { outcome: 'unknown'; epoch: string }
  | { outcome: 'uncounted'; generation: string; account_id: string }
  | Decision

export interface Decision {
  outcome: 'admitted' | 'minute' | 'month'
  caller: string
  /** Places taken in the minute, and the instant of the oldest of them. */
  taken: number
  oldest: number | null
  /** Calls of the month, those under way too. */
  used: number
  generation: string
}

/** The gate's connection to Redis. While it is away, asking it throws GATE_UNAVAILABLE at once. */
export class RedisLimiter {
  readonly #redis: Redis
  #open = false

  constructor(redis_url: string, onChange: (open: boolean, error?: Error) => void = () => undefined) {
    let last: Error | undefined
    this.#redis = new Redis(redis_url, {
      // A call is decided now or not at all: nothing is kept for later, nothing is asked twice.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      connectTimeout: SILENT_FOR_MS,
      socketTimeout: SILENT_FOR_MS,
      retryStrategy: (times) => Math.min(times * 50, LONGEST_RETRY_MS),
      scripts: { decide: { lua: DECIDE, numberOfKeys: 3 }, release: { lua: RELEASE, numberOfKeys: 1 } },
    })
    this.#redis.on('error', (error: Error) => {
      last = error
    })
    this.#redis.on('ready', () => {
      this.#begin().then(
        () => onChange(true),
        () => this.#redis.disconnect(true),
      )
    })
    this.#redis.on('close', () => {
      if (this.#open) onChange(false, last)
      this.#open = false
    })
  }

  /** Waits for the connection, but no longer than this: without it calls are answered 503 until it comes. */
  async ready(within_ms: number): Promise<void> {
    const until = Date.now() + within_ms
    while (!this.#open && Date.now() < until) await sleep(10)
  }

  /** @throws HoldshortError GATE_UNAVAILABLE */
  async decide({ credential, now, month, billable, caller, calls }: DecisionRequest): Promise<DecisionReply> {
    const read = caller ?? { epoch: '', expires: '', per_minute: '', per_month: '', id: '', account_id: '', json: '' }
    const answer = await this.#ask(() =>
      this.#redis.decide(
        ACCESS_VERSION_KEY,
        GENERATION_KEY,
        `${ROOT}:caller:${credential}`,
        ROOT,
        now,
        month,
        billable ? 1 : 0,
        read.epoch,
        read.expires,
        read.per_minute,
        read.per_month,
        read.id,
        read.account_id,
        read.json,
        calls?.generation ?? '',
        calls?.calls ?? '',
      ),
    )
    const [outcome, ...rest] = answer
    if (outcome === 'closed') {
      // Somebody has emptied Redis while we were connected.
      await this.#ask(() => this.#begin())
      return this.decide({ credential, now, month, billable, caller: null, calls: null })
    }
    if (outcome === 'unknown') return { outcome, epoch: String(rest[0]) }
    if (outcome === 'uncounted') return { outcome, generation: String(rest[0]), account_id: String(rest[1]) }
    const [known, taken, oldest, used, generation] = rest
    return {
      outcome: outcome as Decision['outcome'],
      caller: String(known),
      taken: Number(taken),
      oldest: oldest === '' ? null : Number(oldest),
      used: Number(used),
      generation: String(generation),
    }
  }

  /** Gives a place in the month back. If Redis is away just then the place stays taken: rather one too few than too many. */
  release(account_id: string, month: string, generation: string): void {
    this.#redis.release(`${ROOT}:month:${account_id}:${month}`, generation).catch(() => undefined)
  }

  /** Makes every process read every caller from the state again. */
  async renew(): Promise<void> {
    await this.#ask(() => this.#redis.set(ACCESS_VERSION_KEY, randomUUID()))
  }

  close(): void {
    this.#redis.disconnect()
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    if (!this.#open) throw unavailable('the limits cannot be looked at just now; try again shortly')
    try {
      return await withTimeout(ANSWER_WITHIN_MS, question())
    } catch (cause) {
      throw unavailable('the limits could not be looked at in time; try again shortly', cause)
    }
  }

  /**
   * The first thing said on every connection. Redis may have been restarted from an old dump: what it knew of callers
   * is not believed any more, and its counts only if it is still the same run of the server.
   */
  async #begin(): Promise<void> {
    const server = await this.#redis.info('server')
    const run = /^run_id:(\w+)/m.exec(server)?.[1] ?? randomUUID()
    await this.#redis.mset(ACCESS_VERSION_KEY, randomUUID(), GENERATION_KEY, run)
    this.#open = true
  }
}

function unavailable(message: string, cause?: unknown): HoldshortError {
  return new HoldshortError('GATE_UNAVAILABLE', message, { cause })
}

/**
 * The decision on one call, for all processes of an installation at once: Redis runs a script without a pause, as one
 * process runs a function. What it does not know it asks for, and is called again with the answer.
 *
 * KEYS: the epoch of access, the generation of counts, the record of the presented credential.
 * ARGV: what the names of all other keys begin with; now (ms); the month; 1 if the call can be billed;
 *       the caller as just read from the state (epoch it was read at, expires, limits of minute and month, id, account,
 *       JSON), or empty; the month's calls as just read from the state (generation, calls), or empty.
 */
export const DECIDE = `
local root, now, month, billable = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4] == '1'
local access = redis.call('mget', KEYS[1], KEYS[2])
local epoch, generation = access[1], access[2]
if not epoch or not generation then return {'closed'} end

if ARGV[5] == epoch then
  redis.call('hset', KEYS[3], 'epoch', epoch, 'expires', ARGV[6], 'per_minute', ARGV[7], 'per_month', ARGV[8],
    'id', ARGV[9], 'account', ARGV[10], 'caller', ARGV[11])
  redis.call('pexpire', KEYS[3], 60000)
end
local known = redis.call('hmget', KEYS[3], 'epoch', 'expires', 'per_minute', 'per_month', 'id', 'account', 'caller')
if known[1] ~= epoch or now >= tonumber(known[2]) then return {'unknown', epoch} end
local per_minute, per_month, caller = tonumber(known[3]), tonumber(known[4]), known[7]

local counted = root .. ':month:' .. known[6] .. ':' .. month
local count = redis.call('hmget', counted, 'generation', 'calls')
if count[1] ~= generation then
  if ARGV[12] ~= generation then return {'uncounted', generation, known[6]} end
  count[2] = ARGV[13]
  redis.call('hset', counted, 'generation', generation, 'calls', count[2])
  redis.call('pexpire', counted, 3000000000)
end
local used = tonumber(count[2])

local minute = root .. ':minute:' .. known[5] .. ':' .. known[3]
local oldest = redis.call('lindex', minute, 0)
while oldest and tonumber(oldest) <= now - 60000 do
  redis.call('lpop', minute)
  oldest = redis.call('lindex', minute, 0)
end
local taken = redis.call('llen', minute)
local outcome = 'admitted'
if billable and per_month >= 0 and used >= per_month then
  outcome = 'month'
elseif taken >= per_minute then
  outcome = 'minute'
else
  taken = redis.call('rpush', minute, ARGV[2])
  redis.call('pexpire', minute, 120000)
  if billable then used = redis.call('hincrby', counted, 'calls', 1) end
end
return {outcome, caller, taken, oldest or '', used, generation}
`

/** Gives a place in the month back. KEYS: the month's count. ARGV: the generation it was taken in. */
export const RELEASE = `
if redis.call('hget', KEYS[1], 'generation') == ARGV[1] then redis.call('hincrby', KEYS[1], 'calls', -1) end
return 1
`
