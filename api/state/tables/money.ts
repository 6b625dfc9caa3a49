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

/** What Stripe last said of an account's subscription. */
export interface SubscriptionRow {
  account_id: string
  customer_id: string
  subscription_id: string | null
  /** Tier of the price subscribed to. */
  tier: Tier | null
  /** In Stripe's words: active, past_due, unpaid, canceled, … */
  status: string
  current_period_end: string | null
  cancel_at_period_end: number
  /** When Stripe made the event that this is from: older ones change nothing. */
  as_of: string
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

/** Overage of an account's month that Stripe has been told of. */
export interface OverageReportRow {
  account_id: string
  month: string
  calls: number
}
