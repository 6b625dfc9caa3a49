import { DAY_MS, HOUR_MS, utcDayOf } from '../../../config/vocabulary.ts'
import { instantSql } from '../../storage/sql.ts'
import type { Warehouse } from '../../storage/warehouse.ts'

/** A source whose rows no longer have a wait, at a time of day at which they had one before. */
export interface WithoutWaits {
  source: string
  /** Start of the last hour with a wait, ISO UTC. */
  last_at: string
  /** Of the seven days up to it, those with a wait at this time of day. */
  days: number
}

/** The hours up to now that must be without a wait; the same hours of the days before are compared with them. */
const HOURS = 3
/** Rows that span fewer hours are not judged. */
const MIN_HOURS = 2
const MIN_DAYS = 5
/** The last wait is looked for in this time. */
const LONGEST_MS = 31 * DAY_MS

/**
 * The sources that send rows which are not closed and have no wait: a field may have got another name, which is no error of any row.
 * In three months of `shared/history/security-us-2026` it is so in 45 of 20,362 hours of airports, whose feeds did send no figure
 * then (tools/measure/lost-waits.ts).
 */
export async function withoutWaits(warehouse: Warehouse, now: number): Promise<WithoutWaits[]> {
  const recent = await warehouse.query<{ source: string }>(
    `SELECT source FROM readings
     WHERE date >= $day AND fetched_at > ${instantSql(now - HOURS * HOUR_MS)} AND fetched_at <= ${instantSql(now)}
     GROUP BY source
     HAVING count(coalesce(wait_minutes, wait_minutes_low, wait_minutes_high)) = 0 AND count(*) FILTER (WHERE status <> 'closed') > 0
       AND min(fetched_at) <= ${instantSql(now - MIN_HOURS * HOUR_MS)}`,
    { day: utcDayOf(now - DAY_MS) },
  )
  if (recent.length === 0) return []
  const before = await warehouse.query<WithoutWaits>(
    `WITH hours AS (
       SELECT unnest(string_split(source, '+')) AS source, hour, epoch_ms(hour) AS begin FROM rollups
       WHERE date >= $day AND level = 'airport' AND hour <= ${instantSql(now)}
     ), last AS (
       SELECT source, max(hour) AS last_at, max(begin) AS last FROM hours GROUP BY source
     )
     SELECT source, last_at, count(DISTINCT (${now} - begin) // ${DAY_MS})::INTEGER AS days
     FROM hours JOIN last USING (source)
     WHERE begin > last - ${7 * DAY_MS} AND (${now} - begin) % ${DAY_MS} < ${HOURS * HOUR_MS}
     GROUP BY source, last_at HAVING days >= ${MIN_DAYS}`,
    { day: utcDayOf(now - LONGEST_MS) },
  )
  const isRecent = new Set(recent.map(({ source }) => source))
  return before.filter(({ source }) => isRecent.has(source))
}
