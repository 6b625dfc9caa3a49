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
