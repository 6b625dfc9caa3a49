/** Conversions into the units of our columns, rounded to what a report can mean; null for what is no number. */

const rounded = (value: number, digits: number) => (Number.isFinite(value) ? Number(value.toFixed(digits)) : null)

const KNOTS_PER: Record<string, number> = { KT: 1, MPS: 3_600 / 1_852, 'KM/H': 1 / 1.852 }

/** Speed in knots; null for an unknown unit. */
export function knots(value: number | undefined, unit: string): number | null {
  const factor = KNOTS_PER[unit]
  return value === undefined || factor === undefined ? null : rounded(value * factor, 1)
}

/** Distance in statute miles. */
export function statuteMiles(value: number, unit: 'm' | 'SM'): number | null {
  return rounded(unit === 'm' ? value / 1_609.344 : value, 2)
}

/** Pressure in hectopascal. */
export function hectopascal(value: number, unit: 'inHg' | 'hPa'): number | null {
  return rounded(unit === 'inHg' ? value * 33.8639 : value, 1)
}

/** The number itself, or null when there is none. */
export function finite(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : value
}
