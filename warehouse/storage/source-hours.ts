import { allSources, type Source } from '../../config/sources.ts'
import { DAY_MS, HOUR_MS, utcDayOf } from '../../config/vocabulary.ts'
import { runs } from '../tables/runs.ts'
import { sourceHours } from '../tables/source-hours.ts'
import { readRows } from './duckdb.ts'
import { freshMs, hasPlausibleTime } from './source-freshness.ts'
import { instantSql as instant, quoteText } from './sql.ts'
import type { Warehouse } from './warehouse.ts'
import { isOfDates, replaceDays, type WriteContext } from './write.ts'

/** Days before a day whose hours give its first readings. A fresh reading of history is at most a week old. */
const CARRY_DAYS = 8

/** SQL of how long a reading of each source is fresh: an hour, or longer for some sources. */
function freshSql(sources: readonly Source[]): string {
  const longer = sources.filter((source) => freshMs(source) > HOUR_MS)
  const cases = longer.map((source) => `WHEN ${quoteText(source.id)} THEN ${freshMs(source) / 1_000}`)
  return cases.length > 0 ? `to_seconds(CASE source ${cases.join(' ')} ELSE 3600 END)` : 'INTERVAL 1 HOUR'
}

/**
 * SELECT of the hours of one UTC day from the instant `from` on, from the runs since then and the hours before. A reading
 * is available from the run that fetched it until it is too old; fresh time is the union of these periods until `until`.
 */
function hoursSelect(
  runRows: string,
  hoursBefore: string,
  from: number,
  until: number,
  sources: readonly Source[],
): string {
  return `
  WITH whole_runs AS MATERIALIZED (
    SELECT source, started_at, max(finished_at) AS finished_at, count(*) AS requests, max(count(*)) OVER (PARTITION BY source) AS most,
      count(*) FILTER (WHERE outcome <> 'failed') AS good,
      bool_and(error_code IS NOT DISTINCT FROM 'CIRCUIT_OPEN') AS left_out,
      sum(parsed_rows) AS rows, sum(new_rows) AS new_rows,
      max(observed_at) FILTER (WHERE ${hasPlausibleTime(sources)}) AS observed_at,
      max(finished_at) FILTER (WHERE outcome <> 'failed') AS good_at,
      sum(md5_number_lower(sha256)) FILTER (WHERE outcome <> 'failed')::VARCHAR AS bodies
    FROM (${runRows}) GROUP BY source, started_at
  ), carried AS (
    SELECT source, max(newest_observed_at) AS observed_at, arg_max(content, hour) AS content FROM (${hoursBefore}) GROUP BY source
  ), answers AS (
    SELECT source, started_at, good_at AS answered_at, observed_at, good || ' ' || bodies AS content FROM whole_runs WHERE good > 0
    UNION ALL SELECT source, NULL, ${instant(from)}, observed_at, content FROM carried
  ), followed AS MATERIALIZED (
    SELECT *, observed_at + ${freshSql(sources)} AS fresh_until,
      lag(content IGNORE NULLS) OVER by_time AS earlier,
      max(observed_at) OVER (by_time ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) + ${freshSql(sources)} AS fresh_before
    FROM answers WINDOW by_time AS (PARTITION BY source ORDER BY answered_at, started_at NULLS FIRST)
  ), changed AS (
    SELECT source, started_at, answered_at AS changed_at FROM followed
    WHERE started_at IS NOT NULL AND content IS NOT NULL AND (earlier IS NULL
      OR (content <> earlier AND split_part(content, ' ', 1) = split_part(earlier, ' ', 1)))
  ), pieces AS (
    SELECT source, greatest(answered_at, fresh_before) AS start, least(fresh_until, ${instant(until)}) AS stop FROM followed
    WHERE fresh_until IS NOT NULL
  ), fresh AS (
    SELECT source, hour, sum(epoch(least(stop, hour + INTERVAL 1 HOUR) - greatest(start, hour))) AS seconds
    FROM (SELECT *, unnest(generate_series(date_trunc('hour', start), stop - INTERVAL 1 MICROSECOND, INTERVAL 1 HOUR)) AS hour
      FROM pieces WHERE stop > start)
    GROUP BY source, hour
  ), counted AS (
    SELECT source, date_trunc('hour', started_at) AS hour, count(*) AS runs, sum(good / requests) AS answered,
      count(*) FILTER (WHERE good = 0) AS failed, count(*) FILTER (WHERE left_out) AS left_out,
      median(rows) FILTER (WHERE good > 0 AND requests * 1.5 >= most) AS rows, sum(new_rows) AS new_rows, max(observed_at) AS newest_observed_at,
      max(good_at) AS last_success_at, count(changed_at) AS content_changes, max(changed_at) AS content_changed_at,
      arg_max(good || ' ' || bodies, started_at) FILTER (WHERE good > 0) AS content
    FROM whole_runs LEFT JOIN changed USING (source, started_at) GROUP BY source, hour
  )
  SELECT source, hour, coalesce(runs, 0) AS runs, coalesce(answered, 0) AS answered, coalesce(failed, 0) AS failed,
    coalesce(left_out, 0) AS left_out, rows, coalesce(new_rows, 0) AS new_rows,
    coalesce(round(seconds), 0)::INTEGER AS fresh_seconds, newest_observed_at, last_success_at,
    coalesce(content_changes, 0) AS content_changes, content_changed_at, content
  FROM counted FULL JOIN fresh USING (source, hour)`
}

/**
 * The instant from which the hours of the current day must be made again: the previous hour, or the newest hour made if
 * that is earlier. Runs that land later are counted when the day is over and is made again as a whole.
 */
async function remakeFrom(context: WriteContext, date: string, start: number, now: number): Promise<number> {
  const [made] = await readRows<{ newest: number | null }>(
    context.connection,
    `SELECT epoch_ms(max(hour)) AS newest FROM source_hours WHERE ${isOfDates([date])}`,
  )
  if (typeof made?.newest !== 'number') return start
  return Math.max(start, Math.min(made.newest, Math.floor(now / HOUR_MS - 1) * HOUR_MS))
}

/** The input of the hours of a day: the runs, by the number of their last change, and the instant. */
interface MadeFrom {
  runs: number
  at: number
}

/**
 * Rolls up the runs of every day that is not over at `now` (epoch ms), was not over at its last rollup, or has newer runs;
 * with `all` every whole day. Returns the number of days. Repeating it at the same instant changes nothing.
 */
export async function rollUpSources(
  warehouse: Warehouse,
  now: number,
  options: { all?: boolean; sources?: readonly Source[] } = {},
): Promise<number> {
  const made = new Map((await warehouse.dayChanges(sourceHours)).map(({ date, made_from }) => [date, made_from]))
  let days = 0
  for (const { date, number } of await warehouse.dayChanges(runs)) {
    const start = Date.parse(`${date}T00:00:00Z`)
    const end = start + DAY_MS
    const madeFrom = JSON.parse(made.get(date) ?? 'null') as MadeFrom | null
    // A rollup of a later instant than now was made by a clock that was ahead.
    const isComplete = madeFrom !== null && madeFrom.at >= end && madeFrom.at <= now
    if (!options.all && isComplete && madeFrom.runs === number) continue
    await warehouse.write(async (context) => {
      const from = options.all || now >= end ? start : await remakeFrom(context, date, start, now)
      const remade = hoursSelect(
        `SELECT * FROM runs WHERE ${isOfDates([date])} AND started_at >= ${instant(from)}`,
        `SELECT * FROM source_hours WHERE date BETWEEN DATE ${quoteText(utcDayOf(start - CARRY_DAYS * DAY_MS))} AND DATE ${quoteText(date)} AND hour < ${instant(from)}`,
        from,
        Math.min(end, now),
        options.sources ?? allSources(),
      )
      const earlier = `SELECT * EXCLUDE (date) FROM source_hours WHERE ${isOfDates([date])} AND hour < ${instant(from)}`
      const made_from = JSON.stringify({ runs: number, at: now } satisfies MadeFrom)
      await replaceDays(
        context,
        sourceHours,
        [{ kind: '', date, made_from }],
        `(${remade}) UNION ALL BY NAME (${earlier})`,
      )
    })
    days += 1
  }
  return days
}
