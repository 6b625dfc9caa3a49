import type { TierTerms } from '../../config/tiers.ts'

/** Calls beyond the month's that are paid for, and their price: each call pro rata, the sum rounded to the cent. */
export interface Overage {
  overage_calls: number
  overage_usd: number
}

/** What the calls of an account's month come to beyond its plan; nothing on tiers that are refused further calls. */
export function overageOf(calls: number, terms: Pick<TierTerms, 'calls_per_month' | 'overage_usd_per_1000'>): Overage {
  const { calls_per_month, overage_usd_per_1000 } = terms
  if (overage_usd_per_1000 === null) return { overage_calls: 0, overage_usd: 0 }
  const overage_calls = Math.max(0, calls - calls_per_month)
  // In whole cents until the last step: binary fractions of a dollar would not add up.
  const cents = Math.round((overage_calls * Math.round(overage_usd_per_1000 * 100)) / 1_000)
  return { overage_calls, overage_usd: cents / 100 }
}
