import { getOrCreate } from '../../config/once.ts'
import { CROWD_SOURCE } from '../../config/publishers.ts'
import type { Source } from '../../config/sources.ts'
import { CLOCK_AHEAD_MS, HOUR_MS, isoUtc, utcDayOf } from '../../config/vocabulary.ts'
import type { LatestReading } from '../../warehouse/publishing/waits/queue-wait.ts'
import { instantSql } from '../../warehouse/storage/sql.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { type CheckContext, DAY_HOURS, type LanesByAirport, type RecentReading, seriesKey } from '../checks/index.ts'

const RECENT_HOURS = 6
/** Older readings of other sources are not fresh, so the checks do not compare with them. */
const OTHERS_HOURS = 1

const COLUMNS =
  'source, kind, iata, terminal, checkpoint, lane, observed_at, observed_at_basis, wait_minutes, wait_minutes_low, wait_minutes_high, status'

/** A reading with the basis of its time. */
type BasedReading = LatestReading & Pick<ParsedReading, 'observed_at_basis'>

/** Earlier readings by `seriesKey`, oldest first. */
export type RecentBySeries = Map<string, RecentReading[]>

/** The earlier readings that the checks compare a capture with. */
export type EarlierReadings = Pick<CheckContext, 'recent' | 'day_before' | 'others' | 'lanes_before'>

/** Other tables than `readings` have no checks. */
export const NO_EARLIER_READINGS: EarlierReadings = {
  recent: new Map(),
  day_before: new Map(),
  others: [],
  lanes_before: new Map(),
}

/**
 * The readings of a source in the last hours by series, and the newest readings of other sources for these airports. One query,
 * because it runs for every capture. What is later than now was observed while the clock was ahead. Travellers confirm and contradict no feed.
 */
export async function recentReadings(
  warehouse: Warehouse,
  source: string,
  airports: readonly string[],
  now: number,
): Promise<{ recent: RecentBySeries; others: LatestReading[] }> {
  const from = isoUtc(now - RECENT_HOURS * HOUR_MS)
  const others_from = isoUtc(now - OTHERS_HOURS * HOUR_MS)
  const day = from.slice(0, 10)
  const rows = await warehouse.query<BasedReading & { flagged: boolean }>(
    `SELECT ${COLUMNS}, len(flags) > 0 AS flagged FROM readings
     WHERE date >= $day AND observed_at <= $to::TIMESTAMPTZ AND (source = $source AND observed_at > $from::TIMESTAMPTZ
       OR source NOT IN ($source, '${CROWD_SOURCE}') AND iata IN (SELECT unnest(string_split($airports, ' ')))
         AND observed_at > $others_from::TIMESTAMPTZ AND len(flags) = 0)
     ORDER BY observed_at`,
    { day, source, from, to: isoUtc(now + CLOCK_AHEAD_MS), others_from, airports: airports.join(' ') },
  )
  const recent: RecentBySeries = new Map()
  for (const row of rows) if (row.source === source) addToSeries(recent, row, row.flagged)
  return { recent, others: newestPerLane(rows.filter((row) => row.source !== source)) }
}

/**
 * The readings of a source from the same time of the day before on, by series, for rows with a time of the source that no recent reading
 * precedes; an airport that is collected every few minutes has none, so that nothing is read.
 */
export async function readingsDayBefore(
  warehouse: Warehouse,
  source: string,
  rows: readonly ParsedReading[],
  recent: RecentBySeries,
): Promise<RecentBySeries> {
  const isFirst = (row: ParsedReading) =>
    row.observed_at_basis === 'source' &&
    !recent.get(seriesKey(row))?.some(({ observed_at }) => observed_at < row.observed_at)
  const times = rows.filter(isFirst).map(({ observed_at }) => Date.parse(observed_at))
  if (times.length === 0) return new Map()
  return readingsSince(warehouse, source, Math.min(...times) - A_DAY_MS)
}

/** The readings of a source in the day before one of its captures: what the checks compare that capture with. */
export const readingsBefore = (
  warehouse: Warehouse,
  { source, fetched_at }: { source: string; fetched_at: string },
): Promise<RecentBySeries> => readingsSince(warehouse, source, Date.parse(fetched_at) - A_DAY_MS, fetched_at)

/** The longest day between two equal times of a clock. */
const A_DAY_MS = Math.max(...DAY_HOURS) * HOUR_MS

/** The readings of a source from an instant on (epoch ms), by series; those alone that were fetched before another, if that is given. */
async function readingsSince(
  warehouse: Warehouse,
  source: string,
  from: number,
  fetchedBefore?: string,
): Promise<RecentBySeries> {
  const until = fetchedBefore === undefined ? '' : `AND fetched_at < ${instantSql(Date.parse(fetchedBefore))}`
  const rows = await warehouse.query<BasedReading & { flagged: boolean }>(
    `SELECT ${COLUMNS}, len(flags) > 0 AS flagged FROM readings
     WHERE date >= $day AND source = $source AND observed_at >= ${instantSql(from)} ${until} ORDER BY observed_at`,
    { day: utcDayOf(from), source },
  )
  const bySeries: RecentBySeries = new Map()
  for (const row of rows) addToSeries(bySeries, row, row.flagged)
  return bySeries
}

/** A reading with the instant at which it could first be known. */
export type AvailableReading = LatestReading & { available_at: string }

/** Unflagged readings of all sources but travellers between two instants (epoch ms), ordered by time. */
export function readingsBetween(warehouse: Warehouse, from: number, to: number): Promise<AvailableReading[]> {
  const start = isoUtc(from - OTHERS_HOURS * HOUR_MS)
  return warehouse.query<AvailableReading>(
    `SELECT ${COLUMNS}, available_at FROM readings WHERE date >= $day AND observed_at > $start::TIMESTAMPTZ
       AND available_at <= $end::TIMESTAMPTZ AND len(flags) = 0 AND source <> '${CROWD_SOURCE}' ORDER BY observed_at`,
    { day: start.slice(0, 10), start, end: isoUtc(to) },
  )
}

/** The value of `others` of `recentReadings` at an earlier instant, computed from readings that are ordered by time. */
export function otherSourcesAt(
  available: readonly AvailableReading[],
  source: string,
  airports: readonly string[],
  instant: string,
): LatestReading[] {
  const from = Date.parse(instant) - OTHERS_HOURS * HOUR_MS
  return newestPerLane(
    available.filter(
      (row) =>
        row.source !== source &&
        airports.includes(row.iata) &&
        Date.parse(row.available_at) < Date.parse(instant) &&
        Date.parse(row.observed_at) > from,
    ),
  )
}

/** Adds a reading to its series, and returns the series. */
export function addToSeries(
  recent: RecentBySeries,
  row: Omit<BasedReading, 'source'>,
  flagged: boolean,
): RecentReading[] {
  const series = getOrCreate(recent, seriesKey(row), () => [])
  const { observed_at, observed_at_basis, status, wait_minutes, wait_minutes_low, wait_minutes_high } = row
  series.push({ observed_at, observed_at_basis, status, wait_minutes, wait_minutes_low, wait_minutes_high, flagged })
  return series
}

/** The newest reading of each lane of each source, from readings that are ordered by time. */
function newestPerLane(rows: readonly LatestReading[]): LatestReading[] {
  return [...new Map(rows.map((row) => [`${row.source} ${seriesKey(row)}`, row])).values()]
}

/** The airports that a request covers: its own, or all airports of its source. */
export const airportsOfRequest = (source: Source, iata: string | null): readonly string[] =>
  iata === null ? source.airports : [iata]

/** The lanes of a capture by requested airport; an airport without rows has an empty set. */
export function lanesByAirport(rows: readonly ParsedReading[], airports: readonly string[]): LanesByAirport {
  const lanesAt = (iata: string) => rows.filter((row) => row.iata === iata).map(seriesKey)
  return new Map(airports.map((iata) => [iata, new Set(lanesAt(iata))]))
}
