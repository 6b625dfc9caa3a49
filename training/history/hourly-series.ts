import { airportDirectory } from '../../config/airports/directory.ts'
import type { BorderDirection } from '../../config/border-direction.ts'
import { mapKeys } from '../../config/map-keys.ts'
import { isoUtc, type QueueKind } from '../../config/vocabulary.ts'
import { HOUR_COLUMNS, type HourlySeries } from '../../forecasting/features/hourly-series.ts'
import { lowerBound } from '../../forecasting/statistics/statistics.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { withPresentIata } from '../../warehouse/tables/present-iata.ts'

export interface HistoryRequest {
  kind: QueueKind
  iata?: string
  /** Only rows that could have been known at this instant (ISO UTC). */
  cutoff?: string
  /** Only hours from this instant on (ISO UTC). */
  from?: string
}

/** Reads the series of airports and terminals, sorted by airport, then terminal. Airports absent from the directory are skipped. */
export function readHistory(warehouse: Warehouse, request: HistoryRequest): Promise<HourlySeries[]> {
  return readSeries(
    warehouse,
    request,
    'terminal',
    "level IN ('airport', 'terminal') AND (level = 'airport' OR terminal <> '')",
  )
}

/** Fewer hours of a lane teach nothing. */
const MIN_LANE_HOURS = 250

/** Whether a lane was observed often enough to learn from. */
export const hasEnoughToTeach = ({ hour_ms }: HourlySeries): boolean => hour_ms.length >= MIN_LANE_HOURS

/** Reads the series of single lanes, also of those that no forecast is made of. `terminal` names the lane. */
export async function readLaneHistory(warehouse: Warehouse, request: HistoryRequest): Promise<HourlySeries[]> {
  const lane = "terminal || '/' || checkpoint || '/' || lane"
  return (await readSeries(warehouse, request, lane, "level = 'lane'")).filter(hasEnoughToTeach)
}

/** Reads series of rollups. `name` and `levels` are SQL: the key of an airport's series, and the rows to read. */
async function readSeries(
  warehouse: Warehouse,
  request: HistoryRequest,
  name: string,
  levels: string,
): Promise<HourlySeries[]> {
  const columns = await warehouse.columns(
    `SELECT iata, ${name} AS series, hour AS hour_ms, available_at AS available_ms, mean, samples FROM ${withPresentIata('rollups')}
     WHERE kind = $kind AND ${levels}
       AND ($iata IS NULL OR iata = $iata)
       AND ($cutoff IS NULL OR available_at <= $cutoff::TIMESTAMPTZ)
       AND ($from IS NULL OR hour >= $from::TIMESTAMPTZ)
     ORDER BY iata, series, hour`,
    {
      kind: request.kind,
      iata: request.iata ?? null,
      cutoff: request.cutoff ?? null,
      from: request.from ?? null,
    },
  )
  return splitSeries(columns as unknown as RollupColumns)
}

/** When the newest hour of a kind of queue became known, epoch ms; null without any hour known by `now`. */
export async function newestAvailable(warehouse: Warehouse, kind: QueueKind, now: number): Promise<number | null> {
  const [row] = await warehouse.query<{ newest: string | null }>(
    `SELECT max(available_at) AS newest FROM rollups
     WHERE kind = $kind AND level IN ('airport', 'terminal') AND available_at <= $now::TIMESTAMPTZ`,
    { kind, now: isoUtc(now) },
  )
  return row?.newest ? Date.parse(row.newest) : null
}

type RollupColumns = Record<'iata' | 'series', ArrayLike<string>> &
  Record<(typeof HOUR_COLUMNS)[number], ArrayLike<number>>

function splitSeries(columns: RollupColumns): HourlySeries[] {
  const directory = airportDirectory().byIata
  const series: HourlySeries[] = []
  const rows = columns.iata.length
  for (let start = 0; start < rows; ) {
    const iata = columns.iata[start]!
    const terminal = columns.series[start]!
    const first = start
    let end = start + 1
    while (end < rows && columns.iata[end] === iata && columns.series[end] === terminal) end++
    const airport = directory.get(iata)
    if (airport)
      series.push({
        iata,
        terminal,
        timezone: airport.timezone,
        country: airport.country,
        ...mapKeys(HOUR_COLUMNS, (name) =>
          Float64Array.from({ length: end - first }, (_, k) => columns[name][first + k]!),
        ),
      })
    start = end
  }
  return series
}

/** The subject of one model: an airport with its terminals, or the border queues of an airport in one direction. */
export interface ForecastSubject {
  iata: string
  direction?: BorderDirection | undefined
}

/** Names a subject: `JFK` or `ZRH/entry`. */
export const subjectName = ({ iata, direction }: ForecastSubject) => (direction ? `${iata}/${direction}` : iata)

/** Groups series by the name of their subject; the series of the whole airport comes first in its group. */
export function bySubject<Series extends HourlySeries>(series: readonly Series[]): Map<string, Series[]> {
  const groups = new Map<string, Series[]>()
  for (const queueSeries of series) {
    const name = subjectName(queueSeries)
    const group = groups.get(name)
    if (!group) groups.set(name, [queueSeries])
    else if (queueSeries.terminal === '') group.unshift(queueSeries)
    else group.push(queueSeries)
  }
  return groups
}

/** A series without the hours before an instant. */
export function hoursFrom(series: HourlySeries, from_ms: number): HourlySeries {
  return hoursWithin(series, from_ms, Number.POSITIVE_INFINITY)
}

/** The hours of a series from an instant on and before another one. */
export function hoursWithin(series: HourlySeries, from_ms: number, to_ms: number): HourlySeries {
  const first = lowerBound(series.hour_ms, from_ms)
  const end = lowerBound(series.hour_ms, to_ms)
  return { ...series, ...mapKeys(HOUR_COLUMNS, (name) => series[name].slice(first, end)) }
}
