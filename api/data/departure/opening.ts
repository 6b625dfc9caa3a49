import type { Airport } from '../../../config/airports/directory.ts'
import { HOUR_MS } from '../../../config/domain.ts'
import type { Snapshot } from '../../../warehouse/serving/snapshot/snapshot.ts'

/** Whether security is open, by hour. */
export interface Opening {
  probability: (instant: number) => number
  /** The beginning of the next hour, when somebody who waits tries again. */
  next: (instant: number) => number
}

/** The opening hours of security at an airport or terminal; null where they are not known. */
export function openingAt(
  _snapshot: Snapshot,
  _airport: Airport,
  _terminal: string | null,
  _now: number,
): Opening | null {
  return null
}

/** The beginning of the hour after an instant. */
export const nextHour = (instant: number) => (Math.floor(instant / HOUR_MS) + 1) * HOUR_MS
