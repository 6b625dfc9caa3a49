import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { type CheckContext, type RecentReading, seriesKey } from '../checks/index.ts'

/**
 * The rows with a time at which their figures can have been observed. A source whose clock stands still, or tells when it last measured
 * while a lane opens and closes, gives several figures one time: a figure that differs from the last one at that time is newer than it, so
 * it has the time of the fetch. Otherwise it would count as the earlier row, and never land. Known are the readings of the last hours
 * (`recentReadings`): after a longer stand the row keeps the time of the source, and so its age.
 */
export function withTimeOfChange(
  rows: readonly ParsedReading[],
  { source, recent, fetched_at }: Pick<CheckContext, 'source' | 'recent' | 'fetched_at'>,
): ParsedReading[] {
  if (source.timeliness === 'history') return [...rows]
  return rows.map((row) => {
    const earlier = recent.get(seriesKey(row)) ?? []
    const last = lastAtOrAfter(row, earlier)
    if (row.observed_at_basis !== 'source' || last === null) return row
    // A later time of the source is that of a later figure: this row is of an older copy of the page.
    if (earlier.some((reading) => isOfSource(reading) && reading.observed_at > row.observed_at)) return row
    const { observed_at, observed_at_basis } = last
    if (isSameFigure(row, last)) return { ...row, observed_at, observed_at_basis: observed_at_basis ?? 'source' }
    return { ...row, observed_at: fetched_at, observed_at_basis: 'fetch' }
  })
}

const isOfSource = ({ observed_at_basis }: RecentReading) => (observed_at_basis ?? 'source') === 'source'

/** The newest earlier reading, if it is not older than the row. */
function lastAtOrAfter(row: ParsedReading, earlier: readonly RecentReading[]): RecentReading | null {
  let last: RecentReading | null = null
  for (const reading of earlier) if (reading.observed_at >= (last?.observed_at ?? row.observed_at)) last = reading
  return last
}

const FIGURE = ['status', 'wait_minutes', 'wait_minutes_low', 'wait_minutes_high'] as const

const isSameFigure = (row: ParsedReading, earlier: RecentReading) =>
  FIGURE.every((name) => (row[name] ?? null) === (earlier[name] ?? null))
