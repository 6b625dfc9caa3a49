import { schengenState } from '../../../config/reference/schengen-airports.ts'
import { dayNumber } from './days.ts'

/**
 * Whether a day in a country counts as a day of stay. Where the facts have no first day of counting, the country has been in
 * since before any window that can still matter.
 */
export function countsAsStay(country: string, day: number): boolean {
  const state = schengenState(country)
  if (!state?.member) return false
  return state.days_count_from === null || day >= dayNumber(state.days_count_from)
}
