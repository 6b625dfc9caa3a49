import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../config/vocabulary.ts'

/** A duration in the largest whole unit: 40 s, 12 min, 3 h, 2 days. */
export function durationText(milliseconds: number): string {
  if (milliseconds >= 2 * DAY_MS) return `${Math.floor(milliseconds / DAY_MS)} days`
  if (milliseconds >= HOUR_MS) return `${Math.floor(milliseconds / HOUR_MS)} h`
  if (milliseconds >= MINUTE_MS) return `${Math.floor(milliseconds / MINUTE_MS)} min`
  return `${Math.max(0, Math.round(milliseconds / 1_000))} s`
}
