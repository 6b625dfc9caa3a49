import { CLOCK_AHEAD_MS, DAY_MS } from '../../config/domain.ts'
import type { QueueWait } from '../../config/facts.ts'
import type { LiveRequest } from '../../jobs/calls/live.ts'
import { latestReadings, queueWait } from '../../warehouse/serving/waits/queue-wait.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'

/** Older readings say nothing useful about the queue. */
const DAYS_BACK = 30
/** `latestReadings` accepts readings up to this far ahead of its clock; one second is left for fractions. */
const AHEAD_MS = CLOCK_AHEAD_MS - 1_000

/**
 * The newest usable wait of these sources, however old: its age and freshness (`expired` beyond six hours) tell how far to trust
 * it. Null when the last 30 days have none.
 */
export async function lastKnown(
  warehouse: Warehouse,
  request: LiveRequest,
  sources: readonly string[],
  now: number,
): Promise<QueueWait | null> {
  const newestBySource = await warehouse.query<{ source: string; last_at: string }>(
    `SELECT source, max(observed_at) AS last_at FROM readings
     WHERE date >= $day AND observed_at <= $to::TIMESTAMPTZ AND kind = $kind AND iata = $iata AND len(flags) = 0
       AND lane IN ('standard', 'all') AND status <> 'closed'
       AND coalesce(wait_minutes, wait_minutes_low, wait_minutes_high) IS NOT NULL
     GROUP BY source ORDER BY last_at DESC`,
    {
      day: new Date(now - DAYS_BACK * DAY_MS).toISOString().slice(0, 10),
      to: new Date(now).toISOString(),
      kind: request.kind,
      iata: request.iata,
    },
  )
  const newest = newestBySource.find(({ source }) => sources.includes(source))
  if (!newest) return null
  const readings = await latestReadings(warehouse, Date.parse(newest.last_at) - AHEAD_MS, request.iata)
  return queueWait(
    readings.filter(({ source, kind }) => source === newest.source && kind === request.kind),
    now,
  )
}
