import { groupBy } from '../../../config/group-by.ts'
import { DAY_MS, HOUR_MS, isoUtc, utcDayOf } from '../../../config/vocabulary.ts'
import type { ResultColumns } from '../../storage/duckdb.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { withPresentIata } from '../../tables/present-iata.ts'
import { rollups } from '../../tables/rollups.ts'
import { arrowFile, viewsOf } from '../read/arrow.ts'
import { HISTORY_COLUMNS, type HistoryContent, type HistorySeries } from '../read/history.ts'
import { defineGathered } from './define-gathered.ts'

const HISTORY_DAYS = 90
/** The columns that `historySeriesOf` reads; `series` is the airport and its terminal. */
const SERIES_COLUMNS = `iata || '/' || terminal AS series, hour, mean, p50, p90, max, samples, coalesce(source, 'unknown') AS source`

export const gatherHistory = defineGathered({
  gather: async ({ warehouse, now }): Promise<HistoryContent> => {
    // Days before yesterday hardly change any more.
    const from = isoUtc(now - HISTORY_DAYS * DAY_MS)
    const yesterday = utcDayOf(now - DAY_MS)
    const earlier = () => historySeries(warehouse, utcDayOf(Date.parse(from)), yesterday)
    const before = await warehouse.remembered('history', [rollups], '', earlier, yesterday)
    const firstHour = Math.ceil(Date.parse(from) / HOUR_MS)
    return {
      history: joinedDays(
        [...before, ...(await historySeries(warehouse, yesterday, utcDayOf(now + DAY_MS)))],
        firstHour,
      ),
    }
  },
  files: {
    keys: ['history'],
    encode: ({ history: series }) => ({
      'history.json': Buffer.from(
        JSON.stringify(
          series.map(({ iata, terminal, hour, sources }) => ({ iata, terminal, length: hour.length, sources })),
        ),
      ),
      'history.arrow': arrowFile(joinedColumns(series)),
    }),
  },
})

/** Observed security hours of the days from one to another at airport and terminal level; only hours with readings. */
async function historySeries(warehouse: Warehouse, from: string, before: string): Promise<HistorySeries[]> {
  const rows = await warehouse.columns(
    `SELECT ${SERIES_COLUMNS} FROM ${withPresentIata('rollups')}
     WHERE kind = 'security' AND level IN ('airport', 'terminal') AND date >= $from AND date < $before
     ORDER BY iata, terminal, hour`,
    { from, before },
  )
  return historySeriesOf(rows)
}

/** Series of days and of those that follow, sorted by airport and terminal, as one list: hours from `firstHour` on. */
function joinedDays(days: readonly HistorySeries[], firstHour: number): HistorySeries[] {
  const byPlace = groupBy(days, ({ iata, terminal }) => `${iata}/${terminal}`)
  return [...byPlace.keys()].sort().flatMap((place) => {
    const parts = byPlace.get(place)!
    const { iata, terminal } = parts[0]!
    const sources = [...new Set(parts.flatMap((part) => part.sources))]
    const columns = joinedColumns(
      parts.map((part) => ({ ...part, source: part.source.map((index) => sources.indexOf(part.sources[index]!)) })),
    )
    const start = columns.hour.findIndex((instant) => instant >= firstHour)
    if (start === -1) return []
    return { iata, terminal, sources, ...viewsOf(columns, HISTORY_COLUMNS, start, columns.hour.length) }
  })
}

/** Minutes as a snapshot stores them: in tenths. */
const tenths = (minutes: Float64Array) => Int16Array.from(minutes, (value) => Math.round(value * 10))

/** The series in rows of `SERIES_COLUMNS`, which are sorted by airport, terminal and hour. */
function historySeriesOf(rows: ResultColumns): HistorySeries[] {
  const names = rows['series'] as string[]
  const series: HistorySeries[] = []
  for (let start = 0; start < names.length; ) {
    let end = start
    while (names[end] === names[start]) end += 1
    const name = names[start] ?? ''
    const sourceOfHour = (rows['source'] as string[]).slice(start, end)
    const sources = [...new Set(sourceOfHour)]
    const column = (columnName: string) => (rows[columnName] as Float64Array).subarray(start, end)
    series.push({
      iata: name.slice(0, 3),
      terminal: name.slice(4),
      hour: Int32Array.from(column('hour'), (ms) => Math.round(ms / HOUR_MS)),
      mean: tenths(column('mean')),
      p50: tenths(column('p50')),
      p90: tenths(column('p90')),
      max: tenths(column('max')),
      samples: Int32Array.from(column('samples')),
      sources,
      source: Uint16Array.from(sourceOfHour, (source) => sources.indexOf(source)),
    })
    start = end
  }
  return series
}

/** The columns of all series, one after another. */
function joinedColumns(series: readonly HistorySeries[]) {
  const total = series.reduce((sum, { hour }) => sum + hour.length, 0)
  const columns = {
    hour: new Int32Array(total),
    mean: new Int16Array(total),
    p50: new Int16Array(total),
    p90: new Int16Array(total),
    max: new Int16Array(total),
    samples: new Int32Array(total),
    source: new Uint16Array(total),
  }
  let offset = 0
  for (const place of series) {
    for (const name of HISTORY_COLUMNS) columns[name].set(place[name], offset)
    offset += place.hour.length
  }
  return columns
}
