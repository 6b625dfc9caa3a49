import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { airportDirectory } from '../../config/airports/directory.ts'
import { HoldshortError } from '../../config/errors.ts'
import { laneOfHistoryCell } from '../../config/lanes.ts'
import { HOUR_MS, startOfHour } from '../../config/vocabulary.ts'
import type { HourlySeries } from '../../forecasting/features/hourly-series.ts'
import { minutesOf } from '../../warehouse/publishing/waits/queue-wait.ts'
import { LAG_HOURS } from '../../warehouse/storage/import-sql.ts'
import { hasEnoughToTeach } from '../history/hourly-series.ts'
import type { TrainedKind } from '../settings/kinds.ts'

/** The cells of a row of a file by column; empty where a file has none. */
type CsvRow = Partial<Record<string, string>>

interface HourSum {
  sum: number
  samples: number
}

/** Sums by `airport|series` (terminal empty for the whole airport), then by start of the hour in epoch ms. */
type HourSums = Map<string, Map<number, HourSum>>

/** One usable reading of an open standard or unsplit lane. */
export interface LaneWait {
  iata: string
  terminal: string
  /** Names the lane within its airport. */
  lane: string
  observed_ms: number
  minutes: number
}

/** A folder of historical readings: which queue it is about, and its series. */
export interface HistorySet {
  kind: TrainedKind
  series: HourlySeries[]
}

/**
 * Reads one folder of historical readings and sums them up as the warehouse's rollup does: hourly means over
 * open standard or unsplit lanes, available when the hour has ended and its kind's delay of publication is over. Returns one series per
 * airport, followed by one per named terminal. @throws HoldshortError IMPORT_INVALID for a folder without waits
 */
export function readHistorySet(folder: string): HistorySet {
  const files = readFiles(folder)
  const kind = kindOfColumns(files[0]!.columns)
  const waits = files.flatMap(({ rows }) => rows.flatMap(laneWait))
  return { kind, series: seriesOfLaneWaits(waits, LAG_HOURS[kind]) }
}

/** The series of a folder of historical readings, see `readHistorySet`. */
export function readHistoryFolder(folder: string): HourlySeries[] {
  return readHistorySet(folder).series
}

/** Columns without which a file has no waits. */
const WAIT_COLUMNS = ['airport', 'lane', 'observed_at', 'wait_minutes'] as const
/** Columns that passport control has and security has not: what CBP counts of an hour. */
const IMMIGRATION_COLUMNS = ['max_wait_minutes', 'flights', 'booths'] as const

function kindOfColumns(columns: readonly string[]): TrainedKind {
  return IMMIGRATION_COLUMNS.every((name) => columns.includes(name)) ? 'immigration' : 'security'
}

interface HistoryFile {
  columns: string[]
  rows: CsvRow[]
}

/** Reads the files of a folder, which must all have waits of one kind of queue. */
function readFiles(folder: string): HistoryFile[] {
  const names = namesIn(folder).filter((file) => file.endsWith('.csv.gz'))
  if (names.length === 0) throw new HoldshortError('IMPORT_INVALID', `${folder}: has no csv.gz file`)
  const files = names.map((name): HistoryFile => {
    const path = join(folder, name)
    const [header = [], ...rows] = readCsv(path)
    const missing = WAIT_COLUMNS.filter((column) => !header.includes(column))
    if (missing.length > 0)
      throw new HoldshortError(
        'IMPORT_INVALID',
        `${path}: has no column ${missing.join(', ')}; a file of waits has airport, terminal, lane, observed_at and wait_minutes`,
      )
    return {
      columns: header,
      rows: rows.map((row) => Object.fromEntries(header.map((name, k) => [name, row[k] ?? '']))),
    }
  })
  const kinds = new Set(files.map(({ columns }) => kindOfColumns(columns)))
  if (kinds.size > 1)
    throw new HoldshortError(
      'IMPORT_INVALID',
      `${folder}: has files of ${[...kinds].join(' and ')}; one folder is about one queue`,
    )
  return files
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch (cause) {
    throw new HoldshortError('IMPORT_INVALID', `${folder}: is no folder that can be read`, { cause })
  }
}

function readCsv(path: string): string[][] {
  try {
    return parse(gunzipSync(readFileSync(path)), { bom: true, relax_column_count: true })
  } catch (cause) {
    throw new HoldshortError('IMPORT_INVALID', `${path}: is no csv.gz file`, { cause })
  }
}

/** Reads the series of the single lanes of a folder, also of lanes that do not count for the airport. `terminal` names the lane. */
export function readLaneFolder(folder: string): HourlySeries[] {
  const waits = historyRows(folder).flatMap(waitOfAnyLane)
  return seriesOfWaits(waits, ({ lane }) => [lane]).filter(hasEnoughToTeach)
}

/**
 * Reads the usable readings of a folder. Files are csv.gz with the columns airport, terminal, lane, observed_at,
 * wait_minutes and optionally checkpoint, wait_low, wait_high and status.
 */
export function readLaneWaits(folder: string): LaneWait[] {
  return historyRows(folder).flatMap(laneWait)
}

/** All rows of a folder of historical readings, as they stand in its files. */
export const historyRows = (folder: string): CsvRow[] => readFiles(folder).flatMap(({ rows }) => rows)

/** Sums readings up to hourly series of airports and terminals, which become known some hours after the hour. */
export function seriesOfLaneWaits(waits: readonly LaneWait[], lagHours = 0): HourlySeries[] {
  return seriesOfWaits(waits, ({ terminal }) => [...new Set(['', terminal])], lagHours)
}

/** Sums readings up to hourly series; `namesOf` gives those that a reading counts in. */
function seriesOfWaits(
  waits: readonly LaneWait[],
  namesOf: (wait: LaneWait) => readonly string[],
  lagHours = 0,
): HourlySeries[] {
  const sums: HourSums = new Map()
  for (const wait of waits) addReading(sums, wait, namesOf(wait))
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([key, hours]) => seriesOf(key, hours, lagHours))
}

function laneWait(row: CsvRow): LaneWait[] {
  const lane = laneOfHistoryCell(row.lane ?? '')
  return lane === 'standard' || lane === 'all' ? waitOfAnyLane(row) : []
}

function waitOfAnyLane(row: CsvRow): LaneWait[] {
  const lane = laneOfHistoryCell(row.lane ?? '')
  const minutes = waitMinutes(row)
  // CBP prints 0 minutes for an hour without passengers: nobody waited, which is not a wait of zero.
  if (minutes === null || row.passengers === '0' || row.status === 'closed') return []
  const { airport: iata = '', terminal = '', checkpoint = '' } = row
  const observed_ms = Date.parse(row.observed_at ?? '')
  return [{ iata, terminal, lane: `${terminal}/${checkpoint}/${lane}`, observed_ms, minutes }]
}

function addReading(sums: HourSums, wait: LaneWait, names: readonly string[]): void {
  const hour = startOfHour(wait.observed_ms)
  for (const name of names) {
    const key = `${wait.iata}|${name}`
    const hours = sums.get(key) ?? new Map<number, HourSum>()
    const hourSum = hours.get(hour) ?? { sum: 0, samples: 0 }
    sums.set(key, hours.set(hour, { sum: hourSum.sum + wait.minutes, samples: hourSum.samples + 1 }))
  }
}

/** Minutes by the same rule as those of a reading. */
function waitMinutes({ wait_minutes, wait_low, wait_high }: CsvRow): number | null {
  const number = (text: string | undefined) => (text ? Number(text) : null)
  return minutesOf({
    wait_minutes: number(wait_minutes),
    wait_minutes_low: number(wait_low),
    wait_minutes_high: number(wait_high),
  })
}

function seriesOf(key: string, hours: Map<number, HourSum>, lagHours: number): HourlySeries[] {
  const [iata = '', terminal = ''] = key.split('|')
  const airport = airportDirectory().byIata.get(iata)
  if (!airport) return []
  const sorted = [...hours].sort(([a], [b]) => a - b)
  const column = (pick: (hour: number, hourSum: HourSum) => number) =>
    Float64Array.from(sorted, ([hour, hourSum]) => pick(hour, hourSum))
  return [
    {
      iata,
      terminal,
      timezone: airport.timezone,
      country: airport.country,
      hour_ms: column((hour) => hour),
      available_ms: column((hour) => hour + Math.max(1, lagHours) * HOUR_MS),
      mean: column((_, { sum, samples }) => sum / samples),
      samples: column((_, { samples }) => samples),
    },
  ]
}
