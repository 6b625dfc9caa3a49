import { freshnessOf, type Lane, type QueueKind, type QueueStatus } from '../../../config/domain.ts'
import type { CheckpointWait, Provenance, QueueWait, TerminalWait } from '../../../config/facts.ts'
import { basisOf } from '../../../config/publishers.ts'

/** Newest unflagged reading of one lane. */
export interface LatestReading {
  kind: QueueKind
  source: string
  iata: string
  terminal: string
  checkpoint: string
  lane: Lane
  observed_at: string
  wait_minutes: number | null
  wait_minutes_low: number | null
  wait_minutes_high: number | null
  status: QueueStatus
}

/** A lane last seen this much before its source's newest reading has vanished from the feed. */
const VANISHED_SECONDS = 1_800
/** Two figures of one queue that are further apart than this cannot both be right. */
export const DISAGREEMENT_MINUTES = 15

const NO_LANE = 'No open standard lane has a wait.'

/** A reading as one number: as published, else the middle of its range, else its one bound. */
const middle = (reading: LatestReading) =>
  reading.wait_minutes ??
  (reading.wait_minutes_low !== null && reading.wait_minutes_high !== null
    ? (reading.wait_minutes_low + reading.wait_minutes_high) / 2
    : (reading.wait_minutes_low ?? reading.wait_minutes_high))

/** Whether a reading takes part in averages: it is of an open standard (or unsplit) lane and has a wait. */
export const counts = (reading: LatestReading) =>
  (reading.lane === 'standard' || reading.lane === 'all') && reading.status !== 'closed' && middle(reading) !== null

/** Age of an instant at `now` (epoch ms), in whole seconds; an instant a little ahead of our clock is now. */
export const ageSeconds = (instant: string, now: number) => Math.max(0, Math.round((now - Date.parse(instant)) / 1_000))

/** Where a figure from some readings comes from: as old as the oldest of them, reported as soon as one of them is. */
function provenanceOf(readings: LatestReading[], now: number): Provenance {
  const [oldest = null] = readings.map(({ observed_at }) => observed_at).sort()
  const sources = [...new Set(readings.map(({ source }) => source))]
  const age = oldest === null ? null : ageSeconds(oldest, now)
  return {
    basis: sources.length === 0 ? null : basisOf(sources),
    observed_at: oldest,
    age_seconds: age,
    source: sources.length === 0 ? null : sources.join('+'),
    freshness: age === null ? null : freshnessOf(age),
  }
}

const wholeMinutes = (minutes: number | null) => (minutes === null ? null : Math.round(minutes))

function checkpointView(reading: LatestReading, now: number): CheckpointWait {
  const wait = reading.status === 'closed' ? null : middle(reading)
  const low = wholeMinutes(reading.wait_minutes_low)
  const high = wholeMinutes(reading.wait_minutes_high)
  return {
    checkpoint: reading.checkpoint,
    lane: reading.lane,
    wait_minutes: wholeMinutes(wait),
    range: reading.status === 'closed' || (low === null && high === null) ? null : { low, high },
    open: reading.status === 'unknown' ? null : reading.status === 'open',
    ...provenanceOf([reading], now),
    observed_at: reading.observed_at,
  }
}

function average(readings: LatestReading[]): number | null {
  const waits = readings.filter(counts).map((reading) => middle(reading) ?? 0)
  return waits.length === 0 ? null : Math.round(waits.reduce((sum, wait) => sum + wait, 0) / waits.length)
}

/** A terminal's figure; one without is as old as what says so. */
function terminalView(terminal: string, readings: LatestReading[], now: number): TerminalWait {
  const counted = readings.filter(counts)
  return {
    terminal,
    wait_minutes: average(readings),
    ...provenanceOf(counted.length > 0 ? counted : readings, now),
    unavailable_reason: counted.length > 0 ? null : NO_LANE,
    checkpoints: readings.map((reading) => checkpointView(reading, now)),
  }
}

/** One source's readings without the lanes that have vanished from its feed by `now` (epoch ms). */
export function presentLanes(readings: LatestReading[], now: number): LatestReading[] {
  const newest = Math.min(...readings.map((reading) => ageSeconds(reading.observed_at, now)))
  return readings.filter((reading) => ageSeconds(reading.observed_at, now) - newest < VANISHED_SECONDS)
}

/** The answer that some readings of one queue give together; null when no open standard lane has a wait. */
export function waitOf(readings: LatestReading[], now: number): QueueWait | null {
  const wait = average(readings)
  if (wait === null) return null
  const terminals = [...new Set(readings.map((reading) => reading.terminal))].sort()
  return {
    average_wait_minutes: wait,
    unavailable_reason: null,
    ...provenanceOf(readings.filter(counts), now),
    terminals: terminals.map((terminal) =>
      terminalView(
        terminal,
        readings.filter((reading) => reading.terminal === terminal),
        now,
      ),
    ),
  }
}

/**
 * One source's answer for one queue of one airport: the average over open standard (or unsplit) lanes, as old as the
 * oldest reading in it. Null when no such lane has a wait: then the airport falls back to what is expected.
 */
export function queueWait(readings: LatestReading[], now: number): QueueWait | null {
  return waitOf(presentLanes(readings, now), now)
}
