import { HOUR_MS } from '../../../config/domain.ts'

/** A stretch of time in the largest whole unit: 40 s, 12 min, 3 h, 2 days. */
export function inWords(milliseconds: number): string {
  const units: [number, string][] = [
    [48 * HOUR_MS, 'days'],
    [HOUR_MS, 'h'],
    [60_000, 'min'],
  ]
  for (const [least, unit] of units) {
    const size = unit === 'days' ? 24 * HOUR_MS : least
    if (milliseconds >= least) return `${Math.floor(milliseconds / size)} ${unit}`
  }
  return `${Math.max(0, Math.round(milliseconds / 1_000))} s`
}
