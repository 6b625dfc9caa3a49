import { HOUR_MS, isoUtc } from '../../config/domain.ts'
import type { Source } from '../../config/sources.ts'
import type { LatestReading } from '../../warehouse/serving/waits/choice-of-source.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { type CheckContext, type LanesByAirport, type RecentReading, seriesKey } from '../checks/index.ts'

const RECENT_HOURS = 6
/** What other sources said longer ago is not fresh, so nothing can disagree with it. */
const OTHERS_HOURS = 1

const COLUMNS =
  'source, kind, iata, terminal, checkpoint, lane, observed_at, wait_minutes, wait_minutes_low, wait_minutes_high, status'

/** Earlier readings by `seriesKey`, oldest first. */
export type RecentBySeries = Map<string, RecentReading[]>

/** What the checks compare a capture with. */
export type KnownBefore = Pick<CheckContext, 'recent' | 'others' | 'lanes_before'>

/** For what lands no readings: nothing is compared. */
export const NOTHING_KNOWN: KnownBefore = { recent: new Map(), others: [], lanes_before: new Map() }

/**
 * What a source itself said in the last hours, by series and oldest first, and what others say of these airports now: one
 * query, because it is asked at every capture.
 */
export async function recentReadings(
  warehouse: Warehouse,
  source: string,
  airports: readonly string[],
  now: number,
): Promise<{ recent: RecentBySeries; others: LatestReading[] }> {
  const from = isoUtc(now - RECENT_HOURS * HOUR_MS)
  const others_from = isoUtc(now - OTHERS_HOURS * HOUR_MS)
  const rows = await warehouse.query<LatestReading & { flagged: boolean }>(
    `SELECT ${COLUMNS}, len(flags) > 0 AS flagged FROM readings WHERE date >= $day AND (source = $source AND observed_at > $from::TIMESTAMPTZ
       OR source <> $source AND iata IN (SELECT unnest(string_split($airports, ' ')))
         AND observed_at > $others_from::TIMESTAMPTZ AND len(flags) = 0)
     ORDER BY observed_at`,
    { day: from.slice(0, 10), source, from, others_from, airports: airports.join(' ') },
  )
  const recent: RecentBySeries = new Map()
  for (const row of rows) if (row.source === source) remember(recent, row, row.flagged)
  return { recent, others: newestLanes(rows.filter((row) => row.source !== source)) }
}

/** Unflagged readings of some days' stretch (epoch ms), in the order of time, with when each could first be known. */
export function readingsBetween(warehouse: Warehouse, from: number, to: number): Promise<OfferedReading[]> {
  const start = isoUtc(from - OTHERS_HOURS * HOUR_MS)
  return warehouse.query<OfferedReading>(
    `SELECT ${COLUMNS}, available_at FROM readings WHERE date >= $day AND observed_at > $start::TIMESTAMPTZ
       AND available_at <= $end::TIMESTAMPTZ AND len(flags) = 0 ORDER BY observed_at`,
    { day: start.slice(0, 10), start, end: isoUtc(to) },
  )
}

export type OfferedReading = LatestReading & { available_at: string }

/** What other sources had said of some airports by an instant, of readings in the order of time: as `recentReadings` gives it. */
export function othersAt(
  readings: readonly OfferedReading[],
  source: string,
  airports: readonly string[],
  instant: string,
): LatestReading[] {
  const from = Date.parse(instant) - OTHERS_HOURS * HOUR_MS
  return newestLanes(
    readings.filter(
      (row) =>
        row.source !== source &&
        airports.includes(row.iata) &&
        Date.parse(row.available_at) < Date.parse(instant) &&
        Date.parse(row.observed_at) > from,
    ),
  )
}

/** Adds a reading to its series, which it returns. */
export function remember(
  recent: RecentBySeries,
  row: Omit<LatestReading, 'source'>,
  flagged: boolean,
): RecentReading[] {
  const series = recent.get(seriesKey(row)) ?? []
  series.push({ observed_at: row.observed_at, wait_minutes: row.wait_minutes, flagged })
  recent.set(seriesKey(row), series)
  return series
}

/** The last of each source's lane, of readings in the order of time. */
export function newestLanes(readings: readonly LatestReading[]): LatestReading[] {
  return [...new Map(readings.map((row) => [`${row.source} ${seriesKey(row)}`, row])).values()]
}

/** The airports that a request asks for: its own, or all of its source. */
export const airportsOf = (source: Source, iata: string | null): readonly string[] =>
  iata === null ? source.airports : [iata]

/** The lanes of a capture by airport asked for; an airport that it says nothing of has none. */
export function lanesOf(rows: readonly ParsedReading[], airports: readonly string[]): LanesByAirport {
  const at = (iata: string) => rows.filter((row) => row.iata === iata).map(seriesKey)
  return new Map(airports.map((iata) => [iata, new Set(at(iata))]))
}
