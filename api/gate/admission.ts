import { setTimeout as wait } from 'node:timers/promises'
import { HoldshortError, RateLimitedError } from '../../config/errors.ts'
import type { TierTerms } from '../../config/tiers.ts'
import { isoUtc, type Tier } from '../../config/vocabulary.ts'
import { isStateFault } from '../state/unreachable.ts'
import { monthEnd } from './billing-month.ts'

/** The credential that makes a call: a key of an account, or an MCP client that its owner has connected. */
export interface Caller {
  kind: 'key' | 'connection'
  /** Id of the key, or of the connection's grant. Each has its own limit per minute; the limit per month is the account's. */
  id: string
  account_id: string
  tier: Tier
  /** Connections only: whether the owner lets it file reports and set alerts. A key belongs to the owner. */
  may_write?: boolean
}

/** The limits of a caller and what remains of them after the call that is being decided. Times are seconds from now. */
export interface Quotas {
  minute: { limit: number; remaining: number; reset_seconds: number }
  /** Null on tiers that meter calls beyond the monthly limit instead of refusing them. */
  month: { limit: number; remaining: number; reset_seconds: number } | null
}

/**
 * Ends the reservation that an admitted call holds in its month: a billed call is counted under its endpoint, another one
 * gives its place back. Only the first call of the function counts.
 */
export type Settle = (billed: boolean, endpoint: string) => void

/** The gate's decision on one call with a valid credential. */
export interface Admission {
  caller: Caller
  terms: TierTerms
  quotas: Quotas
  /** Why the call is refused; null if it is admitted. */
  refusal: RateLimitedError | null
  /** Call it when the call ends; it has no effect for a refused call or one that cannot be billed. */
  settle: Settle
}

/** Number of decisions so far, by outcome. */
export interface DecisionCounts {
  admitted: number
  refused_minute: number
  refused_month: number
  invalid_key: number
  /** Answered 503 because Redis could not be reached. */
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
 * The gate that every call with a credential passes. It decides in one step on the credential, the limit per sliding minute
 * and the limit per calendar month. `LocalGate` decides in this process, `DistributedGate` for all processes of an
 * installation.
 */
export interface Gate {
  readonly decisions: DecisionCounts
  /**
   * Decides on one call. `billable`: whether the call counts against the month if it succeeds.
   * @throws HoldshortError INVALID_API_KEY for a malformed, unknown, expired or revoked credential; GATE_UNAVAILABLE when
   * no decision is possible at the moment.
   */
  admit: (presented: string, now: number, billable: boolean) => Admission | Promise<Admission>
  /** Writes counted usage to the state; to be called about once a second, and before the process ends. */
  flush: (now: number) => Promise<void>
}

/** How long an overview of an account waits until the calls of the last second are written. */
const FLUSH_WAIT_MS = 250

/**
 * Writes counted usage before it is shown; a write that waits for the disk or a lock goes on by itself. What cannot be
 * written yet is missing from the overview and stays counted.
 */
export async function flushForReading(gate: Gate, now: number): Promise<void> {
  const flushing = gate.flush(now).catch((error) => {
    if (!isStateFault(error)) throw error
  })
  await Promise.race([flushing, wait(FLUSH_WAIT_MS, undefined, { ref: false })])
}

const INVALID_KEYS = { malformed: 'the API key is malformed', unknown: 'the API key is unknown or has been revoked' }

/** Counts a credential that is not valid. */
export function invalidKey(decisions: DecisionCounts, why: keyof typeof INVALID_KEYS): HoldshortError {
  decisions.invalid_key++
  return new HoldshortError('INVALID_API_KEY', INVALID_KEYS[why])
}

export const SETTLE_NOTHING: Settle = () => undefined

/** Counts a decision on a valid credential: admitted, or refused by the limit per minute or per month. */
export function admissionOf(
  decisions: DecisionCounts,
  outcome: 'admitted' | 'minute' | 'month',
  { caller, terms, quotas, settle }: Omit<Admission, 'refusal'>,
  now: number,
): Admission {
  decisions[outcome === 'admitted' ? outcome : (`refused_${outcome}` as const)]++
  return { caller, terms, quotas, refusal: refusalOf(outcome, quotas, terms, now), settle }
}

function refusalOf(
  outcome: 'admitted' | 'minute' | 'month',
  { minute }: Quotas,
  { calls_per_month }: TierTerms,
  now: number,
): RateLimitedError | null {
  if (outcome === 'admitted') return null
  if (outcome === 'month') {
    const message = `all ${calls_per_month} calls of this month are used; the next month begins ${isoUtc(monthEnd(now))}`
    return new RateLimitedError(outcome, Math.ceil((monthEnd(now) - now) / 1000), message)
  }
  const message = `more than ${minute.limit} requests in a minute; wait ${minute.reset_seconds} s`
  return new RateLimitedError(outcome, minute.reset_seconds, message)
}

/** The quota of a month; null if calls beyond the limit are metered. */
export function monthQuota(terms: TierTerms, used: () => number, now: number): Quotas['month'] {
  if (terms.overage_usd_per_1000 !== null) return null
  const limit = terms.calls_per_month
  return { limit, remaining: Math.max(0, limit - used()), reset_seconds: Math.ceil((monthEnd(now) - now) / 1000) }
}
