import { DAY_MS, type QueueKind, utcDayOf } from '../../../config/vocabulary.ts'
import { instantSql } from '../../storage/sql.ts'
import type { Warehouse } from '../../storage/warehouse.ts'

/** A queue whose waits by a source are one figure for a day, and were longer before. */
export interface StillWaits {
  source: string
  kind: QueueKind
  iata: string
  /** The figure, and the wait that one hour in ten exceeded in the week before. */
  minutes: number
  usual_minutes: number
}

/** Hours with readings that a day and the week before it must have, before a figure that does not move is judged. */
const MIN_STILL_HOURS = 18
const MIN_HOURS_BEFORE = 72
/** Minutes by which the waits before must have been longer: feeds have floors, and small airports have no queue on most days. */
const MIN_FALL_MINUTES = 10

/**
 * The queues, of all airports or of one, whose waits stand still although they are usually long, the longest usual wait first; longer
 * figures that stand still are flagged as `frozen` when they land. None of 2,279 days of airports of `shared/history` is one.
 */
export function stillWaits(warehouse: Warehouse, now: number, iata: string | null = null): Promise<StillWaits[]> {
  const today = `FILTER (WHERE hour > ${instantSql(now - DAY_MS)})`
  const before = `FILTER (WHERE hour <= ${instantSql(now - DAY_MS)})`
  return warehouse.query<StillWaits>(
    `SELECT source, kind, iata, max(max) ${today} AS minutes, round(quantile_cont(max, 0.9) ${before})::DOUBLE AS usual_minutes
     FROM rollups
     WHERE date >= $day AND level = 'airport' AND hour > ${instantSql(now - 8 * DAY_MS)} AND hour <= ${instantSql(now)}
       AND ($iata IS NULL OR iata = $iata)
     GROUP BY source, kind, iata
     HAVING count(*) ${today} >= ${MIN_STILL_HOURS} AND count(*) ${before} >= ${MIN_HOURS_BEFORE}
       AND min(mean) ${today} = max(max) ${today}
       AND quantile_cont(max, 0.9) ${before} >= max(max) ${today} + ${MIN_FALL_MINUTES}
     ORDER BY usual_minutes DESC, source, kind, iata`,
    { day: utcDayOf(now - 8 * DAY_MS), iata },
  )
}
