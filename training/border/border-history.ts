import { type Airport, airportDirectory } from '../../config/airports/directory.ts'
import { type BorderDirection, borderDirection } from '../../config/border-direction.ts'
import { groupBy } from '../../config/group-by.ts'
import { isSchengenAirport } from '../../config/reference/schengen-airports.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import type { HourlySeries } from '../../forecasting/features/hourly-series.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { bySubject, type HistoryRequest, readHistory } from '../history/hourly-series.ts'

/** Observed hourly waits of all border queues of an airport that lead in one direction. */
export interface BorderSeries extends HourlySeries {
  direction: BorderDirection
}

/**
 * Reads the series of a kind: airports and their terminals. At a Schengen airport immigration is two queues, into the area and out of
 * it, so that its series are the directions.
 */
export async function readSeries(
  warehouse: Warehouse,
  request: HistoryRequest & { from: string; cutoff: string },
): Promise<HourlySeries[]> {
  const series = await readHistory(warehouse, request)
  if (request.kind !== 'immigration') return series
  const { all, byIata } = airportDirectory()
  const directions = await readBorderHistory(warehouse, all, {
    from_ms: Date.parse(request.from),
    cutoff_ms: Date.parse(request.cutoff),
  })
  return [...series.filter(({ iata }) => !isSchengenAirport(byIata.get(iata)!)), ...directions]
}

/** The name of an airport's only terminal, whose hours are those of the airport; null if there are several or none. */
export function soleTerminal(group: readonly HourlySeries[]): string | null {
  const [airport, terminal, ...others] = group
  if (!airport || !terminal || others.length > 0 || airport.terminal !== '') return null
  return terminal.hour_ms.length === airport.hour_ms.length ? terminal.terminal : null
}

/** The series without terminals that repeat their airport: a copy teaches nothing and costs as much as the original. */
export function withoutSoleTerminals(series: readonly HourlySeries[]): HourlySeries[] {
  return [...bySubject(series).values()].flatMap((group) => (soleTerminal(group) === null ? group : group.slice(0, 1)))
}

interface LaneHour {
  iata: string
  terminal: string
  checkpoint: string
  hour: string
  available_at: string
  mean: number
  samples: number
}

/**
 * Reads the hours of each border direction of the Schengen airports among `airports`, from `from_ms` on and known by
 * `cutoff_ms` (epoch ms). The wait of an hour is the mean over all readings of its standard and unsplit lanes.
 */
export async function readBorderHistory(
  warehouse: Warehouse,
  airports: readonly Airport[],
  { from_ms, cutoff_ms }: { from_ms: number; cutoff_ms: number },
): Promise<BorderSeries[]> {
  const schengen = new Map(airports.filter(isSchengenAirport).map((airport) => [airport.iata, airport]))
  const from = isoUtc(from_ms)
  const rows = await warehouse.query<LaneHour>(
    `SELECT iata, terminal, checkpoint, hour, available_at, mean, samples FROM rollups
     WHERE kind = 'immigration' AND level = 'lane' AND lane IN ('standard', 'all') AND date >= $day
       AND hour >= $from::TIMESTAMPTZ AND available_at <= $cutoff::TIMESTAMPTZ
       AND list_contains(string_split($schengen, ','), iata)
     ORDER BY iata, hour, terminal, checkpoint`,
    { day: from.slice(0, 10), from, cutoff: isoUtc(cutoff_ms), schengen: [...schengen.keys()].join(',') },
  )
  const groups = groupBy(rows, (row) => `${row.iata}/${borderDirection(row.terminal, row.checkpoint)}`)
  return [...groups].map(([name, group]) => {
    const [iata, direction] = name.split('/') as [string, BorderDirection]
    return seriesOf(schengen.get(iata)!, direction, group)
  })
}

/** Joins the lanes of each hour; `rows` ascend by hour. An hour is available when the last of its lanes is. */
function seriesOf(airport: Airport, direction: BorderDirection, rows: readonly LaneHour[]): BorderSeries {
  const hours = [...groupBy(rows, (row) => row.hour).values()]
  const samplesOf = (lanes: readonly LaneHour[]) => lanes.reduce((sum, lane) => sum + lane.samples, 0)
  return {
    iata: airport.iata,
    terminal: '',
    direction,
    timezone: airport.timezone,
    country: airport.country,
    hour_ms: Float64Array.from(hours, ([lane]) => Date.parse(lane!.hour)),
    available_ms: Float64Array.from(hours, (lanes) => Math.max(...lanes.map((lane) => Date.parse(lane.available_at)))),
    mean: Float64Array.from(
      hours,
      (lanes) => lanes.reduce((sum, lane) => sum + lane.mean * lane.samples, 0) / samplesOf(lanes),
    ),
    samples: Float64Array.from(hours, samplesOf),
  }
}
