import { HoldshortError } from '../../../config/errors.ts'
import { TIERS } from '../../../config/tiers.ts'
import { keyedHash } from '../../state/key-format.ts'
import type { State } from '../../state/state.ts'
import {
  type Admission,
  type Caller,
  type DecisionCounts,
  type Gate,
  INVALID_KEY,
  MALFORMED_KEY,
  minuteRefusal,
  monthQuota,
  monthRefusal,
  type Quotas,
  SETTLE_NOTHING,
  zeroDecisionCounts,
} from './admission.ts'
import { monthOf, type Settle } from './billing-month.ts'
import { type CredentialReader, keyReader } from './credentials.ts'
import { resetSeconds } from './minute-window.ts'
import { MonthMeter } from './month-meter.ts'
import type { Decision, DecisionRequest, RedisLimiter } from './redis-limiter.ts'
import { callsOfMonth } from './usage.ts'

/** A call is given up when access changes faster than callers can be read. */
const MAX_ROUNDS = 50

/**
 * The gate of several processes: one script on a shared Redis decides on credential, minute and month for all of them.
 * The state stays the truth: Redis holds what it was told of it, and no longer than until the next change of access.
 */
export class DistributedGate implements Gate {
  readonly decisions: DecisionCounts = zeroDecisionCounts()
  readonly #state: State
  readonly #redis: RedisLimiter
  readonly #reader: CredentialReader
  readonly #meter: MonthMeter
  #epochSeen: number | null = null

  constructor(state: State, redis: RedisLimiter, reader: CredentialReader = keyReader(state)) {
    this.#state = state
    this.#redis = redis
    this.#reader = reader
    this.#meter = new MonthMeter(state.db)
  }

  /** @throws HoldshortError INVALID_API_KEY; GATE_UNAVAILABLE when Redis is away: nobody is let in unlimited. */
  async admit(presented: string, now: number, billable: boolean): Promise<Admission> {
    if (!this.#reader.wellFormed(presented)) throw this.#invalid(MALFORMED_KEY)
    try {
      const decided = await this.#decide(presented, now, billable)
      return this.#admission(decided, now, billable)
    } catch (error) {
      if (error instanceof HoldshortError && error.code === 'GATE_UNAVAILABLE') this.decisions.unavailable++
      throw error
    }
  }

  async flush(now: number): Promise<void> {
    await this.#meter.flush(now)
    this.#meter.forgetIdle()
    // Who changes access tells Redis. This is for those that could not: killed before they did, or started without REDIS_URL.
    const epoch = await this.#state.accessVersion()
    if (epoch === this.#epochSeen) return
    const renewed = this.#redis.renew().then(() => {
      this.#epochSeen = epoch
    })
    // Without Redis nobody is let in, and a new connection begins with the same.
    await renewed.catch(() => undefined)
  }

  async #decide(presented: string, now: number, billable: boolean): Promise<Decision> {
    const credential = keyedHash(presented, this.#state.pepper)
    const question: DecisionRequest = { credential, now, month: monthOf(now), billable, caller: null, calls: null }
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const verdict = await this.#redis.decide(question)
      if (verdict.outcome === 'unknown') question.caller = await this.#readCaller(presented, now, verdict.epoch)
      else if (verdict.outcome === 'uncounted')
        question.calls = await this.#readCalls(verdict.account_id, now, verdict.generation)
      else return verdict
    }
    throw new HoldshortError('GATE_UNAVAILABLE', 'access is being changed all the time; try again shortly')
  }

  async #readCaller(presented: string, now: number, epoch: string): Promise<DecisionRequest['caller']> {
    const found = await this.#reader.read(presented, now)
    if (!found || found.expires <= now) throw this.#invalid(INVALID_KEY)
    const { id, account_id, tier } = found.caller
    const { requests_per_minute, calls_per_month, overage_usd_per_1000 } = TIERS[tier]
    return {
      epoch,
      id,
      account_id,
      json: JSON.stringify(found.caller),
      expires: Math.min(found.expires, Number.MAX_SAFE_INTEGER),
      per_minute: requests_per_minute,
      per_month: overage_usd_per_1000 === null ? calls_per_month : -1,
    }
  }

  /** What the state has, after what this process has yet to write: only other processes' last second can be missing. */
  async #readCalls(account_id: string, now: number, generation: string): Promise<DecisionRequest['calls']> {
    await this.#meter.flush(now).catch(() => undefined)
    return { generation, calls: await callsOfMonth(this.#state.db, account_id, monthOf(now)) }
  }

  #admission(decided: Decision, now: number, billable: boolean): Admission {
    const caller = JSON.parse(decided.caller) as Caller
    const terms = TIERS[caller.tier]
    const standing = standingOf(decided, caller, now)
    const { outcome } = decided
    if (outcome === 'month') {
      this.decisions.refused_month++
      return { caller, terms, quotas: standing, refusal: monthRefusal(terms, now), settle: SETTLE_NOTHING }
    }
    if (outcome === 'minute') {
      this.decisions.refused_minute++
      return { caller, terms, quotas: standing, refusal: minuteRefusal(standing), settle: SETTLE_NOTHING }
    }
    this.decisions.admitted++
    const settle = billable ? this.#reserve(caller.account_id, now, decided.generation) : SETTLE_NOTHING
    return { caller, terms, quotas: standing, refusal: null, settle }
  }

  /** The place in the month is taken in Redis already; the bill is written to the state by this process. */
  #reserve(account_id: string, now: number, generation: string): Settle {
    const bill = this.#meter.reserve(account_id, now)
    let settled = false
    return (billed, endpoint) => {
      bill(billed, endpoint)
      if (!settled && !billed) this.#redis.release(account_id, monthOf(now), generation)
      settled = true
    }
  }

  #invalid(message: string): HoldshortError {
    this.decisions.invalid_key++
    return new HoldshortError('INVALID_API_KEY', message)
  }
}

function standingOf({ taken, oldest, used }: Decision, { tier }: Caller, now: number): Quotas {
  const { requests_per_minute, calls_per_month, overage_usd_per_1000 } = TIERS[tier]
  return {
    minute: {
      limit: requests_per_minute,
      remaining: Math.max(0, requests_per_minute - taken),
      reset_seconds: resetSeconds(oldest, now),
    },
    month: overage_usd_per_1000 === null ? monthQuota(calls_per_month, used, now) : null,
  }
}
