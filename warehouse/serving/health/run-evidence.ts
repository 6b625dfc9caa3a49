import { DAY_MS, HOUR_MS } from '../../../config/domain.ts'
import type { Source } from '../../../config/sources.ts'
import { tellsOfTime } from '../../storage/source-limits.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import type { Round } from './source-state.ts'

/** The stretches that uptime and freshness are told over, in hours. */
export const HEALTH_WINDOWS = [24, 168, 720] as const

const ROUNDS = 10
/** Enough that ten whole ones are among them where live requests come in between. */
const READ_ROUNDS = 40
/** Far enough back for a source that is asked once a day. */
const LATE_MS = 26 * HOUR_MS
/** A round whose requests still come in, and are fewer than those of the round before, is not judged yet. */
const UNDER_WAY_MS = 180_000

/** What the runs of the last day say of a source; instants in ISO UTC. */
export interface LateRuns {
  source: string
  first_at: string
  asked_at: string
  last_success_at: string | null
  newest_observed_at: string | null
  /** The newest first. */
  rounds: Round[]
  last_error_code: string | null
  last_error_message: string | null
}

interface RoundRow {
  answered: boolean
  left_out: boolean
  rows: number
  requests: number
  finished_ms: number
}

/** The runs of the last day, by source. */
export async function lateRuns(
  warehouse: Warehouse,
  now: number,
  sources: readonly Source[],
): Promise<Map<string, LateRuns>> {
  const from = new Date(now - LATE_MS).toISOString()
  const rows = await warehouse.query<Omit<LateRuns, 'rounds'> & { rounds: RoundRow[] }>(
    `WITH late AS (
       SELECT source, started_at, max(finished_at) AS finished_at, count(*)::INTEGER AS requests,
         bool_or(outcome <> 'failed') AS answered, bool_and(error_code IS NOT DISTINCT FROM 'CIRCUIT_OPEN') AS left_out,
         sum(parsed_rows)::INTEGER AS rows, max(finished_at) FILTER (WHERE outcome <> 'failed') AS good_at,
         max(observed_at) FILTER (WHERE ${tellsOfTime(sources)}) AS observed_at
       FROM runs WHERE date >= $day AND started_at > $from::TIMESTAMPTZ AND finished_at <= $now::TIMESTAMPTZ
       GROUP BY source, started_at
     ), errors AS (
       SELECT source, arg_max({'code': error_code, 'message': error_message}, (error_code <> 'CIRCUIT_OPEN', finished_at)) AS error
       FROM runs WHERE date >= $day AND started_at > $from::TIMESTAMPTZ AND finished_at <= $now::TIMESTAMPTZ AND outcome = 'failed'
       GROUP BY source
     )
     SELECT source, min(started_at) AS first_at, max(started_at) AS asked_at, max(good_at) AS last_success_at,
       max(observed_at) AS newest_observed_at,
       max({'at': started_at, 'answered': answered, 'left_out': left_out, 'rows': rows, 'requests': requests, 'finished_ms': epoch_ms(finished_at)}, ${READ_ROUNDS}) AS rounds,
       any_value(error.code) AS last_error_code, any_value(error.message) AS last_error_message
     FROM late LEFT JOIN errors USING (source) GROUP BY source`,
    { day: from.slice(0, 10), from, now: new Date(now).toISOString() },
  )
  return new Map(rows.map((row) => [row.source, { ...row, rounds: ended(row.rounds, now) }]))
}

/** A live request asks for one airport of a source: a round of its own, which says nothing of how many rows there are. */
const whole = (rounds: RoundRow[]): RoundRow[] => {
  const most = Math.max(...rounds.map(({ requests }) => requests))
  return rounds.filter(({ answered, requests }) => !answered || requests * 1.5 >= most)
}

function ended(rounds: RoundRow[], now: number): Round[] {
  const [newest, before, ...older] = whole(rounds)
  if (!newest) return []
  const underWay =
    before && newest.requests < before.requests && now - newest.finished_ms < UNDER_WAY_MS && !newest.left_out
  return [...(underWay ? [] : [newest]), ...(before ? [before] : []), ...older].slice(0, ROUNDS)
}

/** What the hours of the last 30 days say of a source; the figures of each window by its hours. */
export interface LateHours {
  source: string
  first_at: string
  last_run_at: string | null
  last_success_at: string | null
  newest_observed_at: string | null
  content_changed_at: string | null
  usual_rows: number | null
  fewest_rows: number | null
  [figure: `${'runs' | 'answered' | 'fresh'}_${number}`]: number
}

/** The start of a window's first hour, epoch milliseconds: windows are made of whole hours, the last of them under way. */
export const windowStart = (hours: number, now: number) => (Math.floor(now / HOUR_MS) - hours + 1) * HOUR_MS

/** Hours that must have been counted before their median is called usual. */
const ENOUGH_HOURS = 3

/** The hours of the last 30 days, by source. */
export async function lateHours(warehouse: Warehouse, now: number): Promise<Map<string, LateHours>> {
  const instant = (ms: number) => `TIMESTAMPTZ '${new Date(ms).toISOString()}'`
  const sums = HEALTH_WINDOWS.flatMap((hours) => {
    const within = `FILTER (WHERE hour >= ${instant(windowStart(hours, now))})`
    return [
      `coalesce(sum(runs) ${within}, 0)::INTEGER AS runs_${hours}`,
      `coalesce(sum(answered) ${within}, 0)::DOUBLE AS answered_${hours}`,
      `coalesce(sum(fresh_seconds) ${within}, 0)::INTEGER AS fresh_${hours}`,
    ]
  })
  const [week, today] = [instant(now - 7 * DAY_MS), instant(now - 20 * HOUR_MS)]
  const hourOfDay = new Date(now).getUTCHours()
  const near = `(hour(hour) + 25 - ${hourOfDay}) % 24 <= 2`
  const rows = await warehouse.query<LateHours>(
    `SELECT source, min(hour) AS first_at, max(hour) FILTER (WHERE runs > 0) AS last_run_at,
       max(last_success_at) AS last_success_at, max(newest_observed_at) AS newest_observed_at,
       max(content_changed_at) AS content_changed_at,
       CASE WHEN count(rows) FILTER (WHERE hour > ${week}) >= ${ENOUGH_HOURS} THEN median(rows) FILTER (WHERE hour > ${week}) END AS usual_rows,
       min(rows) FILTER (WHERE hour > ${week} AND hour < ${today} AND ${near}) AS fewest_rows,
       ${sums.join(', ')}
     FROM source_hours WHERE date >= $day AND hour <= ${instant(now)} GROUP BY source`,
    { day: new Date(now - 31 * DAY_MS).toISOString().slice(0, 10) },
  )
  return new Map(rows.map((row) => [row.source, row]))
}
