import { DAY_MS, isoUtc, type QueueKind } from '../../config/domain.ts'
import { observedWaitsSelect } from '../../warehouse/storage/rollup-sql.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import type { LaneWait } from '../history/history-files.ts'

/** The waits of one airport as they were shown over time, ascending by instant. */
export interface ObservedWaits {
  iata: string
  /** When the newest reading was made, epoch ms. */
  observed_ms: Float64Array
  /** Mean over the lanes with a reading, minutes. */
  minutes: Float64Array
}

/** A lane whose last reading is this much older than the newest one is no longer in the feed, as in current waits. */
const VANISHED_MS = 1_800_000
/** Readings within this time are one scan of an airport's lanes. */
const SCAN_MS = 60_000

/** The waits of each airport from readings of its lanes. */
export function observedWaits(readings: readonly LaneWait[]): Map<string, ObservedWaits> {
  const byIata = new Map<string, LaneWait[]>()
  for (const reading of readings) {
    const own = byIata.get(reading.iata)
    if (own) own.push(reading)
    else byIata.set(reading.iata, [reading])
  }
  return new Map([...byIata].map(([iata, own]) => [iata, waitsOfAirport(iata, own)]))
}

function waitsOfAirport(iata: string, readings: readonly LaneWait[]): ObservedWaits {
  const sorted = readings.toSorted((a, b) => a.observed_ms - b.observed_ms)
  const lanes = new Map<string, LaneWait>()
  const instants: number[] = []
  const minutes: number[] = []
  for (let next = 0; next < sorted.length; ) {
    const instant = sorted[next]!.observed_ms
    for (; next < sorted.length && sorted[next]!.observed_ms - instant < SCAN_MS; next++)
      lanes.set(sorted[next]!.lane, sorted[next]!)
    for (const [lane, { observed_ms }] of lanes) if (instant - observed_ms > VANISHED_MS) lanes.delete(lane)
    const waits = [...lanes.values()].map((reading) => reading.minutes)
    instants.push(instant)
    minutes.push(waits.reduce((sum, wait) => sum + wait, 0) / waits.length)
  }
  return { iata, observed_ms: Float64Array.from(instants), minutes: Float64Array.from(minutes) }
}

export interface ObservedWaitsRequest {
  kind: QueueKind
  /** Only readings that could have been known by then, of the days before it; epoch ms. */
  cutoff_ms: number
  days: number
}

/** The waits that each airport showed over the last days, half hour by half hour, from the warehouse's readings. */
export async function readObservedWaits(
  warehouse: Warehouse,
  { kind, cutoff_ms, days }: ObservedWaitsRequest,
): Promise<Map<string, ObservedWaits>> {
  const from = isoUtc(cutoff_ms - days * DAY_MS)
  const readings = `SELECT * FROM readings WHERE kind = $kind AND date >= $day AND observed_at >= $from::TIMESTAMPTZ
    AND available_at <= $cutoff::TIMESTAMPTZ`
  const columns = await warehouse.columns(observedWaitsSelect(readings), {
    kind,
    from,
    day: from.slice(0, 10),
    cutoff: isoUtc(cutoff_ms),
  })
  const iatas = columns['iata'] as string[]
  const waits = new Map<string, ObservedWaits>()
  for (let start = 0; start < iatas.length; ) {
    const first = start
    const iata = iatas[first]!
    const end = iatas.lastIndexOf(iata) + 1
    const slice = (name: string) =>
      Float64Array.from({ length: end - first }, (_, k) => Number(columns[name]![first + k]))
    waits.set(iata, { iata, observed_ms: slice('observed_at'), minutes: slice('minutes') })
    start = end
  }
  return waits
}
