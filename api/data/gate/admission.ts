import type { Tier } from '../../../config/domain.ts'
import { RateLimitedError } from '../../../config/errors.ts'
import type { TierTerms } from '../../../config/tiers.ts'
import { monthEnd, type Settle } from './billing-month.ts'

/** Who calls: a key of an account, or a client that its owner has connected. */
export interface Caller {
  kind: 'key' | 'connection'
  /** Id of the key, or of the connection's grant. Each has a minute of its own; the month is the account's. */
  id: string
  account_id: string
  tier: Tier
}

/** What is left to a caller, the call being decided already taken off. */
export interface Quotas {
  minute: { limit: number; remaining: number; reset_seconds: number }
  /** Null where calls beyond the month's are metered, not refused. */
  month: { limit: number; remaining: number; reset_seconds: number } | null
}

/** The gate's answer for one call with a valid credential. */
export interface Admission {
  caller: Caller
  terms: TierTerms
  quotas: Quotas
  /** Why the call is refused; null when it may go on. */
  refusal: RateLimitedError | null
  /** Says how the call ended; without effect for a call that cannot be billed. */
  settle: Settle
}

/** How calls were decided so far. */
export interface DecisionCounts {
  admitted: number
  refused_minute: number
  refused_month: number
  invalid_key: number
  /** Answered 503, as nobody could be asked. */
  unavailable: number
}

export const zeroDecisionCounts = (): DecisionCounts => ({
  admitted: 0,
  refused_minute: 0,
  refused_month: 0,
  invalid_key: 0,
  unavailable: 0,
})

/**
 * The one gate that every call with a credential passes: its state, the sliding minute and the calendar month, decided
 * together. `LocalGate` decides in this process, `RedisGate` for all processes of an installation.
 */
export interface Gate {
  readonly decisions: DecisionCounts
  /**
   * @throws HoldshortError INVALID_API_KEY for a malformed, unknown, expired or revoked credential; GATE_UNAVAILABLE when
   * it cannot be decided just now.
   */
  admit: (presented: string, now: number, billable: boolean) => Admission | Promise<Admission>
  /** Writes usage; to be called about once a second, and at the end. */
  flush: (now: number) => Promise<void>
}

export const MALFORMED_KEY = 'the API key is malformed'
export const INVALID_KEY = 'the API key is unknown or has been revoked'

export const SETTLE_NOTHING: Settle = () => undefined

export function minuteRefusal({ minute }: Quotas): RateLimitedError {
  const message = `more than ${minute.limit} requests in a minute; wait for Retry-After`
  return new RateLimitedError('minute', minute.reset_seconds, message)
}

/** What is left of a month whose calls are refused beyond its end. */
export function monthQuota(limit: number, used: number, now: number): NonNullable<Quotas['month']> {
  return { limit, remaining: Math.max(0, limit - used), reset_seconds: Math.ceil((monthEnd(now) - now) / 1000) }
}

export function monthRefusal(terms: TierTerms, now: number): RateLimitedError {
  const message = `the ${terms.calls_per_month} calls of this month are used up`
  return new RateLimitedError('month', Math.ceil((monthEnd(now) - now) / 1000), message)
}
