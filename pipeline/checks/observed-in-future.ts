import { rowCheck } from './check.ts'

/** Clocks differ; beyond this, a source's clock is wrong, often by exactly an hour after a change of the clocks. */
const TOLERANCE_MS = 2 * 60_000

/** A reading cannot be of a moment after we asked. */
export const observedInFuture = rowCheck('observed_in_future', (row, context) => {
  const ahead = Date.parse(row.observed_at) - Date.parse(context.fetched_at)
  if (ahead <= TOLERANCE_MS) return null
  return { message: `Observed ${Math.round(ahead / 60_000)} min after it was fetched.`, value: row.observed_at }
})
