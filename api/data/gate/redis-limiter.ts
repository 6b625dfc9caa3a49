import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis, type Result } from 'ioredis'
import { HoldshortError } from '../../../config/errors.ts'
import { ACCESS_VERSION_KEY, withTimeout } from '../../state/access-version-in-redis.ts'

/** Prefix of the gate's keys in Redis. */
const KEY_PREFIX = 'holdshort:gate'
/**
 * The Redis key that holds the run id of the Redis server whose counts are complete. After a restart of the server the run
 * id differs, and all counts are loaded from the state again.
 */
const RUN_ID_KEY = `${KEY_PREFIX}:generation`

/** Time limit of a decision for the caller. */
const DECISION_TIMEOUT_MS = 2_000
/** A connection without any reply for this long is replaced by a new one. */
const SOCKET_TIMEOUT_MS = 3_000
const MAX_RETRY_DELAY_MS = 1_000

/**
 * Decides on one call for all processes of an installation: Redis runs a script without interruption by other commands.
 * When the script lacks something from the state, it returns what it needs, and is run again with it.
 *
 * KEYS: the access version, the run id, the cached caller of the presented credential.
 * ARGV: the prefix of all other keys; now (ms); the month; 1 if the call is billable;
 *       the caller as just read from the state (access version under which it was read, expiry, limits per minute and
 *       month, id, account, JSON), or empty texts;
 *       the calls of the month as just read from the state (run id, calls), or empty texts.
 */
const DECIDE = `
local prefix, now, month, billable = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4] == '1'
local current = redis.call('mget', KEYS[1], KEYS[2])
local version, run_id = current[1], current[2]
if not version or not run_id then return {'emptied'} end

if ARGV[5] == version then
  redis.call('hset', KEYS[3], 'epoch', version, 'expires', ARGV[6], 'per_minute', ARGV[7], 'per_month', ARGV[8],
    'id', ARGV[9], 'account', ARGV[10], 'caller', ARGV[11])
  redis.call('pexpire', KEYS[3], 60000)
end
local cached = redis.call('hmget', KEYS[3], 'epoch', 'expires', 'per_minute', 'per_month', 'id', 'account', 'caller')
if cached[1] ~= version or now >= tonumber(cached[2]) then return {'needs_caller', version} end
local per_minute, per_month, caller = tonumber(cached[3]), tonumber(cached[4]), cached[7]

local month_key = prefix .. ':month:' .. cached[6] .. ':' .. month
local count = redis.call('hmget', month_key, 'generation', 'calls')
if count[1] ~= run_id then
  if ARGV[12] ~= run_id then return {'needs_calls', run_id, cached[6]} end
  count[2] = ARGV[13]
  redis.call('hset', month_key, 'generation', run_id, 'calls', count[2])
  redis.call('pexpire', month_key, 3000000000)
end
local used = tonumber(count[2])

local minute_key = prefix .. ':minute:' .. cached[5] .. ':' .. cached[3]
local newest = tonumber(redis.call('lindex', minute_key, -1) or now)
local ahead = newest - now
if ahead > 1000 then
  -- The clock was set back: the window goes on as if no time had passed.
  for index, at in ipairs(redis.call('lrange', minute_key, 0, -1)) do
    redis.call('lset', minute_key, index - 1, string.format('%.0f', tonumber(at) - ahead))
  end
end
local oldest = redis.call('lindex', minute_key, 0)
while oldest and tonumber(oldest) <= now - 60000 do
  redis.call('lpop', minute_key)
  oldest = redis.call('lindex', minute_key, 0)
end
local taken = redis.call('llen', minute_key)
local outcome = 'admitted'
if billable and per_month >= 0 and used >= per_month then
  outcome = 'month'
elseif taken >= per_minute then
  outcome = 'minute'
else
  taken = redis.call('rpush', minute_key, ARGV[2])
  redis.call('pexpire', minute_key, 120000)
  if billable then used = redis.call('hincrby', month_key, 'calls', 1) end
end
return {outcome, caller, taken, oldest or '', used, run_id}
`

/** Takes a call back out of the month's count. KEYS: the month's count. ARGV: the run id under which it was counted. */
const RELEASE = `
if redis.call('hget', KEYS[1], 'generation') == ARGV[1] then redis.call('hincrby', KEYS[1], 'calls', -1) end
return 1
`

declare module 'ioredis' {
  interface RedisCommander<Context> {
    decide(...keysAndArguments: (string | number)[]): Result<(string | number)[], Context>
    release(month: string, run_id: string): Result<number, Context>
  }
}

/** A call to be decided, with what the script requested from the state. */
export interface DecisionRequest {
  /** Keyed hash of the presented credential. */
  credential: string
  now: number
  month: string
  billable: boolean
  caller: StoredCaller | null
  calls: { run_id: string; calls: number } | null
}

/** A caller as read from the state under an access version. */
export interface StoredCaller {
  access_version: string
  expires: number
  per_minute: number
  /** -1 on tiers that meter calls beyond the monthly limit instead of refusing them. */
  per_month: number
  id: string
  account_id: string
  /** The `Caller` as JSON, which each decision returns. */
  json: string
}

/** The decision, or what must first be read from the state. */
export type DecisionReply =
  | { outcome: 'needs_caller'; access_version: string }
  | { outcome: 'needs_calls'; run_id: string; account_id: string }
  | Decision

export interface Decision {
  /** Admitted, or refused by the limit per minute or per month. */
  outcome: 'admitted' | 'minute' | 'month'
  /** The `Caller` as JSON. */
  caller: string
  /** Calls in the sliding minute, and the time of the oldest of them. */
  taken: number
  oldest: number | null
  /** Calls of the month, including those in progress. */
  used: number
  run_id: string
}

/** The limits and cached callers in Redis that all processes share. Without a connection it throws GATE_UNAVAILABLE at once. */
export class RedisLimiter {
  readonly #redis: Redis
  #open = false

  constructor(redis_url: string, onChange: (open: boolean, error?: Error) => void = () => undefined) {
    let lastError: Error | undefined
    this.#redis = new Redis(redis_url, {
      // A call is decided now or not at all: commands are neither queued nor sent again.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      connectTimeout: SOCKET_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      retryStrategy: (times) => Math.min(times * 50, MAX_RETRY_DELAY_MS),
      scripts: { decide: { lua: DECIDE, numberOfKeys: 3 }, release: { lua: RELEASE, numberOfKeys: 1 } },
    })
    this.#redis.on('error', (error: Error) => {
      lastError = error
    })
    this.#redis.on('ready', () => {
      this.#initialise().then(
        () => onChange(true),
        () => this.#redis.disconnect(true),
      )
    })
    this.#redis.on('close', () => {
      if (this.#open) onChange(false, lastError)
      this.#open = false
    })
  }

  /** Waits up to `timeout_ms` for the connection. Until it is open, calls are answered 503. */
  async ready(timeout_ms: number): Promise<void> {
    const until = Date.now() + timeout_ms
    while (!this.#open && Date.now() < until) await sleep(10)
  }

  /** @throws HoldshortError GATE_UNAVAILABLE */
  async decide(request: DecisionRequest): Promise<DecisionReply> {
    const [outcome, ...rest] = await this.#run(() => this.#redis.decide(...scriptArguments(request)))
    if (outcome === 'emptied') {
      // Redis was emptied while this process was connected.
      await this.#run(() => this.#initialise())
      return this.decide({ ...request, caller: null, calls: null })
    }
    if (outcome === 'needs_caller') return { outcome, access_version: String(rest[0]) }
    if (outcome === 'needs_calls') return { outcome, run_id: String(rest[0]), account_id: String(rest[1]) }
    const [caller, taken, oldest, used, run_id] = rest
    return {
      outcome: outcome as Decision['outcome'],
      caller: String(caller),
      taken: Number(taken),
      oldest: oldest === '' ? null : Number(oldest),
      used: Number(used),
      run_id: String(run_id),
    }
  }

  /** Takes a call back out of the month's count. If Redis is unavailable just then, the call stays counted. */
  release(account_id: string, month: string, run_id: string): void {
    this.#redis.release(`${KEY_PREFIX}:month:${account_id}:${month}`, run_id).catch(() => undefined)
  }

  /** Makes every process read every caller from the state again. */
  async dropCallers(): Promise<void> {
    await this.#run(() => this.#redis.set(ACCESS_VERSION_KEY, randomUUID()))
  }

  close(): void {
    this.#redis.disconnect()
  }

  async #run<T>(command: () => Promise<T>): Promise<T> {
    if (!this.#open) throw unavailable()
    try {
      return await withTimeout(DECISION_TIMEOUT_MS, command())
    } catch (cause) {
      throw unavailable(cause)
    }
  }

  /**
   * Runs first on every connection. Redis may have been restored from an old dump, so its cached callers are dropped, and
   * its counts are used only if the server has not been restarted since they were made.
   */
  async #initialise(): Promise<void> {
    const server = await this.#redis.info('server')
    const run_id = /^run_id:(\w+)/m.exec(server)?.[1] ?? randomUUID()
    await this.#redis.mset(ACCESS_VERSION_KEY, randomUUID(), RUN_ID_KEY, run_id)
    this.#open = true
  }
}

/** Keys and arguments of the script `DECIDE`, in its order. */
function scriptArguments({ credential, now, month, billable, caller, calls }: DecisionRequest): (string | number)[] {
  const callerArguments = caller
    ? [
        caller.access_version,
        caller.expires,
        caller.per_minute,
        caller.per_month,
        caller.id,
        caller.account_id,
        caller.json,
      ]
    : ['', '', '', '', '', '', '']
  return [
    ACCESS_VERSION_KEY,
    RUN_ID_KEY,
    `${KEY_PREFIX}:caller:${credential}`,
    KEY_PREFIX,
    now,
    month,
    billable ? 1 : 0,
    ...callerArguments,
    calls?.run_id ?? '',
    calls?.calls ?? '',
  ]
}

function unavailable(cause?: unknown): HoldshortError {
  return new HoldshortError('GATE_UNAVAILABLE', 'keys and limits are temporarily unavailable; try again shortly', {
    cause,
  })
}
