import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { airportDirectory } from '../../config/airports/directory.ts'
import { HOUR_MS, MINUTE_MS } from '../../config/domain.ts'
import { laneOfHistoryCell } from '../../config/lanes.ts'
import type { ObservedOpenHour } from '../../warehouse/publishing/waits/learned-hours.ts'

/** Whether a queue was open, hour by hour. */
export interface OpenSeries {
  iata: string
  /** Empty for the airport as a whole. */
  terminal: string
  timezone: string
  /** Ascending by hour; an hour without a status is absent. */
  hours: ObservedOpenHour[]
}

type CsvRow = Partial<Record<string, string>>

const SLOT_MS = 10 * MINUTE_MS

/** Reads whether queues were open from a folder of historical readings, as the warehouse sums it up: a queue is open while any standard or unsplit lane is. */
export function readOpenSeries(folder: string): OpenSeries[] {
  const queues = new Map<string, Map<number, boolean>>()
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.csv.gz'))) {
    const rows: CsvRow[] = parse(gunzipSync(readFileSync(join(folder, name))), {
      columns: true,
      bom: true,
      relax_column_count: true,
    })
    for (const row of rows) addStatus(queues, row)
  }
  return [...queues]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, slots]) => {
      const [iata = '', terminal = ''] = key.split('|')
      const timezone = airportDirectory().byIata.get(iata)?.timezone
      return timezone === undefined ? [] : [{ iata, terminal, timezone, hours: hoursOfSlots(slots) }]
    })
}

function addStatus(queues: Map<string, Map<number, boolean>>, row: CsvRow): void {
  const lane = laneOfHistoryCell(row.lane ?? '')
  if (lane !== 'standard' && lane !== 'all') return
  const isClosed = row.status === 'closed'
  if (!isClosed && row.status !== 'open' && !(Number(row.wait_minutes) > 0)) return
  const slot = Math.floor(Date.parse(row.observed_at ?? '') / SLOT_MS) * SLOT_MS
  const { airport = '', terminal = '' } = row
  for (const key of new Set([`${airport}|`, `${airport}|${terminal}`])) {
    const slots = queues.get(key) ?? new Map<number, boolean>()
    queues.set(key, slots.set(slot, !isClosed || slots.get(slot) === true))
  }
}

function hoursOfSlots(slots: ReadonlyMap<number, boolean>): ObservedOpenHour[] {
  const hours = new Map<number, ObservedOpenHour>()
  let lastClosed = Number.NEGATIVE_INFINITY
  for (const [slot, isOpen] of [...slots].sort(([a], [b]) => a - b)) {
    const start = Math.floor(slot / HOUR_MS) * HOUR_MS
    const hour = hours.get(start) ?? {
      hour: start,
      slots: 0,
      open_slots: 0,
      first_open_at: null,
      follows_closure: false,
    }
    hour.slots += 1
    if (isOpen) {
      hour.open_slots += 1
      hour.first_open_at ??= slot
      hour.follows_closure ||= slot - lastClosed <= HOUR_MS
    } else lastClosed = slot
    hours.set(start, hour)
  }
  return [...hours.values()]
}
