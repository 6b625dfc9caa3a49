import { CLOCK_AHEAD_MS } from '../../config/vocabulary.ts'
import { rowCheck } from './define-check.ts'

/** Flags readings observed after they were fetched. After a change to or from summer time, a source's clock is often an hour wrong. */
export const observedInFuture = rowCheck('observed_in_future', (row, context) => {
  const ahead = Date.parse(row.observed_at) - Date.parse(context.fetched_at)
  if (ahead <= CLOCK_AHEAD_MS) return null
  return { message: `Observed ${Math.round(ahead / 60_000)} min after it was fetched.`, value: row.observed_at }
})
