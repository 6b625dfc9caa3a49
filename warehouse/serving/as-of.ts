import { DAY_MS, HORIZON_HOURS, HOUR_MS, isoUtc } from '../../config/domain.ts'
import type { ModelCard } from '../../config/facts.ts'
import { listPartitions, livePaths, readPartition } from '../storage/layout.ts'
import type { OpenWarehouse } from '../storage/warehouse.ts'
import { selectFiles } from '../storage/write.ts'
import type { Table } from '../tables/define.ts'
import { forecasts } from '../tables/forecasts.ts'
import { rollups } from '../tables/rollups.ts'
import type { ForecastSeries } from './published/forecasts.ts'
import { modelCards } from './published/forecasts.ts'
import type { HistorySeries } from './published/history.ts'
import { historySeriesOf, SERIES_COLUMNS, tenths } from './published/history.ts'

/** What is asked of the past: of an airport, as it stood at `as_of`, for the hours from `from` up to `to`. Epoch ms. */
export interface AsOf {
  iata: string
  as_of: number
  from: number
  to: number
  /** Terminals as well. */
  terminals: boolean
}

/** A vintage as a snapshot would have served it, with what was observed since (tenths of a minute, NaN where unknown). */
export interface Vintage {
  issued_at: string
  model: ModelCard
  series: (Omit<ForecastSeries, 'model'> & { observed: Float64Array })[]
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** The UTC days that hold the instants from `from` up to `to`, both included. */
function daysOf(from: number, to: number): string[] {
  const days: string[] = []
  for (let day = Math.floor(from / DAY_MS) * DAY_MS; day <= to; day += DAY_MS) days.push(dayOf(day))
  return days
}

/**
 * SELECT over the folders of some days only. The views are over every file there is, and DuckDB opens each of them
 * before it leaves any out.
 */
async function ofDays({ context }: OpenWarehouse, table: Table, days: string[], kind?: string): Promise<string> {
  const partitions = await Promise.all(
    days.map((date) => readPartition(context.warehouseDir, table, { date, ...(kind && { kind }) })),
  )
  return selectFiles(table, partitions.flatMap(livePaths))
}

/**
 * The newest security forecast of an airport issued at or before `as_of`, with what was observed by `now` in the hours it
 * is about; null when none issued by then reaches `as_of`. A vintage is one: its terminals are of the same issue.
 */
export async function forecastAsOf(warehouse: OpenWarehouse, asked: AsOf & { now: number }): Promise<Vintage | null> {
  const { iata, as_of, now } = asked
  const reach = await ofDays(warehouse, forecasts, daysOf(as_of - HORIZON_HOURS * HOUR_MS, as_of))
  const [newest] = await warehouse.query<{ issued_at: string; model: string }>(
    `SELECT issued_at, model FROM (${reach}) WHERE kind = 'security' AND iata = $iata AND terminal = ''
       AND issued_at <= $as_of::TIMESTAMPTZ ORDER BY issued_at DESC LIMIT 1`,
    { iata, as_of: isoUtc(as_of) },
  )
  if (!newest) return null
  const { issued_at, model } = newest
  const issued = await ofDays(warehouse, forecasts, [issued_at.slice(0, 10)])
  const until = Math.min(asked.to, Math.floor(now / HOUR_MS) * HOUR_MS)
  const observed = await ofDays(warehouse, rollups, daysOf(asked.from, until - 1), 'security')
  const rows = await warehouse.columns(
    `SELECT f.terminal, f.valid_at, f.p10, f.p50, f.p90, 100 * f.p_within_5 AS confidence, 10 * r.mean AS observed
     FROM (${issued}) f LEFT JOIN (SELECT terminal, hour, mean FROM (${observed})
       WHERE iata = $iata AND level IN ('airport', 'terminal') AND hour < $until::TIMESTAMPTZ
     ) r ON r.terminal = f.terminal AND r.hour = f.valid_at
     WHERE f.kind = 'security' AND f.iata = $iata AND f.issued_at = $issued_at::TIMESTAMPTZ
       AND f.valid_at >= $from::TIMESTAMPTZ AND f.valid_at < $to::TIMESTAMPTZ AND ($terminals OR f.terminal = '')
     ORDER BY f.terminal, f.valid_at`,
    {
      iata,
      issued_at,
      until: isoUtc(until),
      terminals: asked.terminals,
      from: isoUtc(asked.from),
      to: isoUtc(asked.to),
    },
  )
  const cards = await modelCards(warehouse, iata)
  return { issued_at, model: cards(model), series: forecastSeries(iata, rows) }
}

function forecastSeries(iata: string, rows: Record<string, ArrayLike<unknown>>): Vintage['series'] {
  const series: Vintage['series'] = []
  const terminals = rows['terminal'] as string[]
  const numbers = (name: string) => rows[name] as Float64Array
  for (let start = 0; start < terminals.length; ) {
    const terminal = terminals[start]!
    const end = terminals.lastIndexOf(terminal) + 1
    const part = (name: string) => numbers(name).subarray(start, end)
    series.push({
      iata,
      terminal,
      start_ms: numbers('valid_at')[start]!,
      p10: tenths(part('p10')),
      p50: tenths(part('p50')),
      p90: tenths(part('p90')),
      confidence: Uint8Array.from(part('confidence'), Math.round),
      observed: part('observed').map(Math.round),
    })
    start = end
  }
  return series
}

/** When the oldest kept forecast of an airport was issued; null where it never had one of its own. */
export async function oldestForecast(warehouse: OpenWarehouse, iata: string): Promise<string | null> {
  const all = (await listPartitions(warehouse.context.warehouseDir, forecasts)).flatMap(livePaths)
  const [oldest] = await warehouse.query<{ issued_at: string | null }>(
    `SELECT min(issued_at) AS issued_at FROM (${selectFiles(forecasts, all)})
     WHERE kind = 'security' AND iata = $iata AND terminal = ''`,
    { iata },
  )
  return oldest?.issued_at ?? null
}

/** Observed hours as they were known at `as_of`; `withheld_hours` counts those of the airport that were not, or not as now. */
export async function historyAsOf(
  warehouse: OpenWarehouse,
  { iata, as_of, from, to, terminals }: AsOf,
): Promise<{ series: HistorySeries[]; withheld_hours: number }> {
  const source = await ofDays(warehouse, rollups, daysOf(from, to - 1), 'security')
  const within = `FROM (${source}) WHERE iata = $iata AND hour >= $from::TIMESTAMPTZ AND hour < $to::TIMESTAMPTZ`
  const values = { iata, as_of: isoUtc(as_of), from: isoUtc(from), to: isoUtc(to) }
  const rows = await warehouse.columns(
    `SELECT ${SERIES_COLUMNS} ${within} AND available_at <= $as_of::TIMESTAMPTZ
       AND (level = 'airport' OR ($terminals AND level = 'terminal')) ORDER BY iata, terminal, hour`,
    { ...values, terminals },
  )
  const [later] = await warehouse.query<{ hours: number }>(
    `SELECT count(*) AS hours ${within} AND available_at > $as_of::TIMESTAMPTZ AND level = 'airport'`,
    values,
  )
  return { series: historySeriesOf(rows), withheld_hours: later?.hours ?? 0 }
}
