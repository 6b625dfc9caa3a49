import { DAY_MS, HOUR_MS } from '../../../config/domain.ts'
import type { ResultColumns } from '../../storage/duckdb.ts'
import type { Warehouse } from '../../storage/warehouse.ts'

/** Observed hours of one airport or terminal, ascending; only hours that have readings. Minutes in tenths. */
export interface HistorySeries {
  iata: string
  terminal: string
  /** Whole hours since the epoch. */
  hour: Int32Array
  mean: Int16Array
  p50: Int16Array
  p90: Int16Array
  max: Int16Array
  samples: Int32Array
  /** Sources that were heard in an hour, joined by `+`: by their place in `sources`. */
  source: Uint16Array
  sources: string[]
}

export const HISTORY_DAYS = 90
/** What a row of history is made of; `series` is the airport and its terminal. */
export const SERIES_COLUMNS = `iata || '/' || terminal AS series, hour, mean, p50, p90, max, samples, coalesce(source, 'unknown') AS source`

/** Minutes as a snapshot keeps them: in tenths. */
export const tenths = (minutes: Float64Array) => Int16Array.from(minutes, (value) => Math.round(value * 10))

/** Observed security hours of the last 90 days at airport and terminal level; only hours with readings. */
export async function historySeries(warehouse: Warehouse, now: number): Promise<HistorySeries[]> {
  const from = new Date(now - HISTORY_DAYS * DAY_MS).toISOString()
  const rows = await warehouse.columns(
    `SELECT ${SERIES_COLUMNS} FROM rollups
     WHERE kind = 'security' AND level IN ('airport', 'terminal') AND date >= $day AND hour >= $from::TIMESTAMPTZ
     ORDER BY iata, terminal, hour`,
    { day: from.slice(0, 10), from },
  )
  return historySeriesOf(rows)
}

/** The series that rows of `SERIES_COLUMNS` hold, in their order: by airport, terminal and hour. */
export function historySeriesOf(rows: ResultColumns): HistorySeries[] {
  const names = rows['series'] as string[]
  const series: HistorySeries[] = []
  for (let start = 0; start < names.length; ) {
    let end = start
    while (names[end] === names[start]) end += 1
    const name = names[start] ?? ''
    const heard = (rows['source'] as string[]).slice(start, end)
    const sources = [...new Set(heard)]
    const part = (column: string) => (rows[column] as Float64Array).subarray(start, end)
    series.push({
      iata: name.slice(0, 3),
      terminal: name.slice(4),
      hour: Int32Array.from(part('hour'), (ms) => Math.round(ms / HOUR_MS)),
      mean: tenths(part('mean')),
      p50: tenths(part('p50')),
      p90: tenths(part('p90')),
      max: tenths(part('max')),
      samples: Int32Array.from(part('samples')),
      sources,
      source: Uint16Array.from(heard, (one) => sources.indexOf(one)),
    })
    start = end
  }
  return series
}
