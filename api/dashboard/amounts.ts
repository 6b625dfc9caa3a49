import type { TierTerms } from '../../config/tiers.ts'

/** A whole number as people read it: 12,345. */
export const counted = (number: number) => number.toLocaleString('en')

/** An amount in the smallest unit of its currency (ISO 4217): USD 99.00, JPY 1,200. */
export function amount(units: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' })
  return format.format(units / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** What calls beyond the month's cost in US cents, rounded once, half up, as an invoice does. */
export function overageCents({ overage_usd_per_1000 }: TierTerms, overageCalls: number): number {
  // USD per 1,000 calls are thousandths of a dollar per call: ten to a cent.
  return Math.round((overageCalls * (overage_usd_per_1000 ?? 0)) / 10)
}
