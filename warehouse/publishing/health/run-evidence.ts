import { getOrCreate } from '../../../config/once.ts'
import type { Source } from '../../../config/sources.ts'
import { DAY_MS, HOUR_MS, utcDayOf } from '../../../config/vocabulary.ts'
import { hasPlausibleTime } from '../../storage/source-freshness.ts'
import { instantSql } from '../../storage/sql.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { HEALTH_WINDOWS } from '../read/source-health.ts'
import type { SourceRun } from './source-state.ts'

/** Number of whole UTC days with a published uptime; the last one is under way. */
const HEALTH_DAYS = 30

const MAX_RUNS = 10
/** Enough rows to find ten whole runs among the live requests, which are runs of one airport. */
const MAX_RUNS_READ = 40
/** A day and a margin, for sources that are run once a day. */
const RECENT_MS = 26 * HOUR_MS
/** A run with fewer requests than the run before may still be under way for this long, and is not judged before. */
const UNDER_WAY_MS = 180_000
/** Hours of runs that are needed before their median counts as usual. */
const MIN_HOURS_FOR_USUAL = 3

/** A summary of the runs of a source in the last 26 hours; instants in ISO UTC. */
export interface RecentRuns {
  source: string
  first_at: string
  last_run_at: string
  last_success_at: string | null
  newest_observed_at: string | null
  /** Newest first, at most ten. */
  runs: SourceRun[]
  last_error_code: string | null
  last_error_message: string | null
}

interface RunRow extends SourceRun {
  requests: number
  finished_ms: number
}

/** The recent runs of each source, by source id. */
export async function recentRuns(
  warehouse: Warehouse,
  now: number,
  sources: readonly Source[],
): Promise<Map<string, RecentRuns>> {
  const from = new Date(now - RECENT_MS).toISOString()
  const rows = await warehouse.query<Omit<RecentRuns, 'runs'> & { runs: RunRow[] }>(
    `WITH clocks AS (
       SELECT capture_id, max(value) AS clock_ahead FROM notices
       WHERE date >= $day AND code = 'source_clock_ahead' AND noticed_at > $from::TIMESTAMPTZ AND noticed_at <= $now::TIMESTAMPTZ
       GROUP BY capture_id
     ), recent AS (
       SELECT source, started_at, max(finished_at) AS finished_at, count(*)::INTEGER AS requests,
         bool_or(outcome <> 'failed') AS answered, bool_and(error_code IS NOT DISTINCT FROM 'CIRCUIT_OPEN') AS skipped,
         sum(parsed_rows)::INTEGER AS rows, max(clock_ahead) AS clock_ahead, max(finished_at) FILTER (WHERE outcome <> 'failed') AS answered_at,
         max(observed_at) FILTER (WHERE ${hasPlausibleTime(sources)}) AS observed_at
       FROM runs LEFT JOIN clocks USING (capture_id)
       WHERE date >= $day AND started_at > $from::TIMESTAMPTZ AND finished_at <= $now::TIMESTAMPTZ
       GROUP BY source, started_at
     ), errors AS (
       SELECT source, arg_max({'code': error_code, 'message': error_message}, (error_code <> 'CIRCUIT_OPEN', finished_at)) AS error
       FROM runs WHERE date >= $day AND started_at > $from::TIMESTAMPTZ AND finished_at <= $now::TIMESTAMPTZ AND outcome = 'failed'
       GROUP BY source
     )
     SELECT source, min(started_at) AS first_at, max(started_at) AS last_run_at, max(answered_at) AS last_success_at,
       max(observed_at) AS newest_observed_at,
       max({'at': started_at, 'answered': answered, 'skipped': skipped, 'rows': rows, 'clock_ahead': clock_ahead, 'requests': requests, 'finished_ms': epoch_ms(finished_at)}, ${MAX_RUNS_READ}) AS runs,
       any_value(error.code) AS last_error_code, any_value(error.message) AS last_error_message
     FROM recent LEFT JOIN errors USING (source) GROUP BY source`,
    { day: from.slice(0, 10), from, now: new Date(now).toISOString() },
  )
  return new Map(rows.map((row) => [row.source, { ...row, runs: finishedRuns(wholeRuns(row.runs), now) }]))
}

/** Excludes the runs of live requests: they cover one airport, so their row count cannot be compared. */
function wholeRuns(runs: readonly RunRow[]): RunRow[] {
  const maxRequests = Math.max(...runs.map(({ requests }) => requests))
  return runs.filter(({ answered, requests }) => !answered || requests * 1.5 >= maxRequests)
}

/** The newest ten runs, without a newest run that is still under way. */
function finishedRuns(runs: readonly RunRow[], now: number): SourceRun[] {
  const [newest, before] = runs
  const isUnderWay =
    newest !== undefined &&
    before !== undefined &&
    newest.requests < before.requests &&
    now - newest.finished_ms < UNDER_WAY_MS &&
    !newest.skipped
  return isUnderWay ? runs.slice(1, MAX_RUNS + 1) : runs.slice(0, MAX_RUNS)
}

/** A summary of the hours of a source in the last 30 days, with the sums of each window. */
export interface RecentHours {
  source: string
  first_at: string
  last_run_at: string | null
  last_success_at: string | null
  newest_observed_at: string | null
  content_changed_at: string | null
  usual_rows: number | null
  fewest_rows: number | null
  [sum: `${'runs' | 'answered' | 'fresh'}_${number}`]: number
}

/** Start of the first hour of a window, epoch milliseconds. Windows are whole hours; the last one is under way. */
export const windowStart = (hours: number, now: number) => (Math.floor(now / HOUR_MS) - hours + 1) * HOUR_MS

/** The recent hours of each source, by source id. */
export async function recentHours(warehouse: Warehouse, now: number): Promise<Map<string, RecentHours>> {
  const sums = HEALTH_WINDOWS.flatMap((hours) => {
    const within = `FILTER (WHERE hour >= ${instantSql(windowStart(hours, now))})`
    return [
      `coalesce(sum(runs) ${within}, 0)::INTEGER AS runs_${hours}`,
      `coalesce(sum(answered) ${within}, 0)::DOUBLE AS answered_${hours}`,
      `coalesce(sum(fresh_seconds) ${within}, 0)::INTEGER AS fresh_${hours}`,
    ]
  })
  const lastWeek = `hour > ${instantSql(now - 7 * DAY_MS)}`
  const beforeToday = `hour < ${instantSql(now - 20 * HOUR_MS)}`
  const sameTimeOfDay = `(hour(hour) + 25 - ${new Date(now).getUTCHours()}) % 24 <= 2`
  const rows = await warehouse.query<RecentHours>(
    `SELECT source, min(hour) AS first_at, max(hour) FILTER (WHERE runs > 0) AS last_run_at,
       max(last_success_at) AS last_success_at, max(newest_observed_at) AS newest_observed_at,
       max(content_changed_at) AS content_changed_at,
       CASE WHEN count(rows) FILTER (WHERE ${lastWeek}) >= ${MIN_HOURS_FOR_USUAL} THEN median(rows) FILTER (WHERE ${lastWeek}) END AS usual_rows,
       min(rows) FILTER (WHERE ${lastWeek} AND ${beforeToday} AND ${sameTimeOfDay}) AS fewest_rows,
       ${sums.join(', ')}
     FROM source_hours WHERE date >= $day AND hour <= ${instantSql(now)} GROUP BY source`,
    { day: utcDayOf(now - 31 * DAY_MS) },
  )
  return new Map(rows.map((row) => [row.source, row]))
}

/** The share of runs that answered on each of the last 30 UTC days, the oldest first, by source id; null without a run. */
export async function dailyUptime(warehouse: Warehouse, now: number): Promise<Map<string, (number | null)[]>> {
  const first = Math.floor(now / DAY_MS) - HEALTH_DAYS + 1
  const rows = await warehouse.query<{ source: string; day: string; uptime: number | null }>(
    `SELECT source, date::VARCHAR AS day, (sum(answered) / nullif(sum(runs), 0))::DOUBLE AS uptime
     FROM source_hours WHERE date >= $day AND hour <= $now::TIMESTAMPTZ GROUP BY source, date`,
    { day: utcDayOf(first * DAY_MS), now: new Date(now).toISOString() },
  )
  const bySource = new Map<string, (number | null)[]>()
  for (const { source, day, uptime } of rows) {
    const days = getOrCreate(bySource, source, () => Array.from({ length: HEALTH_DAYS }, () => null))
    days[Date.parse(day) / DAY_MS - first] = uptime
  }
  return bySource
}
