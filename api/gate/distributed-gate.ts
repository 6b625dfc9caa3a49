import { HoldshortError } from '../../config/errors.ts'
import { TIERS, type TierTerms } from '../../config/tiers.ts'
import { keyedHash } from '../state/key-format.ts'
import type { State } from '../state/state.ts'
import {
  type Admission,
  admissionOf,
  type Caller,
  type DecisionCounts,
  type Gate,
  invalidKey,
  monthQuota,
  type Quotas,
  SETTLE_NOTHING,
  type Settle,
  zeroDecisionCounts,
} from './admission.ts'
import { monthOf } from './billing-month.ts'
import { type CredentialReader, keyReader } from './credentials.ts'
import { resetSeconds } from './minute-window.ts'
import { MonthMeter } from './month-meter.ts'
import { type Decision, type DecisionRequest, gateUnavailable, type RedisLimiter } from './redis-limiter.ts'
import { callsOfMonth } from './usage.ts'

/** A call is answered 503 when access changes faster than its caller can be read. */
const MAX_ROUNDS = 50

/**
 * The gate of several processes: one script in a shared Redis decides on credential, minute and month for all of them.
 * The state database remains authoritative; Redis caches callers until the next change of access.
 */
export class DistributedGate implements Gate {
  readonly decisions: DecisionCounts = zeroDecisionCounts()
  readonly #state: State
  readonly #limiter: RedisLimiter
  readonly #reader: CredentialReader
  readonly #meter: MonthMeter
  /** The access version of the state that was last announced to Redis by this process. */
  #announcedVersion: number | null = null

  constructor(state: State, limiter: RedisLimiter, reader: CredentialReader = keyReader(state)) {
    this.#state = state
    this.#limiter = limiter
    this.#reader = reader
    this.#meter = new MonthMeter(state.db)
  }

  /** @throws HoldshortError INVALID_API_KEY; GATE_UNAVAILABLE while Redis is unavailable: no call passes without limits. */
  async admit(presented: string, now: number, billable: boolean): Promise<Admission> {
    if (!this.#reader.wellFormed(presented)) throw invalidKey(this.decisions, 'malformed')
    try {
      const decision = await this.#decide(presented, now, billable)
      return this.#admission(decision, now, billable)
    } catch (error) {
      if (error instanceof HoldshortError && error.code === 'GATE_UNAVAILABLE') this.decisions.unavailable++
      throw error
    }
  }

  async flush(now: number): Promise<void> {
    await this.#meter.flush(now)
    this.#meter.forgetIdle()
    // A process that changes access announces it to Redis itself. This covers a process that was killed before it did so,
    // or that was started without REDIS_URL.
    const version = await this.#state.accessVersion()
    if (version === this.#announcedVersion) return
    const announced = this.#limiter.dropCallers().then(() => {
      this.#announcedVersion = version
    })
    // While Redis is unavailable no call is admitted, and each new connection starts by dropping the cached callers.
    await announced.catch(() => undefined)
  }

  async #decide(presented: string, now: number, billable: boolean): Promise<Decision> {
    const credential = keyedHash(presented, this.#state.pepper)
    const request: DecisionRequest = { credential, now, month: monthOf(now), billable, caller: null, calls: null }
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const reply = await this.#limiter.decide(request)
      if (reply.outcome === 'needs_caller')
        request.caller = await this.#readCaller(presented, now, reply.access_version)
      else if (reply.outcome === 'needs_calls')
        request.calls = await this.#readCalls(reply.account_id, now, reply.run_id)
      else return reply
    }
    throw gateUnavailable()
  }

  async #readCaller(presented: string, now: number, access_version: string): Promise<DecisionRequest['caller']> {
    const found = await this.#reader.read(presented, now)
    if (!found || found.expires <= now) throw invalidKey(this.decisions, 'unknown')
    const { id, account_id, tier } = found.caller
    const { requests_per_minute, calls_per_month, overage_usd_per_1000 } = TIERS[tier]
    return {
      access_version,
      id,
      account_id,
      json: JSON.stringify(found.caller),
      expires: Math.min(found.expires, Number.MAX_SAFE_INTEGER),
      per_minute: requests_per_minute,
      per_month: overage_usd_per_1000 === null ? calls_per_month : -1,
    }
  }

  /** The stored calls, after a flush of this process: only the last second of other processes can be missing. */
  async #readCalls(account_id: string, now: number, run_id: string): Promise<DecisionRequest['calls']> {
    await this.#meter.flush(now).catch(() => undefined)
    return { run_id, calls: await callsOfMonth(this.#state.db, account_id, monthOf(now)) }
  }

  #admission(decision: Decision, now: number, billable: boolean): Admission {
    const caller = JSON.parse(decision.caller) as Caller
    const terms = TIERS[caller.tier]
    const { outcome, run_id } = decision
    const settle = billable && outcome === 'admitted' ? this.#reserve(caller.account_id, now, run_id) : SETTLE_NOTHING
    return admissionOf(this.decisions, outcome, { caller, terms, quotas: quotasOf(decision, terms, now), settle }, now)
  }

  /** The script has already counted the call of the month in Redis; this process writes a billed call to the state. */
  #reserve(account_id: string, now: number, run_id: string): Settle {
    const meter = this.#meter.reserve(account_id, now)
    let settled = false
    return (billed, endpoint) => {
      meter(billed, endpoint)
      if (!settled && !billed) this.#limiter.release(account_id, monthOf(now), run_id)
      settled = true
    }
  }
}

function quotasOf({ taken, oldest, used }: Decision, terms: TierTerms, now: number): Quotas {
  const { requests_per_minute } = terms
  return {
    minute: {
      limit: requests_per_minute,
      remaining: Math.max(0, requests_per_minute - taken),
      reset_seconds: resetSeconds(oldest, now),
    },
    month: monthQuota(terms, () => used, now),
  }
}
