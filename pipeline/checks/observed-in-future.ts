import { CLOCK_AHEAD_MS } from '../../config/domain.ts'
import { rowCheck } from './define.ts'

/** A reading cannot be of a moment after we asked; a clock is often wrong by exactly an hour after a change of the clocks. */
export const observedInFuture = rowCheck('observed_in_future', (row, context) => {
  const ahead = Date.parse(row.observed_at) - Date.parse(context.fetched_at)
  if (ahead <= CLOCK_AHEAD_MS) return null
  return { message: `Observed ${Math.round(ahead / 60_000)} min after it was fetched.`, value: row.observed_at }
})
