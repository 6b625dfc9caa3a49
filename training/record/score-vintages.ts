import { randomBytes } from 'node:crypto'
import { airportDirectory } from '../../config/airports/directory.ts'
import { borderDirection } from '../../config/border-direction.ts'
import { CROWD_SOURCE } from '../../config/publishers.ts'
import { localClock } from '../../config/time-zones/local-time.ts'
import {
  DAY_MS,
  HORIZON_BUCKETS,
  HORIZON_HOURS,
  HOUR_MS,
  isoUtc,
  startOfHour,
  utcDayOf,
} from '../../config/vocabulary.ts'
import { typicalModel, typicalQuantiles } from '../../forecasting/prior/typical.ts'
import { quoteText } from '../../warehouse/storage/sql.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { isOfDates, type Replacement, replaceDays, type WriteContext } from '../../warehouse/storage/write.ts'
import type { Table } from '../../warehouse/tables/define.ts'
import { forecasts } from '../../warehouse/tables/forecasts.ts'
import { rollups } from '../../warehouse/tables/rollups.ts'
import { misses, scores } from '../../warehouse/tables/scores.ts'

/** A wait this close to the median is neither above nor below it. */
export const TIE_MINUTES = 0.5
/** A forecast of an hour was issued at most this many days before the hour's day. */
const VINTAGE_DAYS = HORIZON_HOURS / 24
/** Days that are scored by one call, the newest first; the others stay due. */
const MAX_DAYS = 3
/** The worst hours that are kept of a day, and of one airport among them. */
const MISSES_A_DAY = 20
const MISSES_OF_AIRPORT = 3
const MIN_SAME_SIDE_HOURS = 8

export interface ScoreOptions {
  /** Hours that ended by then are scored, epoch ms. */
  now: number
  maxDays?: number
  onProgress?: (done: number, total: number) => void
}

/**
 * Scores every vintage against the hours that came true: the days whose hours, or whose forecasts, changed since they were scored. A
 * day is made again as a whole, so repeating it changes nothing, and an hour that is corrected later is scored again. A day
 * of which vintages were deleted keeps its scores. Returns the number of days.
 */
export async function scoreVintages(warehouse: Warehouse, options: ScoreOptions): Promise<number> {
  const due = await dueDays(warehouse, options.now)
  const chosen = due.slice(0, options.maxDays ?? MAX_DAYS)
  for (const [k, day] of chosen.entries()) {
    await warehouse.write((context) => scoreDay(context, day))
    options.onProgress?.(k + 1, chosen.length)
  }
  return chosen.length
}

/** A day to score, with what its scores are made from. */
interface DueDay {
  date: string
  start_ms: number
  /** Hours that begin before are scored, epoch ms. */
  until_ms: number
  /** Days on which forecasts of its hours were issued, YYYY-MM-DD. */
  issued: string[]
  /** Since when forecasts are published, epoch ms. */
  published_ms: number
  scored_from: string
}

/** The input of the scores of a day: the hours and forecasts, by the numbers of their last changes. */
interface ScoredFrom {
  until: string
  /** Observed hours by kind. */
  observed: Record<string, number>
  /** Issued forecasts by day. */
  issued: Record<string, number>
}

/** The days whose scores are not those of their present forecasts and hours, the newest first. */
async function dueDays(warehouse: Warehouse, now: number): Promise<DueDay[]> {
  const observed = new Map<string, Record<string, number>>()
  for (const { kind, date, number } of await warehouse.dayChanges(rollups))
    observed.set(date, { ...observed.get(date), [kind]: number })
  const issued = new Map<string, number>()
  for (const { date, number } of await warehouse.dayChanges(forecasts))
    issued.set(date, Math.max(number, issued.get(date) ?? 0))
  const scored = await scoredFrom(warehouse)
  const published_ms = await firstPublished(warehouse)
  const oldest = [...issued.keys()].sort()[0]
  const due: DueDay[] = []
  for (const date of [...observed.keys()].sort().reverse()) {
    const start_ms = Date.parse(`${date}T00:00:00Z`)
    const until_ms = Math.min(start_ms + DAY_MS, startOfHour(now))
    if (until_ms <= start_ms || (start_ms + DAY_MS <= published_ms && issued.size === 0)) continue
    const vintages = Array.from({ length: VINTAGE_DAYS + 1 }, (_, back) => utcDayOf(start_ms - back * DAY_MS)).filter(
      (day) => issued.has(day),
    )
    if (vintages.length === 0 && start_ms + DAY_MS <= published_ms) continue
    const from: ScoredFrom = {
      until: isoUtc(until_ms),
      observed: observed.get(date)!,
      issued: Object.fromEntries(vintages.map((day) => [day, issued.get(day)!])),
    }
    const before = scored.get(date)
    if (before && (isSame(before, from) || hasLostVintages(before, from))) continue
    // The vintages of such a day were deleted, and its scores are lost: the prior was not what was served then.
    if (!before && oldest !== undefined && date < oldest) continue
    due.push({ date, start_ms, until_ms, issued: vintages, published_ms, scored_from: JSON.stringify(from) })
  }
  return due
}

const isSame = (before: ScoredFrom, now: ScoredFrom) => JSON.stringify(before) === JSON.stringify(now)

/** Whether vintages that a day was scored from have been deleted since. */
const hasLostVintages = (before: ScoredFrom, now: ScoredFrom) =>
  Object.keys(before.issued).some((date) => !(date in now.issued))

/** The common input of both tables of each day; a day is absent if one is missing, or has another input. */
async function scoredFrom(warehouse: Warehouse): Promise<Map<string, ScoredFrom>> {
  const madeFrom = async (table: Table) =>
    new Map((await warehouse.dayChanges(table)).map(({ date, made_from }) => [date, made_from]))
  const missesFrom = await madeFrom(misses)
  const scored = new Map<string, ScoredFrom>()
  for (const [date, text] of await madeFrom(scores))
    if (text !== null && text === missesFrom.get(date)) scored.set(date, JSON.parse(text) as ScoredFrom)
  return scored
}

/** When the first snapshot was published, epoch ms; `Infinity` before. The worldwide prior is served from then on. */
async function firstPublished(warehouse: Warehouse): Promise<number> {
  const [row] = await warehouse.query<{ first: number | null }>(
    'SELECT epoch_ms(min(since)) AS first FROM state_changes',
  )
  return row?.first ?? Number.POSITIVE_INFINITY
}

async function scoreDay(context: WriteContext, day: DueDay): Promise<void> {
  const { connection } = context
  const suffix = randomBytes(4).toString('hex')
  const truths = `truths_${suffix}`
  const forecast = `scored_${suffix}`
  try {
    await connection.run(`CREATE TEMP TABLE ${truths} AS ${await truthSelect(context, day)}`)
    await connection.run(`CREATE TEMP TABLE ${forecast} AS ${forecastSelect(day, truths)}`)
    await addPrior(context, day, truths, forecast)
    const replaced: Replacement[] = [{ kind: '', date: day.date, made_from: day.scored_from }]
    await replaceDays(context, scores, replaced, scoresSelect(forecast, day))
    await replaceDays(context, misses, replaced, missesSelect(forecast, day))
  } finally {
    await connection.run(`DROP TABLE IF EXISTS ${truths}; DROP TABLE IF EXISTS ${forecast}`)
  }
}

const instant = (ms: number) => `${quoteText(isoUtc(ms))}::TIMESTAMPTZ`

/**
 * The truth: the mean of each hour that had ended, of airports, terminals and border directions. Hours that only travellers
 * reported are left out, and an hour without an unflagged reading has no row.
 */
async function truthSelect(context: WriteContext, { date, start_ms, until_ms }: DueDay): Promise<string> {
  const from = `(SELECT * FROM rollups
    WHERE ${isOfDates([date])} AND hour >= ${instant(start_ms)} AND hour < ${instant(until_ms)} AND coalesce(source, '') <> '${CROWD_SOURCE}')`
  const read = await context.connection.runAndReadAll(
    `SELECT DISTINCT terminal, checkpoint FROM ${from} WHERE kind = 'immigration' AND level = 'lane'`,
  )
  const named = read.getRowObjectsJS() as { terminal: string; checkpoint: string }[]
  const directions = named.map(
    ({ terminal, checkpoint }) =>
      `(${quoteText(terminal)}, ${quoteText(checkpoint)}, ${quoteText(borderDirection(terminal, checkpoint))})`,
  )
  const queues = `SELECT kind, iata, terminal, '' AS direction, hour, mean AS wait, samples FROM ${from} WHERE level IN ('airport', 'terminal')`
  if (directions.length === 0) return queues
  return `${queues} UNION ALL
    SELECT kind, iata, coalesce(terminal, '') AS terminal, direction, hour, sum(mean * samples) / sum(samples), sum(samples)
    FROM ${from} JOIN (VALUES ${directions.join(', ')}) named (terminal, checkpoint, direction) USING (terminal, checkpoint)
    WHERE kind = 'immigration' AND level = 'lane' AND lane IN ('standard', 'all')
    GROUP BY GROUPING SETS ((kind, iata, direction, hour), (kind, iata, terminal, direction, hour))
    HAVING grouping(terminal) = 1 OR terminal <> ''`
}

const BUCKET = `CASE ${HORIZON_BUCKETS.map(([from, to]) => `WHEN ahead < ${to} THEN ${from}`).join(' ')} END`

/** The forecasts of the observed hours, one row for each vintage. */
function forecastSelect({ issued, start_ms, until_ms }: DueDay, truths: string): string {
  return `
  WITH issued AS (
    SELECT *, coalesce(direction, '') AS side, (epoch(valid_at) - epoch(date_trunc('hour', issued_at))) / 3600 AS ahead
    FROM forecasts
    WHERE ${isOfDates(issued)} AND valid_at >= ${instant(start_ms)} AND valid_at < ${instant(until_ms)}
  )
  SELECT i.kind, i.iata, i.terminal, i.side AS direction, i.issued_at, i.valid_at AS hour, i.model, i.basis,
    (${BUCKET})::INTEGER AS from_hours, t.wait, t.samples AS readings, i.p10, i.p50, i.p90, i.p_within_5,
    i.baseline_p10, i.baseline_p50, i.baseline_p90, i.model_p50, i.rule_p50, i.persistence_p50, i.trend_p50
  FROM issued i JOIN ${truths} t
    ON t.kind = i.kind AND t.iata = i.iata AND t.terminal = i.terminal AND t.direction = i.side AND t.hour = i.valid_at
  WHERE ahead >= 0 AND ahead < ${HORIZON_HOURS}`
}

/** Rows of one statement that adds forecasts of the prior. */
const PRIOR_ROWS = 2_000

/**
 * Adds the worldwide prior for the hours of airports that had no forecast of their own. It is the same however many hours
 * ahead, so such an hour counts once in each bucket.
 */
async function addPrior(
  { connection }: WriteContext,
  { published_ms }: DueDay,
  truths: string,
  forecast: string,
): Promise<void> {
  if (!Number.isFinite(published_ms)) return
  const read = await connection.runAndReadAll(
    `SELECT t.iata, epoch_ms(t.hour)::DOUBLE AS hour_ms, t.wait, t.samples::DOUBLE AS readings FROM ${truths} t
     ANTI JOIN (SELECT DISTINCT iata FROM ${forecast} WHERE kind = 'security' AND terminal = '') f ON f.iata = t.iata
     WHERE t.kind = 'security' AND t.terminal = '' AND t.hour >= ${instant(Math.ceil(published_ms / HOUR_MS) * HOUR_MS)}`,
  )
  const hours = read.getRowObjectsJS() as { iata: string; hour_ms: number; wait: number; readings: number }[]
  const rows = hours.flatMap(({ iata, hour_ms, wait, readings }) => {
    const airport = airportDirectory().byIata.get(iata)
    if (!airport) return []
    const { hour, weekday } = localClock(airport.timezone, [hour_ms])
    const { p10, p50, p90, confidence } = typicalQuantiles(airport.size, hour[0]!, weekday[0]!)
    const { version } = typicalModel(airport.size)
    return HORIZON_BUCKETS.map(
      ([from]) =>
        `('security', ${quoteText(iata)}, '', '', ${instant(hour_ms - from * HOUR_MS)}, ${instant(hour_ms)}, ${quoteText(version)}, 'typical', ${from}, ${wait}, ${readings}, ${p10}, ${p50}, ${p90}, ${confidence ?? 'NULL'}, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`,
    )
  })
  for (let start = 0; start < rows.length; start += PRIOR_ROWS)
    await connection.run(`INSERT INTO ${forecast} VALUES ${rows.slice(start, start + PRIOR_ROWS).join(', ')}`)
}

const pinball = (quantile: number, name: string) =>
  `greatest(${quantile} * (wait - ${name}), ${quantile - 1} * (wait - ${name}))`
const PINBALL = `(${pinball(0.1, 'p10')} + ${pinball(0.5, 'p50')} + ${pinball(0.9, 'p90')}) / 3`
const BASELINE_PINBALL = `(${pinball(0.1, 'baseline_p10')} + ${pinball(0.5, 'baseline_p50')} + ${pinball(0.9, 'baseline_p90')}) / 3`

const ABOVE_MODEL = `CASE WHEN wait > model_p50 + ${TIE_MINUTES} THEN 1 WHEN wait < model_p50 - ${TIE_MINUTES} THEN 0 ELSE 0.5 END`

function scoresSelect(forecast: string, { start_ms }: DueDay): string {
  const sum = (expression: string, where = 'true') => `coalesce(sum(${expression}) FILTER (WHERE ${where}), 0)`
  const count = (where: string) => `count(*) FILTER (WHERE ${where})`
  const isCompared = 'baseline_p50 IS NOT NULL'
  const isOpposed = 'persistence_p50 IS NOT NULL'
  const isContended = 'model_p50 IS NOT NULL AND rule_p50 IS NOT NULL'
  return `
  SELECT ${instant(start_ms)} AS day, kind, iata, terminal, nullif(direction, '') AS direction, from_hours,
    least(9, floor(p_within_5 * 10))::INTEGER AS confidence_tenth, basis, split_part(model, ':', 1) AS served,
    count(*) AS samples, sum(error) AS error_minutes, sum(loss) AS pinball_minutes, ${count('wait < p10')} AS below,
    ${count('wait > p90')} AS above, sum(p90 - p10) AS width_minutes, ${count('error <= 5')} AS within_5,
    count(p_within_5) AS claimed, ${sum('p_within_5')} AS confidence,
    ${sum('(p_within_5 - (error <= 5)::INTEGER) ^ 2')} AS brier, ${count('error <= 5 AND p_within_5 IS NOT NULL')} AS claimed_within_5,
    count(baseline_p50) AS compared, ${sum('error', isCompared)} AS compared_error_minutes,
    ${sum('loss', isCompared)} AS compared_pinball_minutes, ${sum('abs(wait - baseline_p50)')} AS baseline_error_minutes,
    ${sum(BASELINE_PINBALL)} AS baseline_pinball_minutes, ${count(isContended)} AS contended,
    ${sum('abs(wait - model_p50)', isContended)} AS model_error_minutes,
    ${sum(ABOVE_MODEL, isContended)} AS model_above_median, ${sum('abs(wait - rule_p50)', isContended)} AS rule_error_minutes,
    ${count(isOpposed)} AS opposed, ${sum('error', isOpposed)} AS opposed_error_minutes,
    ${sum('abs(wait - persistence_p50)', isOpposed)} AS persistence_error_minutes,
    ${sum('abs(wait - trend_p50)', isOpposed)} AS trend_error_minutes
  FROM (SELECT *, abs(wait - p50) AS error, ${PINBALL} AS loss FROM ${forecast})
  GROUP BY kind, iata, terminal, direction, from_hours, confidence_tenth, basis, served`
}

/** The worst hours of the day: the newest forecast issued one to five hours before each, and what else is known. */
function missesSelect(forecast: string, { date, start_ms }: DueDay): string {
  return `
  WITH newest AS (
    SELECT iata, hour, issued_at, model, p10, p50, p90, wait, readings, greatest(p10 - wait, wait - p90) AS beyond, sign(wait - p50) AS side
    FROM ${forecast} WHERE kind = 'security' AND terminal = '' AND from_hours = 1 AND basis = 'predicted'
    QUALIFY row_number() OVER (PARTITION BY iata, hour ORDER BY issued_at DESC) = 1
  ), sided AS (
    SELECT *, count(*) OVER (PARTITION BY iata) - 1 AS others, count(*) OVER (PARTITION BY iata, side) - 1 AS alike FROM newest
  ), worst AS (
    SELECT * FROM sided WHERE beyond > 0
    QUALIFY row_number() OVER (PARTITION BY iata ORDER BY beyond DESC, hour) <= ${MISSES_OF_AIRPORT}
    ORDER BY beyond DESC, iata, hour LIMIT ${MISSES_A_DAY}
  ), programs AS (
    SELECT iata, date_trunc('hour', observed_at) AS hour,
      string_agg(DISTINCT replace(type, '_', ' ') || coalesce(': ' || reason, ''), '; ' ORDER BY replace(type, '_', ' ') || coalesce(': ' || reason, '')) AS program
    FROM delays
    WHERE ${isOfDates([date])} AND iata IS NOT NULL AND type <> 'airspace_flow' AND (type <> 'closure' OR closed_to_airlines) GROUP BY ALL
  ), closures AS (
    SELECT iata, hour, 1 - open_slots / slots AS closed_share
    FROM open_hours WHERE ${isOfDates([date])} AND kind = 'security' AND terminal = ''
  )
  SELECT ${instant(start_ms)} AS day, 'security' AS kind, w.iata, w.hour, issued_at, model, p10, p50, p90, wait AS wait_minutes,
    readings AS samples, program, closed_share,
    CASE WHEN others >= ${MIN_SAME_SIDE_HOURS} THEN alike / others END AS same_side_share
  FROM worst w LEFT JOIN programs USING (iata, hour) LEFT JOIN closures USING (iata, hour)`
}
