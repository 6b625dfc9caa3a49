import { airportDirectory } from '../../config/airports/directory.ts'
import type { ModelCard } from '../../config/answers.ts'
import { DAY_MS, EXPIRY_SECONDS, HORIZON_HOURS, HOUR_MS, isoUtc } from '../../config/domain.ts'
import { mapKeys } from '../../config/map-keys.ts'
import { ASSIMILATION_VERSION } from '../../forecasting/nowcast/assimilate.ts'
import { QUANTILE_NAMES } from '../../forecasting/quantiles/quantiles.ts'
import type { ResultColumns } from '../storage/duckdb.ts'
import { quoteText } from '../storage/sql.ts'
import type { Warehouse } from '../storage/warehouse.ts'
import { isOfDates } from '../storage/write.ts'
import { type AdjustmentRow, adjustments } from '../tables/adjustments.ts'
import type { Table } from '../tables/define.ts'
import { forecasts } from '../tables/forecasts.ts'
import { withPresentIata } from '../tables/present-iata.ts'
import { rollupHistory, rollups, rollupsKnownAt } from '../tables/rollups.ts'
import { historySeriesOf, SERIES_COLUMNS, tenths } from './gather/history.ts'
import { queueHours } from './gather/opening-hours.ts'
import { servedModels } from './gather/served-models.ts'
import type { ForecastSeries } from './read/forecasts.ts'
import type { HistorySeries } from './read/history.ts'
import { openingHours } from './read/opening-hours.ts'
import { openPercentAt, UNKNOWN_OPEN } from './waits/learned-hours.ts'
import { adjustedToOf, readjusted } from './waits/recorded-adjustments.ts'

/** A question about the past: an airport as known at `as_of`, for the hours from `from` (included) to `to`. Epoch ms. */
export interface AsOf {
  iata: string
  as_of: number
  from: number
  to: number
  /** Terminals as well. */
  terminals: boolean
}

/** A forecast vintage as a snapshot served it, adjusted to the wait that was current then, with the waits observed since (tenths of a minute, NaN where unknown). */
export interface Vintage {
  issued_at: string
  model: ModelCard
  series: VintageSeries[]
}

type VintageSeries = Omit<ForecastSeries, 'model'> & { observed: Float64Array }

/**
 * The newest security forecast of an airport issued at or before `as_of`, with the waits observed by `now` in its hours.
 * All terminals are of the same issue. Null when no forecast issued by then reaches `as_of`.
 */
export async function forecastAsOf(warehouse: Warehouse, question: AsOf & { now: number }): Promise<Vintage | null> {
  const { iata, as_of, from, to, terminals, now } = question
  const reachingAsOf = selectDays(forecasts, daysOf(as_of - HORIZON_HOURS * HOUR_MS, as_of))
  const [newest] = await warehouse.query<{ issued_at: string; model: string }>(
    `SELECT issued_at, model FROM (${reachingAsOf}) WHERE kind = 'security' AND iata = $iata AND terminal = ''
       AND issued_at <= $as_of::TIMESTAMPTZ ORDER BY issued_at DESC LIMIT 1`,
    { iata, as_of: isoUtc(as_of) },
  )
  if (!newest) return null
  const { issued_at, model } = newest
  const issued = selectDays(forecasts, [issued_at.slice(0, 10)])
  const observedUntil = Math.min(to, Math.floor(now / HOUR_MS) * HOUR_MS)
  const observed = selectDays(rollups, daysOf(from, observedUntil - 1), 'security')
  const rows = await warehouse.columns(
    `SELECT f.terminal, f.valid_at, f.p10, f.p50, f.p90, 100 * f.p_within_5 AS confidence, 10 * r.mean AS observed
     FROM (${issued}) f LEFT JOIN (SELECT terminal, hour, mean FROM (${observed})
       WHERE iata = $iata AND level IN ('airport', 'terminal') AND hour < $until::TIMESTAMPTZ
     ) r ON r.terminal = f.terminal AND r.hour = f.valid_at
     WHERE f.kind = 'security' AND f.iata = $iata AND f.issued_at = $issued_at::TIMESTAMPTZ
       AND f.valid_at >= $from::TIMESTAMPTZ AND f.valid_at < $to::TIMESTAMPTZ AND ($terminals OR f.terminal = '')
     ORDER BY f.terminal, f.valid_at`,
    { iata, issued_at, until: isoUtc(observedUntil), terminals, from: isoUtc(from), to: isoUtc(to) },
  )
  const cardOf = await servedModels(warehouse, iata)
  const recorded = await adjustmentsAsOf(warehouse, iata, as_of)
  const series = vintageSeries(iata, rows, recorded)
  await addHours(warehouse, series, question)
  return { issued_at, model: cardOf(model), series }
}

/** The opening hours as they were learned and published at `as_of`. */
async function addHours(warehouse: Warehouse, series: VintageSeries[], { iata, as_of }: AsOf): Promise<void> {
  const airport = airportDirectory().byIata.get(iata)
  if (!airport) return
  const opening_hours = await queueHours({ warehouse, airports: [airport], now: as_of }, iata)
  const { learnedHours } = openingHours.index({ opening_hours })
  for (const { terminal, start_ms, open } of series) {
    const hours = learnedHours(iata, 'security', terminal)
    if (hours) open.set(Array.from(open, (_, ahead) => openPercentAt(hours, start_ms + ahead * HOUR_MS)))
  }
}

/**
 * What the last snapshot before `as_of` adjusted an airport's forecasts to, by terminal. Rows of another process than this
 * release has are left out, because the served figures cannot be calculated from them.
 */
async function adjustmentsAsOf(warehouse: Warehouse, iata: string, as_of: number): Promise<Map<string, AdjustmentRow>> {
  const days = selectDays(adjustments, daysOf(as_of - EXPIRY_SECONDS * 1_000, as_of))
  const rows = await warehouse.query<AdjustmentRow>(
    `SELECT * EXCLUDE (date) FROM (${days}) WHERE kind = 'security' AND iata = $iata AND process = $process
       AND observed_at > $unexpired::TIMESTAMPTZ
       AND adjusted_at = (SELECT max(adjusted_at) FROM (${days}) WHERE adjusted_at <= $as_of::TIMESTAMPTZ)`,
    {
      iata,
      process: ASSIMILATION_VERSION,
      unexpired: isoUtc(as_of - EXPIRY_SECONDS * 1_000),
      as_of: isoUtc(as_of),
    },
  )
  return new Map(rows.map((row) => [row.terminal, row]))
}

/** When the oldest stored forecast of an airport was issued; null when it never had one of its own. */
export async function oldestForecast(warehouse: Warehouse, iata: string): Promise<string | null> {
  const [oldest] = await warehouse.query<{ issued_at: string | null }>(
    `SELECT min(issued_at) AS issued_at FROM forecasts
     WHERE kind = 'security' AND iata = $iata AND terminal = ''`,
    { iata },
  )
  return oldest?.issued_at ?? null
}

/**
 * Observed hours as they were known at `as_of`, also those that were corrected later. `withheld_hours` counts the airport's hours of
 * which nothing was known then.
 */
export async function historyAsOf(
  warehouse: Warehouse,
  { iata, as_of, from, to, terminals }: AsOf,
): Promise<{ series: HistorySeries[]; withheld_hours: number }> {
  const days = daysOf(from, to - 1)
  const within = (table: Table) =>
    `(SELECT * FROM ${withPresentIata(`(${selectDays(table, days, 'security')})`)} WHERE iata = $iata
        AND hour >= $from::TIMESTAMPTZ AND hour < $to::TIMESTAMPTZ AND level IN ('airport', 'terminal'))`
  const now = within(rollups)
  const known = rollupsKnownAt('$as_of', now, within(rollupHistory))
  const values = { iata, as_of: isoUtc(as_of), from: isoUtc(from), to: isoUtc(to) }
  const rows = await warehouse.columns(
    `SELECT ${SERIES_COLUMNS} FROM (${known}) WHERE $terminals OR level = 'airport' ORDER BY iata, terminal, hour`,
    { ...values, terminals },
  )
  const series = historySeriesOf(rows)
  // An hour whose present row was known then is among them.
  const later = await warehouse.columns(
    `SELECT hour FROM ${now} WHERE level = 'airport' AND coalesce(known_from, available_at) > $as_of::TIMESTAMPTZ`,
    values,
  )
  const knownHours = new Set(series.find(({ terminal }) => terminal === '')?.hour)
  const withheld = Array.from(later['hour'] as Float64Array).filter((hour) => !knownHours.has(hour / HOUR_MS))
  return { series, withheld_hours: withheld.length }
}

/** The UTC days (YYYY-MM-DD) from that of `from` to that of `to`, both included. Epoch ms. */
function daysOf(from: number, to: number): string[] {
  const days: string[] = []
  for (let day = Math.floor(from / DAY_MS) * DAY_MS; day <= to; day += DAY_MS)
    days.push(new Date(day).toISOString().slice(0, 10))
  return days
}

const selectDays = (table: Table, days: readonly string[], kind = '') =>
  `SELECT * FROM ${table.name} WHERE ${isOfDates(days)}${kind === '' ? '' : ` AND kind = ${quoteText(kind)}`}`

function vintageSeries(iata: string, rows: ResultColumns, recorded: Map<string, AdjustmentRow>): VintageSeries[] {
  const series: VintageSeries[] = []
  const terminals = rows['terminal'] as string[]
  const numbers = (name: string) => rows[name] as Float64Array
  for (let start = 0; start < terminals.length; ) {
    const first = start
    const terminal = terminals[first]!
    const end = terminals.lastIndexOf(terminal) + 1
    const column = (name: string) => numbers(name).subarray(first, end)
    const start_ms = numbers('valid_at')[first]!
    const [p10, p50, p90, confidence] = [column('p10'), column('p50'), column('p90'), column('confidence')]
    const issued = Array.from(p50, (minutes, k) => ({
      p10: p10[k]!,
      p50: minutes,
      p90: p90[k]!,
      confidence: confidence[k]! / 100,
    }))
    const row = recorded.get(terminal)
    const hours = row ? readjusted(issued, start_ms, row) : issued
    series.push({
      iata,
      terminal,
      start_ms,
      ...mapKeys(QUANTILE_NAMES, (name) => tenths(Float64Array.from(hours, (hour) => hour[name]))),
      confidence: Uint8Array.from(hours, (hour) => Math.round((hour.confidence ?? 0) * 100)),
      adjusted_to: row ? adjustedToOf(row) : null,
      open: new Uint8Array(end - first).fill(UNKNOWN_OPEN),
      observed: column('observed').map(Math.round),
    })
    start = end
  }
  return series
}
