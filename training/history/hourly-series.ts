import { airportDirectory } from '../../config/airports/directory.ts'
import type { QueueKind } from '../../config/domain.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'

/** Observed hourly waits of one airport (terminal '') or terminal, ascending by hour; an unobserved hour is absent. */
export interface HourlySeries {
  iata: string
  /** Empty for the airport as a whole. */
  terminal: string
  timezone: string
  /** ISO country, for holidays; null when unknown. */
  country: string | null
  /** Start of the UTC hour, epoch ms. */
  hour_ms: Float64Array
  /** Instant from which the row could have been known, epoch ms: what a cutoff compares with. */
  available_ms: Float64Array
  /** Mean wait in minutes. */
  mean: Float64Array
  /** Readings behind the mean. */
  samples: Float64Array
}

export interface HistoryRequest {
  kind: QueueKind
  iata?: string
  /** Only rows that could have been known at this instant (ISO UTC). */
  cutoff?: string
  /** Only hours from this instant on (ISO UTC). */
  from?: string
}

/** Reads hourly series of airports and terminals, sorted by airport, then terminal; airports unknown to the directory are left out. */
export async function readHistory(warehouse: Warehouse, request: HistoryRequest): Promise<HourlySeries[]> {
  const columns = await warehouse.columns(
    `SELECT iata, terminal, hour, available_at, mean, samples FROM rollups
     WHERE kind = $kind AND level IN ('airport', 'terminal') AND (level = 'airport' OR terminal <> '')
       AND ($iata IS NULL OR iata = $iata)
       AND ($cutoff IS NULL OR available_at <= $cutoff::TIMESTAMPTZ)
       AND ($from IS NULL OR hour >= $from::TIMESTAMPTZ)
     ORDER BY iata, terminal, hour`,
    {
      kind: request.kind,
      iata: request.iata ?? null,
      cutoff: request.cutoff ?? null,
      from: request.from ?? null,
    },
  )
  return splitSeries(columns as unknown as HistoryColumns)
}

/** Columns of `rollups` as `Warehouse.columns` gives them, sorted by iata, terminal, hour. */
export interface HistoryColumns {
  iata: ArrayLike<string>
  terminal: ArrayLike<string>
  hour: ArrayLike<number>
  available_at: ArrayLike<number>
  mean: ArrayLike<number>
  samples: ArrayLike<number>
}

function splitSeries(columns: HistoryColumns): HourlySeries[] {
  const directory = airportDirectory().byIata
  const series: HourlySeries[] = []
  const rows = columns.iata.length
  for (let start = 0; start < rows; ) {
    const iata = columns.iata[start]!
    const terminal = columns.terminal[start]!
    let end = start + 1
    while (end < rows && columns.iata[end] === iata && columns.terminal[end] === terminal) end++
    const airport = directory.get(iata)
    const cut = (column: ArrayLike<number>) => Float64Array.from({ length: end - start }, (_, k) => column[start + k]!)
    if (airport)
      series.push({
        iata,
        terminal,
        timezone: airport.timezone,
        country: airport.country,
        hour_ms: cut(columns.hour),
        available_ms: cut(columns.available_at),
        mean: cut(columns.mean),
        samples: cut(columns.samples),
      })
    start = end
  }
  return series
}

/** Groups series by airport, the airport's own series first. */
export function byAirport(series: HourlySeries[]): Map<string, HourlySeries[]> {
  const groups = new Map<string, HourlySeries[]>()
  for (const one of series) {
    const group = groups.get(one.iata)
    if (!group) groups.set(one.iata, [one])
    else if (one.terminal === '') group.unshift(one)
    else group.push(one)
  }
  return groups
}
