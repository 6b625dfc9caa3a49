import { freshnessOf, type Lane, type QueueKind, type QueueStatus } from '../../config/domain.ts'
import { sourceById } from '../../config/sources.ts'
import type { CheckpointWait, QueueWait, TerminalWait } from '../snapshot/types.ts'
import type { Warehouse } from '../warehouse.ts'

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

const EXPIRY_SECONDS = 21_600
/** A lane last seen this much before its source's newest reading has vanished from the feed. */
const VANISHED_SECONDS = 1_800
/** Publishers by how near they stand to the queue: the airport's own feed is heard first. */
const PUBLISHERS = ['airport', 'vendor', 'authority', 'airline', 'aggregator']

/** The newest unflagged reading of every lane that is not yet expired at `now` (epoch ms). */
export function latestReadings(warehouse: Warehouse, now: number): Promise<LatestReading[]> {
  const from = new Date(now - EXPIRY_SECONDS * 1_000).toISOString()
  return warehouse.query<LatestReading>(
    `SELECT kind, source, iata, terminal, checkpoint, lane, observed_at, wait_minutes, wait_minutes_low, wait_minutes_high, status
     FROM readings
     WHERE date >= $day AND observed_at > $from::TIMESTAMPTZ AND observed_at <= $to::TIMESTAMPTZ AND len(flags) = 0
     QUALIFY row_number() OVER (PARTITION BY kind, source, iata, terminal, checkpoint, lane ORDER BY observed_at DESC) = 1
     ORDER BY iata, kind, source, terminal, checkpoint, lane`,
    { day: from.slice(0, 10), from, to: new Date(now + 120_000).toISOString() },
  )
}

const middle = (reading: LatestReading) =>
  reading.wait_minutes ??
  (reading.wait_minutes_low !== null && reading.wait_minutes_high !== null
    ? (reading.wait_minutes_low + reading.wait_minutes_high) / 2
    : (reading.wait_minutes_low ?? reading.wait_minutes_high))

const counts = (reading: LatestReading) =>
  (reading.lane === 'standard' || reading.lane === 'all') && reading.status !== 'closed' && middle(reading) !== null

function average(readings: LatestReading[]): number | null {
  const waits = readings.filter(counts).map((reading) => middle(reading) ?? 0)
  return waits.length === 0 ? null : Math.round(waits.reduce((sum, wait) => sum + wait, 0) / waits.length)
}

function checkpointView(reading: LatestReading): CheckpointWait {
  const wait = middle(reading)
  const ranged = reading.wait_minutes_low !== null || reading.wait_minutes_high !== null
  return {
    checkpoint: reading.checkpoint,
    lane: reading.lane,
    wait_minutes: reading.status === 'closed' || wait === null ? null : Math.round(wait),
    range: ranged ? { low: reading.wait_minutes_low, high: reading.wait_minutes_high } : null,
    open: reading.status === 'unknown' ? null : reading.status === 'open',
    observed_at: reading.observed_at,
  }
}

function terminalViews(readings: LatestReading[]): TerminalWait[] {
  const names = [...new Set(readings.map((reading) => reading.terminal))].sort()
  return names.map((terminal) => {
    const own = readings.filter((reading) => reading.terminal === terminal)
    return { terminal, wait_minutes: average(own), checkpoints: own.map(checkpointView) }
  })
}

const ageSeconds = (instant: string, now: number) => Math.max(0, Math.round((now - Date.parse(instant)) / 1_000))

/**
 * One source's answer for one queue of one airport: the average over open standard (or unsplit) lanes, as old as the
 * oldest reading in it. Null when no such lane has a wait: then the airport falls back to what is expected.
 */
export function queueWait(readings: LatestReading[], now: number): QueueWait | null {
  const newest = Math.min(...readings.map((reading) => ageSeconds(reading.observed_at, now)))
  const present = readings.filter((reading) => ageSeconds(reading.observed_at, now) - newest < VANISHED_SECONDS)
  const wait = average(present)
  if (wait === null) return null
  const oldest =
    present
      .filter(counts)
      .map((reading) => reading.observed_at)
      .sort()[0] ?? ''
  const age = ageSeconds(oldest, now)
  return {
    average_wait_minutes: wait,
    unavailable_reason: null,
    basis: 'measured',
    observed_at: oldest,
    age_seconds: age,
    source: present[0]?.source ?? null,
    freshness: freshnessOf(age),
    terminals: terminalViews(present),
  }
}

/** Chooses among the sources of a queue: the freshest step first, within it the publisher nearest to the queue. */
export function currentWaits(
  latest: LatestReading[],
  now: number,
): { iata: string; kind: QueueKind; wait: QueueWait }[] {
  const groups = new Map<string, LatestReading[]>()
  for (const reading of latest) {
    if (sourceOf(reading.source)?.timeliness === 'history') continue
    const key = `${reading.iata}/${reading.kind}/${reading.source}`
    groups.set(key, [...(groups.get(key) ?? []), reading])
  }
  const best = new Map<string, { iata: string; kind: QueueKind; wait: QueueWait; rank: number }>()
  for (const readings of groups.values()) {
    const [first] = readings
    const wait = queueWait(readings, now)
    if (!first || !wait || wait.freshness === 'expired') continue
    const step = ['live', 'recent', 'stale'].indexOf(wait.freshness ?? 'stale')
    const publisher = PUBLISHERS.indexOf(sourceOf(first.source)?.publisher ?? 'aggregator')
    const rank = step * PUBLISHERS.length + publisher
    const key = `${first.iata}/${first.kind}`
    if (rank < (best.get(key)?.rank ?? Number.POSITIVE_INFINITY))
      best.set(key, { iata: first.iata, kind: first.kind, wait, rank })
  }
  return [...best.values()].map(({ iata, kind, wait }) => ({ iata, kind, wait }))
}

/** Imported rows have no entry in the catalogue. */
function sourceOf(id: string) {
  return id.startsWith('import') ? null : sourceById(id)
}
