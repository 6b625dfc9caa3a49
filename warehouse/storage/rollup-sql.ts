import { CROWD_SOURCE, publisherOf, publisherRank } from '../../config/publishers.ts'
import { allSources } from '../../config/sources.ts'
import { quoteText } from './sql.ts'

/**
 * SQL of the readings that were observed. What travellers report, nobody verified: it is shown as reported, and enters no hour, no
 * opening hours, no history and nothing that models learn from.
 */
const observed = (from: string) => `(SELECT * FROM (${from}) WHERE source <> '${CROWD_SOURCE}')`

/** SQL of a source's publisher rank: of several publishers of one airport and hour only the one nearest to the queue counts. */
function rankSql(): string {
  const cases = allSources().map(({ id }) => `WHEN ${quoteText(id)} THEN ${publisherRank(publisherOf(id))}`)
  return `CASE source ${cases.join(' ')} ELSE ${publisherRank('import')} END`
}

/**
 * SQL of a reading's wait in minutes: as published, else the middle of its range, else its one bound. The middle is for
 * averages only; it is never stored or shown as an observation.
 */
const USABLE_MINUTES =
  'coalesce(wait_minutes, (wait_minutes_low + wait_minutes_high) / 2, wait_minutes_low, wait_minutes_high)'

/** Status is counted by periods of ten minutes, so that a source that is read more often weighs no more. */
const SLOT_SECONDS = 600

const FIGURES = `
  max(available_at) FILTER (WHERE usable) AS known_at,
  avg(minutes) FILTER (WHERE usable) AS mean,
  quantile_cont(minutes, 0.5) FILTER (WHERE usable) AS p50,
  quantile_cont(minutes, 0.9) FILTER (WHERE usable) AS p90,
  max(minutes) FILTER (WHERE usable) AS max,
  count(*) FILTER (WHERE usable)::INTEGER AS samples,
  count(*) FILTER (WHERE len(flags) > 0)::INTEGER AS flagged,
  list_aggregate(list_sort(list_distinct(list(source) FILTER (WHERE usable))), 'string_agg', '+') AS source`

const COLUMNS = `kind, level, iata, terminal, checkpoint, lane, hour,
  greatest(known_at, hour + INTERVAL 1 HOUR) AS available_at, mean, p50, p90, max, samples, flagged, source`

/** SELECT of the hourly figures of readings at all four levels: airport, terminal, checkpoint, lane. */
export function rollupSelect(from: string): string {
  return `
  WITH ranked AS (
    SELECT *, date_trunc('hour', observed_at) AS hour, ${USABLE_MINUTES} AS minutes, ${rankSql()} AS publisher_rank
    FROM ${observed(from)}
  ), nearest AS (
    SELECT *, status <> 'closed' AND minutes IS NOT NULL AND len(flags) = 0 AS usable FROM ranked
    QUALIFY publisher_rank = min(publisher_rank) OVER (PARTITION BY kind, iata, hour)
  ), levels AS (
    SELECT kind, CASE WHEN grouping(terminal) = 1 THEN 'airport' WHEN grouping(checkpoint) = 1 THEN 'terminal' ELSE 'checkpoint' END AS level,
      iata, coalesce(terminal, '') AS terminal, coalesce(checkpoint, '') AS checkpoint, 'standard' AS lane, hour, ${FIGURES}
    FROM nearest WHERE lane IN ('standard', 'all')
    GROUP BY GROUPING SETS ((kind, iata, hour), (kind, iata, terminal, hour), (kind, iata, terminal, checkpoint, hour))
    UNION ALL
    SELECT kind, 'lane', iata, terminal, checkpoint, lane, hour, ${FIGURES}
    FROM nearest GROUP BY kind, iata, terminal, checkpoint, lane, hour
  )
  SELECT ${COLUMNS} FROM levels
  WHERE samples > 0 AND NOT (level = 'terminal' AND terminal = '') AND NOT (level = 'checkpoint' AND checkpoint = '')`
}

/** SELECT of the mean wait of each source of a queue by period of ten minutes, where several sources gave one. */
export function sourceWaitsSelect(from: string): string {
  return `
  WITH lanes AS (
    SELECT kind, iata, source, floor(epoch(observed_at) / ${SLOT_SECONDS})::BIGINT AS slot, avg(minutes) AS minutes,
      max(available_at) AS available_at
    FROM (SELECT *, ${USABLE_MINUTES} AS minutes FROM ${observed(from)})
    WHERE lane IN ('standard', 'all') AND status <> 'closed' AND len(flags) = 0 AND minutes IS NOT NULL
    GROUP BY kind, iata, source, slot, terminal, checkpoint, lane
  )
  SELECT kind, iata, to_timestamp(slot * ${SLOT_SECONDS}) AS slot, source, avg(minutes) AS wait_minutes,
    greatest(max(available_at), to_timestamp((slot + 1) * ${SLOT_SECONDS})) AS available_at
  FROM lanes GROUP BY kind, iata, source, lanes.slot
  QUALIFY count(*) OVER (PARTITION BY kind, iata, lanes.slot) > 1`
}

/** SQL condition: a reading says whether its queue was open. */
const SAYS_STATUS = `lane IN ('standard', 'all') AND (status = 'closed' AND (len(flags) = 0 OR flags = ['wait_on_closed'])
      OR len(flags) = 0 AND (status = 'open' OR ${USABLE_MINUTES} > 0))`

/** SELECT of the hours in which queues were open or closed, of airports and of their terminals. */
export function openHoursSelect(from: string): string {
  return `
  WITH stated AS (
    SELECT kind, iata, terminal, source, observed_at, date_trunc('hour', observed_at) AS hour,
      floor(epoch(observed_at) / ${SLOT_SECONDS}) AS slot, status <> 'closed' AS is_open, ${rankSql()} AS publisher_rank
    FROM ${observed(from)} WHERE ${SAYS_STATUS}
  ), nearest AS (
    SELECT * FROM stated QUALIFY publisher_rank = min(publisher_rank) OVER (PARTITION BY kind, iata, hour)
  ), slots AS (
    SELECT kind, iata, coalesce(terminal, '') AS terminal, grouping(terminal) AS whole, hour, slot, bool_or(is_open) AS is_open,
      min(observed_at) FILTER (WHERE is_open) AS opened_at, max(observed_at) AS seen_at, list(DISTINCT source) AS sources
    FROM nearest GROUP BY GROUPING SETS ((kind, iata, hour, slot), (kind, iata, terminal, hour, slot))
  ), firsts AS (
    SELECT *, min(opened_at) OVER (PARTITION BY kind, iata, terminal, whole, hour) AS first_open_at FROM slots
    WHERE whole = 1 OR terminal <> ''
  )
  SELECT kind, iata, terminal, hour, count(*)::INTEGER AS slots, (count(*) FILTER (WHERE is_open))::INTEGER AS open_slots,
    any_value(first_open_at) AS first_open_at,
    max(seen_at) FILTER (WHERE NOT is_open AND (first_open_at IS NULL OR seen_at < first_open_at)) AS last_closed_at,
    list_aggregate(list_sort(list_distinct(flatten(list(sources)))), 'string_agg', '+') AS source
  FROM firsts GROUP BY kind, iata, terminal, hour`
}

/**
 * SQL of the columns of readings with the rank of each reading's publisher. Only the nearest publisher read in the hour before a
 * reading counts, so a later reading never changes an earlier one.
 */
function nearestSoFar(from: string, condition: string): string {
  return `SELECT * FROM (
      SELECT kind, iata, terminal, checkpoint, lane, status, observed_at, available_at, ${USABLE_MINUTES} AS minutes, ${rankSql()} AS publisher_rank
      FROM ${observed(from)} WHERE ${condition}
    ) QUALIFY publisher_rank <= min(publisher_rank) OVER (PARTITION BY kind, iata ORDER BY observed_at RANGE BETWEEN INTERVAL 1 HOUR PRECEDING AND CURRENT ROW)`
}

/** SELECT of the usable readings of open standard lanes. */
const laneReadings = (from: string) =>
  `SELECT * FROM (${nearestSoFar(from, "lane IN ('standard', 'all') AND status <> 'closed' AND len(flags) = 0")}) WHERE minutes IS NOT NULL`

/** The same, ascending by airport and instant; `lane_number` distinguishes lanes. */
export function laneReadingsSelect(from: string): string {
  return `
  SELECT iata, terminal, dense_rank() OVER (ORDER BY terminal, checkpoint, lane) AS lane_number, observed_at, available_at, minutes
  FROM (${laneReadings(from)}) ORDER BY iata, observed_at, lane_number`
}

/** SELECT of the mean waits of airports (terminal empty) and of their terminals, by period of ten minutes since the epoch. */
export function slotsSelect(from: string): string {
  const laneMinutes = `SELECT iata, terminal, floor(epoch(observed_at) / ${SLOT_SECONDS})::BIGINT AS slot, avg(minutes) AS minutes,
    max(available_at) AS available_at FROM (${laneReadings(from)}) GROUP BY iata, terminal, checkpoint, lane, slot`
  // A lane that is read more often than another counts no more, as in the average of current waits.
  return `
  SELECT iata, coalesce(terminal, '') AS terminal, slot, avg(minutes) AS minutes, max(available_at) AS available_at
  FROM (${laneMinutes})
  GROUP BY GROUPING SETS ((iata, slot), (iata, terminal, slot))
  HAVING grouping(terminal) = 1 OR terminal <> '' ORDER BY iata, 2, slot`
}

/** SELECT of whether an airport's queue was open at each instant with a status, ascending by airport and instant. */
export function statusSelect(from: string): string {
  return `
  SELECT iata, observed_at, max(available_at) AS available_at, (bool_or(status <> 'closed'))::INTEGER AS is_open
  FROM (${nearestSoFar(from, SAYS_STATUS)}) GROUP BY iata, observed_at ORDER BY iata, observed_at`
}
