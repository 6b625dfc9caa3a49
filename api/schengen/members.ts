import { SCHENGEN_STATES, type SchengenState } from '../../config/reference/schengen.ts'
import { dayNumber } from './days.ts'

/** What the facts say of a country; undefined for one that they do not name, which is not in the area. */
export const schengenState = (country: string): SchengenState | undefined =>
  SCHENGEN_STATES.rows().find((state) => state.country === country)

/**
 * Whether a day in a country counts as a day of stay. Where the facts have no first day of counting, the country has been in
 * since before any window that can still matter.
 */
export function countsAsStay(country: string, day: number): boolean {
  const state = schengenState(country)
  if (!state?.member) return false
  return state.days_count_from === null || day >= dayNumber(state.days_count_from)
}
