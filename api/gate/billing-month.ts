import type { TierTerms } from '../../config/tiers.ts'

/** The calendar month of an instant, in UTC: YYYY-MM. */
export const monthOf = (now: number) => new Date(now).toISOString().slice(0, 7)

/** The calendar month before the one of an instant, in UTC: YYYY-MM. */
export function monthBefore(now: number): string {
  const date = new Date(now)
  return monthOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1))
}

/** First instant after the month of `now`, in UTC. */
export function monthEnd(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/** Calls beyond the monthly limit and their price: each call pro rata, the sum rounded to the cent. */
export interface Overage {
  overage_calls: number
  overage_usd: number
}

/** The overage of an account's month; zero on tiers that refuse calls beyond the limit. */
export function overageOf(calls: number, terms: Pick<TierTerms, 'calls_per_month' | 'overage_usd_per_1000'>): Overage {
  const { calls_per_month, overage_usd_per_1000 } = terms
  if (overage_usd_per_1000 === null) return { overage_calls: 0, overage_usd: 0 }
  const overage_calls = Math.max(0, calls - calls_per_month)
  return { overage_calls, overage_usd: overageCents(terms, overage_calls) / 100 }
}

/** The price of overage calls in whole US cents, because sums of binary fractions of a dollar are not exact. */
export function overageCents(
  { overage_usd_per_1000 }: Pick<TierTerms, 'overage_usd_per_1000'>,
  overageCalls: number,
): number {
  return Math.round((overageCalls * Math.round((overage_usd_per_1000 ?? 0) * 100)) / 1_000)
}
