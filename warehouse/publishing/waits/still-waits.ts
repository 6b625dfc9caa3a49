import { DAY_MS, type QueueKind, utcDayOf } from '../../../config/vocabulary.ts'
import { instantSql } from '../../storage/sql.ts'
import type { Warehouse } from '../../storage/warehouse.ts'

/** A queue whose waits by a source hardly move for a day, and moved more before. All figures are minutes. */
export interface StillWaits {
  source: string
  kind: QueueKind
  iata: string
  /** Between which figures all waits of the day are. */
  low: number
  high: number
  /** Between which figures eight of ten hours of the four weeks before were. */
  usual_low: number
  usual_high: number
}

/** Days before the last one that say how much waits usually move: a feed that stands still is found for three weeks. */
export const USUAL_DAYS = 28
/** Hours with readings that a day and the weeks before it must have, before waits that hardly move are judged. */
export const MIN_STILL_HOURS = 18
export const MIN_HOURS_BEFORE = 72
/** Waits within this move hardly: a feed may alternate between two figures, or round minutes to hours. */
const MAX_STILL_MINUTES = 1
/** Minutes by which the waits of the weeks before must have moved: small airports have no queue on most days. */
const MIN_USUAL_MINUTES = 10

/**
 * The queues, of all airports or of one, whose waits stand still although they usually move, those that moved most first. Of 6,454 days of
 * airports of `shared/history` with enough hours (117 of security) none is one (`tools/measure/still-waits.ts`). One figure over 5 minutes is
 * flagged as `frozen` when it lands.
 */
export function stillWaits(warehouse: Warehouse, now: number, iata: string | null = null): Promise<StillWaits[]> {
  const dayBefore = now - DAY_MS
  const first = now - (USUAL_DAYS + 1) * DAY_MS
  return warehouse.query<StillWaits>(
    `WITH still AS (
       SELECT source, kind, iata, min(mean) AS low, max(max) AS high FROM rollups
       WHERE date >= $yesterday AND level = 'airport' AND hour > ${instantSql(dayBefore)} AND hour <= ${instantSql(now)}
         AND ($iata IS NULL OR iata = $iata)
       GROUP BY source, kind, iata
       HAVING count(*) >= ${MIN_STILL_HOURS} AND high - low <= ${MAX_STILL_MINUTES})
     SELECT source, kind, iata, low, high, quantile_cont(mean, 0.1) AS usual_low, quantile_cont(max, 0.9) AS usual_high
     FROM still JOIN rollups USING (source, kind, iata)
     WHERE date >= $first AND level = 'airport' AND hour > ${instantSql(first)} AND hour <= ${instantSql(dayBefore)}
     GROUP BY source, kind, iata, low, high
     HAVING count(*) >= ${MIN_HOURS_BEFORE} AND usual_high - usual_low >= ${MIN_USUAL_MINUTES}
     ORDER BY usual_high - usual_low DESC, source, kind, iata`,
    { yesterday: utcDayOf(dayBefore), first: utcDayOf(first), iata },
  )
}
