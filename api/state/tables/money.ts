import type { Tier } from '../../../config/domain.ts'

/** A tier that the operator has given an account, until a day or for good. */
export interface GrantRow {
  id: string
  account_id: string
  tier: Tier
  granted_at: string
  /** First instant it no longer holds; null for good. */
  until: string | null
  ended_at: string | null
  note: string | null
}

/** An account as a customer of Stripe, and what Stripe last said of its subscription. */
export interface SubscriptionRow {
  account_id: string
  customer_id: string
  subscription_id: string | null
  /** Tier of the price subscribed to. */
  tier: Tier | null
  /** In Stripe's words: active, past_due, unpaid, canceled, …; `none` before the first one. */
  status: string
  current_period_end: string | null
  cancel_at_period_end: number
  /** When it was read from Stripe. Grows with each write; only who has read Stripe since the last one may write. */
  as_of: string
  /** The checkout session that may be paid, or the mark of one being opened: there is never a second one. */
  checkout: string | null
}

/** One invoice, for the owner to find. */
export interface InvoiceRow {
  id: string
  account_id: string
  number: string | null
  issued_at: string
  amount_cents: number
  currency: string
  status: string
  hosted_url: string | null
  as_of: string
}

/** One event of Stripe that has been worked off: it comes again, and then changes nothing. */
export interface StripeEventRow {
  id: string
  type: string
  created_at: string
  received_at: string
}

/** Overage of an account's month (YYYY-MM, UTC), as far as Stripe has been told of it. */
export interface OverageReportRow {
  account_id: string
  month: string
  /** Calls beyond those included that Stripe has been told of. */
  calls: number
  /** Calls of the month that cost nothing extra: those of the highest plan in it, or those made before it was bought. */
  included_calls: number
  /** What `calls` will be once Stripe has taken what it is being told; null when it is told nothing. */
  telling: number | null
  telling_since: string | null
}
