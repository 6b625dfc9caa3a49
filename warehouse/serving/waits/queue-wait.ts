import {
  CLOCK_AHEAD_MS,
  EXPIRY_SECONDS,
  freshnessOf,
  type Lane,
  type QueueKind,
  type QueueStatus,
} from '../../../config/domain.ts'
import type { CheckpointWait, Provenance, QueueWait, TerminalWait } from '../../../config/facts.ts'
import { basisOf } from '../../../config/publishers.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { withKnownCrowdTerminals } from './crowd-terminals.ts'

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

/** A lane whose last reading is this much older than its source's newest reading is no longer in the feed. */
const VANISHED_SECONDS = 1_800
/** When two figures of one queue differ by more than this, at least one of them is wrong. */
export const DISAGREEMENT_MINUTES = 15

const NO_LANE = 'No open standard lane has a wait.'

/** The newest unflagged reading of every lane that has not expired at `now` (epoch ms), of all airports or of one. */
export async function latestReadings(
  warehouse: Warehouse,
  now: number,
  iata: string | null = null,
): Promise<LatestReading[]> {
  const from = new Date(now - EXPIRY_SECONDS * 1_000).toISOString()
  const rows = await warehouse.query<LatestReading>(
    `SELECT kind, source, iata, terminal, checkpoint, lane, observed_at, wait_minutes, wait_minutes_low, wait_minutes_high, status
     FROM readings
     WHERE date >= $day AND observed_at > $from::TIMESTAMPTZ AND observed_at <= $to::TIMESTAMPTZ
       AND ($iata IS NULL OR iata = $iata) AND (len(flags) = 0 OR status = 'closed' AND flags = ['wait_on_closed'])
     QUALIFY row_number() OVER (PARTITION BY kind, source, iata, terminal, checkpoint, lane ORDER BY observed_at DESC) = 1
     ORDER BY iata, kind, source, terminal, checkpoint, lane`,
    { day: from.slice(0, 10), from, to: new Date(now + CLOCK_AHEAD_MS).toISOString(), iata },
  )
  return withKnownCrowdTerminals(warehouse, rows, now)
}

/** A reading as one number of minutes: as published, else the middle of its range, else its one bound. */
function minutesOf({ wait_minutes, wait_minutes_low: low, wait_minutes_high: high }: LatestReading): number | null {
  if (wait_minutes !== null) return wait_minutes
  if (low !== null && high !== null) return (low + high) / 2
  return low ?? high
}

/** Whether a reading is averaged: it is of an open standard (or unsplit) lane and has a wait. */
export const isCounted = (reading: LatestReading) =>
  (reading.lane === 'standard' || reading.lane === 'all') && reading.status !== 'closed' && minutesOf(reading) !== null

/** Age of an instant at `now` (epoch ms), in whole seconds; 0 for an instant slightly ahead of our clock. */
export const ageSeconds = (instant: string, now: number) => Math.max(0, Math.round((now - Date.parse(instant)) / 1_000))

/** Provenance of a figure from some readings: as old as the oldest of them, `reported` when any of them is. */
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

function checkpointWait(reading: LatestReading, now: number): CheckpointWait {
  const { checkpoint, lane, status, observed_at, wait_minutes_low, wait_minutes_high } = reading
  const isClosed = status === 'closed'
  const hasRange = !isClosed && (wait_minutes_low !== null || wait_minutes_high !== null)
  return {
    checkpoint,
    lane,
    wait_minutes: isClosed ? null : wholeMinutes(minutesOf(reading)),
    range: hasRange ? { low: wholeMinutes(wait_minutes_low), high: wholeMinutes(wait_minutes_high) } : null,
    open: status === 'unknown' ? null : !isClosed,
    ...provenanceOf([reading], now),
    observed_at,
  }
}

/** Average of the counted readings in whole minutes; null when none counts. */
function averageMinutes(readings: LatestReading[]): number | null {
  const waits = readings.filter(isCounted).map((reading) => minutesOf(reading) ?? 0)
  return waits.length === 0 ? null : Math.round(waits.reduce((sum, wait) => sum + wait, 0) / waits.length)
}

/** A terminal's figure. Without one, the provenance is that of the readings that say so. */
function terminalWait(terminal: string, readings: LatestReading[], now: number): TerminalWait {
  const counted = readings.filter(isCounted)
  return {
    terminal,
    wait_minutes: averageMinutes(readings),
    ...provenanceOf(counted.length > 0 ? counted : readings, now),
    unavailable_reason: counted.length > 0 ? null : NO_LANE,
    checkpoints: readings.map((reading) => checkpointWait(reading, now)),
  }
}

/** One source's readings without the lanes that have vanished from its feed by `now` (epoch ms). */
export function withoutVanishedLanes(readings: LatestReading[], now: number): LatestReading[] {
  const newest = Math.min(...readings.map((reading) => ageSeconds(reading.observed_at, now)))
  return readings.filter((reading) => ageSeconds(reading.observed_at, now) - newest < VANISHED_SECONDS)
}

/** The wait of one queue from some readings of it; null when no open standard lane has a wait. */
export function waitOfReadings(readings: LatestReading[], now: number): QueueWait | null {
  const wait = averageMinutes(readings)
  if (wait === null) return null
  const terminals = [...new Set(readings.map((reading) => reading.terminal))].sort()
  return {
    average_wait_minutes: wait,
    unavailable_reason: null,
    ...provenanceOf(readings.filter(isCounted), now),
    terminals: terminals.map((terminal) =>
      terminalWait(
        terminal,
        readings.filter((reading) => reading.terminal === terminal),
        now,
      ),
    ),
  }
}

/**
 * The wait of one queue of one airport by one source: the average over open standard (or unsplit) lanes, as old as the
 * oldest reading in it. Null when no such lane has a wait.
 */
export function queueWait(readings: LatestReading[], now: number): QueueWait | null {
  return waitOfReadings(withoutVanishedLanes(readings, now), now)
}
