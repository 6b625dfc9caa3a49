import type { QueueWait } from '../../config/answer-schemas.ts'
import { basisOf } from '../../config/publishers.ts'
import { ageOf, CLOCK_AHEAD_MS, DAY_MS, utcDayOf } from '../../config/vocabulary.ts'
import type { LiveRequest } from '../../jobs/calls/live.ts'
import { latestReadings, observedStatus, queueWait } from '../../warehouse/publishing/waits/queue-wait.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'

/** Older readings say nothing useful about the queue. */
const DAYS_BACK = 30
/** `latestReadings` accepts readings up to this far ahead of its clock; one second is left for fractions. */
const AHEAD_MS = CLOCK_AHEAD_MS - 1_000

/**
 * The newest usable wait or closure of a queue, however old: its age and freshness (`expired` beyond six hours) tell how far to
 * trust it. The requested sources come first, then any other source, then the newest hour of the history, whose readings may
 * have been deleted. Null when the last 30 days have none.
 */
export async function lastKnown(
  warehouse: Warehouse,
  request: LiveRequest,
  sources: readonly string[],
  now: number,
): Promise<QueueWait | null> {
  const values = {
    day: utcDayOf(now - DAYS_BACK * DAY_MS),
    to: new Date(now).toISOString(),
    kind: request.kind,
    iata: request.iata,
  }
  const newestBySource = await warehouse.query<{ source: string; last_at: string }>(
    `SELECT source, max(observed_at) AS last_at FROM readings
     WHERE date >= $day AND observed_at <= $to::TIMESTAMPTZ AND kind = $kind AND iata = $iata
       AND lane IN ('standard', 'all') AND (status = 'closed' AND (len(flags) = 0 OR flags = ['wait_on_closed'])
         OR len(flags) = 0 AND coalesce(wait_minutes, wait_minutes_low, wait_minutes_high) IS NOT NULL)
     GROUP BY source ORDER BY last_at DESC`,
    values,
  )
  const newest = newestBySource.find(({ source }) => sources.includes(source)) ?? newestBySource[0]
  if (!newest) return newestHour(warehouse, values, now)
  const readings = await latestReadings(warehouse, Date.parse(newest.last_at) - AHEAD_MS, request.iata)
  return queueWait(
    readings.filter(({ source, kind }) => source === newest.source && kind === request.kind),
    now,
  )
}

async function newestHour(
  warehouse: Warehouse,
  values: Record<'day' | 'to' | 'kind' | 'iata', string>,
  now: number,
): Promise<QueueWait | null> {
  const [row] = await warehouse.query<{ hour: string; mean: number; source: string | null }>(
    `SELECT hour, mean, source FROM rollups
     WHERE date >= $day AND hour <= $to::TIMESTAMPTZ AND kind = $kind AND iata = $iata AND level = 'airport'
     ORDER BY hour DESC LIMIT 1`,
    values,
  )
  if (!row) return null
  const source = row.source ?? 'unknown'
  const provenance = { basis: basisOf(source.split('+')), observed_at: row.hour, ...ageOf(row.hour, now), source }
  return {
    average_wait_minutes: Math.round(row.mean),
    ...observedStatus('open', provenance),
    ...provenance,
    unavailable_reason: null,
    terminals: [],
  }
}
