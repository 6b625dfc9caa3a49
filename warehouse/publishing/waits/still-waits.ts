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
  /** Between which figures eight of ten hours of the week before were. */
  usual_low: number
  usual_high: number
}

/** Hours with readings that a day and the week before it must have, before waits that hardly move are judged. */
const MIN_STILL_HOURS = 18
const MIN_HOURS_BEFORE = 72
/** Waits within this move hardly: a feed may alternate between two figures, or round minutes to hours. */
const MAX_STILL_MINUTES = 1
/** Minutes by which the waits of the week before must have moved: small airports have no queue on most days. */
const MIN_USUAL_MINUTES = 10

/**
 * The queues, of all airports or of one, whose waits stand still although they usually move, those that moved most first. Of 6,948 days of
 * airports of `shared/history` with enough hours (131 of security) none is one; of 18,469 with a third of these hours two are, at LAX
 * where the feed stood at 0, and at PBI. One figure over 5 minutes is flagged as `frozen` when it lands.
 */
export function stillWaits(warehouse: Warehouse, now: number, iata: string | null = null): Promise<StillWaits[]> {
  const today = `FILTER (WHERE hour > ${instantSql(now - DAY_MS)})`
  const before = `FILTER (WHERE hour <= ${instantSql(now - DAY_MS)})`
  return warehouse.query<StillWaits>(
    `SELECT source, kind, iata, min(mean) ${today} AS low, max(max) ${today} AS high,
       quantile_cont(mean, 0.1) ${before} AS usual_low, quantile_cont(max, 0.9) ${before} AS usual_high
     FROM rollups
     WHERE date >= $day AND level = 'airport' AND hour > ${instantSql(now - 8 * DAY_MS)} AND hour <= ${instantSql(now)}
       AND ($iata IS NULL OR iata = $iata)
     GROUP BY source, kind, iata
     HAVING count(*) ${today} >= ${MIN_STILL_HOURS} AND count(*) ${before} >= ${MIN_HOURS_BEFORE}
       AND high - low <= ${MAX_STILL_MINUTES} AND usual_high - usual_low >= ${MIN_USUAL_MINUTES}
     ORDER BY usual_high - usual_low DESC, source, kind, iata`,
    { day: utcDayOf(now - 8 * DAY_MS), iata },
  )
}
