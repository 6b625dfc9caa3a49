/** A whole number as people read it: 12,345. */
export const counted = (number: number) => number.toLocaleString('en')

/** An amount in the smallest unit of its currency (ISO 4217): USD 99.00, JPY 1,200. */
export function amount(units: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' })
  return format.format(units / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}
