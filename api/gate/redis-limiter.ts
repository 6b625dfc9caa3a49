import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis, type Result } from 'ioredis'
import { HoldshortError } from '../../config/errors.ts'
import { projectText } from '../../config/project-text.ts'
import { ACCESS_VERSION_KEY, withTimeout } from '../state/access-changes-over-redis.ts'

const KEY_PREFIX = 'holdshort:gate'
/**
 * The Redis key that holds the run id of the Redis server whose counts are complete. After a restart of the server the run
 * id differs, and all counts are loaded from the state again.
 */
const RUN_ID_KEY = `${KEY_PREFIX}:generation`

const DECISION_TIMEOUT_MS = 2_000
/** A connection without any reply for this long is replaced by a new one. */
const SOCKET_TIMEOUT_MS = 3_000
const MAX_RETRY_DELAY_MS = 1_000

/**
 * Decides on one call for all processes of an installation: Redis runs a script without interruption by other commands.
 * When the script lacks something from the state, it returns what it needs, and is run again with it.
 */
const DECIDE = projectText('api/gate/decide.lua')

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

  /** GATE_UNAVAILABLE while there is no connection. */
  fault(): HoldshortError | null {
    return this.#open ? null : gateUnavailable()
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
    if (!this.#open) throw gateUnavailable()
    try {
      return await withTimeout(DECISION_TIMEOUT_MS, command())
    } catch (cause) {
      throw gateUnavailable(cause)
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

export function gateUnavailable(cause?: unknown): HoldshortError {
  return new HoldshortError('GATE_UNAVAILABLE', 'keys and limits are temporarily unavailable; try again shortly', {
    cause,
  })
}
