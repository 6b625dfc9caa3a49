import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { airportDirectory } from '../../config/airports/directory.ts'
import { HOUR_MS } from '../../config/domain.ts'
import { laneOfHistoryCell } from '../../config/lanes.ts'
import { parseCsv } from './csv.ts'
import type { HourlySeries } from './hourly-series.ts'

/** What a series must know of its airport. */
export type Place = Pick<HourlySeries, 'timezone' | 'country'>

interface HourSum {
  sum: number
  samples: number
}

/**
 * Reads one folder of historical security readings (csv.gz with airport, terminal, lane, observed_at, wait_minutes and
 * optionally wait_low, wait_high, status) and sums it up as the warehouse's rollup does: hourly mean over open standard
 * or unsplit lanes, known when the hour has ended. One series an airport, then one a named terminal.
 */
export function readHistoryFolder(
  folder: string,
  placeOf: (iata: string) => Place | null = directoryPlace,
): HourlySeries[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.csv.gz'))
  const sums = new Map<string, Map<number, HourSum>>()
  for (const name of files)
    for (const row of parseCsv(gunzipSync(readFileSync(join(folder, name))).toString('utf8'))) addReading(sums, row)
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([key, hours]) => seriesOf(key, hours, placeOf))
}

function addReading(sums: Map<string, Map<number, HourSum>>, row: Record<string, string>): void {
  const lane = laneOfHistoryCell(row.lane ?? '')
  const minutes = usableMinutes(row)
  if (minutes === null || row.status === 'closed' || (lane !== 'standard' && lane !== 'all')) return
  const hour = Math.floor(Date.parse(row.observed_at ?? '') / HOUR_MS) * HOUR_MS
  for (const terminal of new Set(['', row.terminal ?? ''])) {
    const key = `${row.airport}|${terminal}`
    let hours = sums.get(key)
    if (!hours) {
      hours = new Map()
      sums.set(key, hours)
    }
    const bucket = hours.get(hour)
    if (!bucket) hours.set(hour, { sum: minutes, samples: 1 })
    else {
      bucket.sum += minutes
      bucket.samples++
    }
  }
}

function usableMinutes(row: Record<string, string>): number | null {
  const [minutes, low, high] = [row.wait_minutes, row.wait_low, row.wait_high].map((text) =>
    text ? Number(text) : null,
  )
  if (minutes != null) return minutes
  return low != null && high != null ? (low + high) / 2 : (low ?? high ?? null)
}

function seriesOf(key: string, hours: Map<number, HourSum>, placeOf: (iata: string) => Place | null): HourlySeries[] {
  const [iata = '', terminal = ''] = key.split('|')
  const place = placeOf(iata)
  if (!place) return []
  const sorted = [...hours].sort(([a], [b]) => a - b)
  const column = (pick: (hour: number, bucket: HourSum) => number) =>
    Float64Array.from(sorted, ([hour, bucket]) => pick(hour, bucket))
  return [
    {
      iata,
      terminal,
      timezone: place.timezone,
      country: place.country,
      hour_ms: column((hour) => hour),
      available_ms: column((hour) => hour + HOUR_MS),
      mean: column((_, { sum, samples }) => sum / samples),
      samples: column((_, { samples }) => samples),
    },
  ]
}

function directoryPlace(iata: string): Place | null {
  return airportDirectory().byIata.get(iata) ?? null
}
