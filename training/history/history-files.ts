import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { airportDirectory } from '../../config/airports/directory.ts'
import { HOUR_MS } from '../../config/domain.ts'
import { laneOfHistoryCell } from '../../config/lanes.ts'
import { type HourlySeries, hasEnoughToTeach } from './hourly-series.ts'

/** Time zone and country of an airport. */
export type AirportLocale = Pick<HourlySeries, 'timezone' | 'country'>

/** Finds the locale of an airport by IATA code; null for an airport whose rows are skipped. */
export type LocaleOf = (iata: string) => AirportLocale | null

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

/**
 * Reads one folder of historical security readings and sums them up as the warehouse's rollup does: hourly means over
 * open standard or unsplit lanes, available when the hour has ended. Returns one series per airport, followed by one per
 * named terminal.
 */
export function readHistoryFolder(folder: string, localeOf: LocaleOf = directoryLocale): HourlySeries[] {
  return seriesOfLaneWaits(readLaneWaits(folder), localeOf)
}

/** Reads the series of the single lanes of a folder, also of lanes that do not count for the airport. `terminal` names the lane. */
export function readLaneFolder(folder: string, localeOf: LocaleOf = directoryLocale): HourlySeries[] {
  const waits = readRows(folder).flatMap(waitOfAnyLane)
  return seriesOfWaits(waits, ({ lane }) => [lane], localeOf).filter(hasEnoughToTeach)
}

/**
 * Reads the usable readings of a folder. Files are csv.gz with the columns airport, terminal, lane, observed_at,
 * wait_minutes and optionally checkpoint, wait_low, wait_high and status.
 */
export function readLaneWaits(folder: string): LaneWait[] {
  return readRows(folder).flatMap(laneWait)
}

function readRows(folder: string): CsvRow[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.csv.gz'))
    .flatMap((name): CsvRow[] => {
      const text = gunzipSync(readFileSync(join(folder, name)))
      return parse(text, { columns: true, bom: true, relax_column_count: true })
    })
}

/** Sums readings up to hourly series of airports and terminals. */
export function seriesOfLaneWaits(waits: readonly LaneWait[], localeOf: LocaleOf = directoryLocale): HourlySeries[] {
  return seriesOfWaits(waits, ({ terminal }) => [...new Set(['', terminal])], localeOf)
}

/** Sums readings up to hourly series; `namesOf` gives those that a reading counts in. */
function seriesOfWaits(
  waits: readonly LaneWait[],
  namesOf: (wait: LaneWait) => readonly string[],
  localeOf: LocaleOf,
): HourlySeries[] {
  const sums: HourSums = new Map()
  for (const wait of waits) addReading(sums, wait, namesOf(wait))
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([key, hours]) => seriesOf(key, hours, localeOf))
}

function laneWait(row: CsvRow): LaneWait[] {
  const lane = laneOfHistoryCell(row.lane ?? '')
  return lane === 'standard' || lane === 'all' ? waitOfAnyLane(row) : []
}

function waitOfAnyLane(row: CsvRow): LaneWait[] {
  const lane = laneOfHistoryCell(row.lane ?? '')
  const minutes = waitMinutes(row)
  if (minutes === null || row.status === 'closed') return []
  const { airport: iata = '', terminal = '', checkpoint = '' } = row
  const observed_ms = Date.parse(row.observed_at ?? '')
  return [{ iata, terminal, lane: `${terminal}/${checkpoint}/${lane}`, observed_ms, minutes }]
}

function addReading(sums: HourSums, wait: LaneWait, names: readonly string[]): void {
  const hour = Math.floor(wait.observed_ms / HOUR_MS) * HOUR_MS
  for (const name of names) {
    const key = `${wait.iata}|${name}`
    const hours = sums.get(key) ?? new Map<number, HourSum>()
    const hourSum = hours.get(hour) ?? { sum: 0, samples: 0 }
    sums.set(key, hours.set(hour, { sum: hourSum.sum + wait.minutes, samples: hourSum.samples + 1 }))
  }
}

/** The published minutes, else the middle of the range, else the one bound that is known. */
function waitMinutes(row: CsvRow): number | null {
  const number = (text: string | undefined) => (text ? Number(text) : null)
  const minutes = number(row.wait_minutes)
  if (minutes !== null) return minutes
  const low = number(row.wait_low)
  const high = number(row.wait_high)
  return low !== null && high !== null ? (low + high) / 2 : (low ?? high)
}

function seriesOf(key: string, hours: Map<number, HourSum>, localeOf: LocaleOf): HourlySeries[] {
  const [iata = '', terminal = ''] = key.split('|')
  const locale = localeOf(iata)
  if (!locale) return []
  const sorted = [...hours].sort(([a], [b]) => a - b)
  const column = (pick: (hour: number, hourSum: HourSum) => number) =>
    Float64Array.from(sorted, ([hour, hourSum]) => pick(hour, hourSum))
  return [
    {
      iata,
      terminal,
      timezone: locale.timezone,
      country: locale.country,
      hour_ms: column((hour) => hour),
      available_ms: column((hour) => hour + HOUR_MS),
      mean: column((_, { sum, samples }) => sum / samples),
      samples: column((_, { samples }) => samples),
    },
  ]
}

function directoryLocale(iata: string): AirportLocale | null {
  return airportDirectory().byIata.get(iata) ?? null
}
