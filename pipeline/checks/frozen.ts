import { HOUR_MS } from '../../config/vocabulary.ts'
import { minutesOf } from '../../warehouse/publishing/waits/queue-wait.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { type RecentReading, rowCheck, seriesKey } from './define-check.ts'

/** A source that repeats one reading for this long has stopped measuring. */
const MAX_REPEATED_MS = 2 * HOUR_MS
/** A real queue does not stay at the same number of minutes for this long. */
const MAX_CONSTANT_MS = 4 * HOUR_MS
/** A wait up to this may stay constant all night: feeds have floors of 1 to 5 minutes (ARN, DUB 2022; EWR, JFK 2026). */
const QUIET_MINUTES = 5
const MIN_READINGS = 8

/** Flags a live source that repeats an old reading, or stays at one value above that of a quiet queue. */
export const frozen = rowCheck('frozen', (row, context) => {
  if (context.source.timeliness === 'history') return null
  const recent = context.recent.get(seriesKey(row)) ?? []
  if (standsSinceYesterday(row, recent, context.day_before.get(seriesKey(row)) ?? []))
    return {
      message: 'The same reading at the same time of day as a day before, and none since.',
      value: row.observed_at,
    }
  if (row.wait_minutes === null) return null
  const value = row.wait_minutes
  const repeated = recent.some((earlier) => earlier.observed_at === row.observed_at && earlier.wait_minutes === value)
  const age = Date.parse(context.fetched_at) - Date.parse(row.observed_at)
  if (row.observed_at_basis === 'source' && repeated && age > MAX_REPEATED_MS)
    return { message: `The same reading for ${(age / HOUR_MS).toFixed(1)} hours.`, value: row.observed_at }
  const run = constantRun(recent, value, row.observed_at)
  if (value <= QUIET_MINUTES || run.readings < MIN_READINGS || run.span_ms < MAX_CONSTANT_MS) return null
  return { message: `The same wait for ${(run.span_ms / HOUR_MS).toFixed(1)} hours.`, value }
})

/** By how many hours the same time of the next day is later: a change to or from summer time may lie between. */
export const DAY_HOURS = [23, 24, 25]

/**
 * Whether a reading is that of the day before, of a source that gives times of day without dates and stands still: the time that was
 * yesterday's until now is read as today's.
 */
function standsSinceYesterday(
  row: ParsedReading,
  recent: readonly RecentReading[],
  dayBefore: readonly RecentReading[],
): boolean {
  const { observed_at, observed_at_basis } = row
  if (observed_at_basis !== 'source') return false
  const earlier = [...recent, ...dayBefore].filter((reading) => reading.observed_at < observed_at)
  const [first, ...others] = earlier
  if (first === undefined) return false
  const newest = others.reduce((a, b) => (a.observed_at >= b.observed_at ? a : b), first)
  const hours = (Date.parse(observed_at) - Date.parse(newest.observed_at)) / HOUR_MS
  return minutesOf(newest) === minutesOf(row) && DAY_HOURS.includes(hours)
}

/** The uninterrupted readings of the same value before `until`: their number and time span. */
function constantRun(recent: readonly RecentReading[], value: number, until: string) {
  const earlier = recent
    .filter((reading) => reading.observed_at < until)
    .toSorted((a, b) => (a.observed_at < b.observed_at ? 1 : -1))
  const broken = earlier.findIndex((reading) => reading.wait_minutes !== value)
  const same = broken === -1 ? earlier : earlier.slice(0, broken)
  const first = same.at(-1)?.observed_at ?? until
  return { readings: same.length, span_ms: Date.parse(until) - Date.parse(first) }
}
