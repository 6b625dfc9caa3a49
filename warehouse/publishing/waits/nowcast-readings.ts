import type { Airport } from '../../../config/airports/directory.ts'
import { getOrCreate } from '../../../config/once.ts'
import { DAY_MS, HOUR_MS, isoUtc, type QueueKind, startOfHour, utcDayOf } from '../../../config/vocabulary.ts'
import { OwnNowcast } from '../../../forecasting/nowcast/coefficients.ts'
import {
  type LaneReading,
  type NowcastSeries,
  nowcastSeries,
  type Scans,
  SLOT_MS,
  type Slots,
  scansOf,
  withScans,
} from '../../../forecasting/nowcast/series.ts'
import { laneReadingsSelect, slotsSelect } from '../../storage/rollup-sql.ts'
import { quoteText } from '../../storage/sql.ts'
import type { Warehouse } from '../../storage/warehouse.ts'

export interface ReadingsRequest {
  kind: QueueKind
  from_ms: number
  /** Only what could have been known by then, epoch ms. */
  cutoff_ms: number
  iata?: string
}

export const READINGS_OF_SPAN = `SELECT * FROM readings WHERE kind = $kind AND date >= $day AND observed_at >= $from::TIMESTAMPTZ
  AND available_at <= $cutoff::TIMESTAMPTZ AND ($iata IS NULL OR iata = $iata)`

/** The values of `READINGS_OF_SPAN`. */
export const spanValues = ({ kind, from_ms, cutoff_ms, iata }: ReadingsRequest) => ({
  kind,
  from: isoUtc(from_ms),
  day: utcDayOf(from_ms - DAY_MS),
  cutoff: isoUtc(cutoff_ms),
  iata: iata ?? null,
})

/** A reading with its terminal as the source names it. */
export type TerminalReading = LaneReading & { terminal: string }

/** The usable readings of each airport's standard lanes, ascending by instant. */
export async function readLaneReadings(
  warehouse: Warehouse,
  request: ReadingsRequest,
): Promise<Map<string, TerminalReading[]>> {
  const columns = await warehouse.columns(laneReadingsSelect(READINGS_OF_SPAN), spanValues(request))
  const terminals = columns['terminal'] as string[]
  return groupedBy(columns['iata'] as string[], (row) => ({
    terminal: terminals[row]!,
    lane: Number(columns['lane_number']![row]),
    observed_ms: Number(columns['observed_at']![row]),
    available_ms: Number(columns['available_at']![row]),
    minutes: Number(columns['minutes']![row]),
  }))
}

/** The rows of each key, in their order. */
export function groupedBy<T>(keys: readonly string[], rowOf: (row: number) => T): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const [row, key] of keys.entries()) {
    getOrCreate(groups, key, () => []).push(rowOf(row))
  }
  return groups
}

/** Days of slots that a snapshot's nowcasts are made from. */
const PAST_DAYS = 28
/** Readings of this time before now show how a queue moves. */
const RECENT_MS = 26 * HOUR_MS

/** The past of queues by the last full hour, by `<IATA>/<terminal>`. It is read once an hour. */
interface Past {
  known_ms: number
  series: Map<string, NowcastSeries>
}

/** The past is read in parts, each with the airports from a code on: of 720 airports at once the engine took 440 MB. */
const FIRST_OF_PARTS = ['', 'F', 'L', 'R']

const pasts = new WeakMap<Warehouse, Past>()

/** Finds a queue by airport and terminal, empty for the whole airport; null when it was not observed in the last day. */
export type NowcastSeriesOf = (iata: string, terminal: string) => NowcastSeries | null

/** The queues of these airports with all that was known at `now`. */
export async function readNowcastSeries(
  warehouse: Warehouse,
  airports: readonly Airport[],
  now: number,
): Promise<NowcastSeriesOf> {
  const byIata = new Map(airports.map((airport) => [airport.iata, airport]))
  const past = await pastAt(warehouse, byIata, now)
  const readings = await readLaneReadings(warehouse, { kind: 'security', from_ms: now - RECENT_MS, cutoff_ms: now })
  return (iata, terminal) => {
    const airport = byIata.get(iata)
    const own = (readings.get(iata) ?? []).filter((reading) => terminal === '' || reading.terminal === terminal)
    if (!airport || own.length === 0) return null
    const scans = scansOf(own)
    const known = past.series.get(`${iata}/${terminal}`)
    return known ? withScans(known, scans) : nowcastSeries(airport, scans, NO_SLOTS)
  }
}

const NO_SLOTS: Slots = {
  middle_ms: new Float64Array(0),
  available_ms: new Float64Array(0),
  minutes: new Float64Array(0),
}
const NO_SCANS: Scans = {
  observed_ms: new Float64Array(0),
  available_ms: new Float64Array(0),
  minutes: new Float64Array(0),
}

async function pastAt(warehouse: Warehouse, byIata: ReadonlyMap<string, Airport>, now: number): Promise<Past> {
  const known_ms = startOfHour(now)
  const earlier = pasts.get(warehouse)
  if (earlier?.known_ms === known_ms) return earlier
  const values = spanValues({ kind: 'security', from_ms: known_ms - PAST_DAYS * DAY_MS, cutoff_ms: known_ms })
  const series = new Map<string, NowcastSeries>()
  for (const [part, first] of FIRST_OF_PARTS.entries()) {
    const partCondition = `iata >= ${quoteText(first)} AND iata < ${quoteText(FIRST_OF_PARTS[part + 1] ?? '~')}`
    const columns = await warehouse.columns(slotsSelect(`${READINGS_OF_SPAN} AND ${partCondition}`), values)
    const iatas = columns['iata'] as string[]
    const terminals = columns['terminal'] as string[]
    const groups = groupedBy(
      iatas.map((iata, row) => `${iata}/${terminals[row]}`),
      (row) => row,
    )
    for (const [key, rows] of groups) {
      const airport = byIata.get(key.slice(0, key.indexOf('/')))
      if (!airport) continue
      const column = (valueAt: (row: number) => number) => Float64Array.from(rows, valueAt)
      series.set(
        key,
        nowcastSeries(airport, NO_SCANS, {
          middle_ms: column((row) => (Number(columns['slot']![row]) + 0.5) * SLOT_MS),
          available_ms: column((row) => Number(columns['available_at']![row])),
          minutes: column((row) => Number(columns['minutes']![row])),
        }),
      )
    }
  }
  const past = { known_ms, series }
  pasts.set(warehouse, past)
  return past
}

/** The newest trained nowcast of each airport. */
export async function readOwnNowcasts(warehouse: Warehouse): Promise<Map<string, OwnNowcast>> {
  const rows = await warehouse.query<{ iata: string; learned: string }>(
    `SELECT iata, arg_max(learned, trained_at) AS learned FROM nowcasts WHERE kind = 'security' GROUP BY iata`,
  )
  return new Map(
    rows.flatMap(({ iata, learned }) => {
      // Another release may have learned other inputs: the shared coefficients serve until the next training.
      const own = OwnNowcast.safeParse(JSON.parse(learned))
      return own.success ? [[iata, own.data]] : []
    }),
  )
}
