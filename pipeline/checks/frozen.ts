import { HOUR_MS } from '../../config/domain.ts'
import { type RecentReading, rowCheck, seriesKey } from './define.ts'

/** A source that repeats one reading for this long has stopped measuring. */
const REPEATED_MS = 2 * HOUR_MS
/** A live queue does not stay at the same number of minutes for this long. */
const CONSTANT_MS = 4 * HOUR_MS
/** Up to here it does, all night: feeds have floors of 1 to 5 minutes (ARN, DUB 2022; EWR, JFK 2026). */
const QUIET_MINUTES = 5
const ENOUGH = 8

/** A live source that keeps answering with an old reading, or never moves from one value above a quiet queue's. */
export const frozen = rowCheck('frozen', (row, context) => {
  if (context.source.timeliness === 'history' || row.wait_minutes === null) return null
  const value = row.wait_minutes
  const recent = context.recent.get(seriesKey(row)) ?? []
  const repeated = recent.some((earlier) => earlier.observed_at === row.observed_at && earlier.wait_minutes === value)
  const age = Date.parse(context.fetched_at) - Date.parse(row.observed_at)
  if (row.observed_at_basis === 'source' && repeated && age > REPEATED_MS)
    return { message: `The same reading for ${(age / HOUR_MS).toFixed(1)} hours.`, value: row.observed_at }
  const run = constantRun(recent, value, row.observed_at)
  if (value <= QUIET_MINUTES || run.readings < ENOUGH || run.span_ms < CONSTANT_MS) return null
  return { message: `The same wait for ${(run.span_ms / HOUR_MS).toFixed(1)} hours.`, value }
})

/** How long, and how often, the series said the same value without a break before `until`. */
function constantRun(recent: readonly RecentReading[], value: number, until: string) {
  const earlier = recent
    .filter((reading) => reading.observed_at < until)
    .toSorted((a, b) => (a.observed_at < b.observed_at ? 1 : -1))
  const broken = earlier.findIndex((reading) => reading.wait_minutes !== value)
  const same = broken === -1 ? earlier : earlier.slice(0, broken)
  const first = same.at(-1)?.observed_at ?? until
  return { readings: same.length, span_ms: Date.parse(until) - Date.parse(first) }
}
