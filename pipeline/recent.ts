import type { ParsedReading } from '../warehouse/tables/readings.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { type RecentReading, seriesKey } from './checks/index.ts'

const RECENT_HOURS = 6

/** Earlier readings by `seriesKey`, oldest first. */
export type RecentBySeries = Map<string, RecentReading[]>

type Queue = Pick<ParsedReading, 'iata' | 'kind' | 'terminal' | 'checkpoint' | 'lane'>

/** A source's readings of the last hours by series, oldest first: what the checks compare with. */
export async function recentReadings(warehouse: Warehouse, source: string, now: number): Promise<RecentBySeries> {
  const from = new Date(now - RECENT_HOURS * 3_600_000).toISOString()
  const rows = await warehouse.query<Queue & RecentReading>(
    `SELECT iata, kind, terminal, checkpoint, lane, observed_at, wait_minutes FROM readings
     WHERE date >= $day AND source = $source AND observed_at > $from::TIMESTAMPTZ ORDER BY observed_at`,
    { day: from.slice(0, 10), source, from },
  )
  const series: RecentBySeries = new Map()
  for (const { observed_at, wait_minutes, ...queue } of rows) {
    const key = seriesKey(queue)
    const known = series.get(key) ?? []
    known.push({ observed_at, wait_minutes })
    series.set(key, known)
  }
  return series
}
