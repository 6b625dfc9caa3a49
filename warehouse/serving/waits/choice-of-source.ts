import { CLOCK_AHEAD_MS, EXPIRY_SECONDS, FRESH_SECONDS, type QueueKind } from '../../../config/domain.ts'
import type { QueueWait } from '../../../config/facts.ts'
import { publisherOf, publisherRank, sourceOf } from '../../../config/publishers.ts'
import { normalizeTerminalName } from '../../../config/terminal-name.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { ageSeconds, counts, DISAGREEMENT_MINUTES, type LatestReading, presentLanes, waitOf } from './queue-wait.ts'

export { type LatestReading, queueWait } from './queue-wait.ts'

/** The newest unflagged reading of every lane, or of those of one airport, that is not yet expired at `now` (epoch ms). */
export function latestReadings(
  warehouse: Warehouse,
  now: number,
  iata: string | null = null,
): Promise<LatestReading[]> {
  const from = new Date(now - EXPIRY_SECONDS * 1_000).toISOString()
  return warehouse.query<LatestReading>(
    `SELECT kind, source, iata, terminal, checkpoint, lane, observed_at, wait_minutes, wait_minutes_low, wait_minutes_high, status
     FROM readings
     WHERE date >= $day AND observed_at > $from::TIMESTAMPTZ AND observed_at <= $to::TIMESTAMPTZ
       AND ($iata IS NULL OR iata = $iata) AND (len(flags) = 0 OR status = 'closed' AND flags = ['wait_on_closed'])
     QUALIFY row_number() OVER (PARTITION BY kind, source, iata, terminal, checkpoint, lane ORDER BY observed_at DESC) = 1
     ORDER BY iata, kind, source, terminal, checkpoint, lane`,
    { day: from.slice(0, 10), from, to: new Date(now + CLOCK_AHEAD_MS).toISOString(), iata },
  )
}

/** What one source says of one queue now. */
interface Told {
  readings: LatestReading[]
  wait: QueueWait
  rank: number
  /** Age of its newest counted reading. */
  age_seconds: number
}

/**
 * The current waits of the queues that some latest readings tell of, of one airport or of many, by this rule:
 *
 * 1. A reading that is flagged or six hours old takes no part. (A number on a closed lane is dropped; that the lane is
 *    closed still counts.) Sources of history take none.
 * 2. A source is fresh while its newest counted reading is under an hour old. The first source is the fresh one whose
 *    publisher stands nearest to the queue: airport, vendor, authority, airline, import, aggregator, travellers; the newest
 *    within one rank. Only where none is fresh, the stale ones are heard, by the same order.
 * 3. The terminals are the first source's. Where another source names at least one of them too, so that both speak of the
 *    same terminals, it fills in those that the first does not tell of, and replaces a stale figure by its fresh one.
 * 4. An aggregator, or travellers, more than 15 minutes away from the first source's figure fill in nothing.
 * 5. The airport's figure is the average over open standard (or unsplit) lanes of what is shown, as old as the oldest of
 *    them, with the ids of all sources in it; it is `reported` when any of them is.
 */
export function currentWaits(
  latest: readonly LatestReading[],
  now: number,
): { iata: string; kind: QueueKind; wait: QueueWait }[] {
  const queues = groupBy(latest, ({ iata, kind }) => `${iata}/${kind}`)
  return queues.flatMap((readings) => {
    const [first] = readings
    const told = groupBy(readings, ({ source }) => source).flatMap((own) => toldBy(own, now) ?? [])
    const wait = first && chosen(told, now)
    return wait ? [{ iata: first.iata, kind: first.kind, wait }] : []
  })
}

function toldBy(readings: LatestReading[], now: number): Told | null {
  const id = readings[0]?.source ?? ''
  if (sourceOf(id)?.timeliness === 'history') return null
  const unexpired = readings.filter(({ observed_at }) => ageSeconds(observed_at, now) < EXPIRY_SECONDS)
  const present = presentLanes(unexpired, now)
  const wait = waitOf(present, now)
  if (!wait) return null
  const age_seconds = Math.min(...present.filter(counts).map(({ observed_at }) => ageSeconds(observed_at, now)))
  return { readings: present, wait, rank: publisherRank(publisherOf(id)), age_seconds }
}

const isFresh = ({ age_seconds }: Told) => age_seconds < FRESH_SECONDS

function chosen(told: Told[], now: number): QueueWait | null {
  const fresh = told.filter(isFresh)
  const heard = (fresh.length > 0 ? fresh : told).toSorted((a, b) => a.rank - b.rank || a.age_seconds - b.age_seconds)
  const [first, ...others] = heard
  if (!first) return null
  let shown = first.readings
  for (const other of others) if (mayFillIn(other, first)) shown = filledIn(shown, other, now)
  return waitOf(shown, now)
}

function mayFillIn(other: Told, first: Told): boolean {
  const names = new Set(first.readings.map(({ terminal }) => normalizeTerminalName(terminal)))
  const shared = other.readings.some(({ terminal }) => terminal !== '' && names.has(normalizeTerminalName(terminal)))
  const apart = Math.abs((other.wait.average_wait_minutes ?? 0) - (first.wait.average_wait_minutes ?? 0))
  return shared && (other.rank < publisherRank('aggregator') || apart <= DISAGREEMENT_MINUTES)
}

/** What is shown, with the terminals of another source that are missing in it, or are fresh where it is stale. */
function filledIn(shown: LatestReading[], other: Told, now: number): LatestReading[] {
  const terminals = groupBy(other.readings, ({ terminal }) => normalizeTerminalName(terminal))
  return terminals.reduce((result, theirs) => {
    const name = normalizeTerminalName(theirs[0]?.terminal ?? '')
    const held = result.filter(({ terminal }) => normalizeTerminalName(terminal) === name)
    const better = held.length === 0 || (!freshAt(held, now) && held.some(counts) && freshAt(theirs, now))
    if (name === '' || !theirs.some(counts) || !better) return result
    return [...result.filter((reading) => !held.includes(reading)), ...theirs]
  }, shown)
}

/** Whether a terminal's figure, which is as old as its oldest counted reading, is fresh. */
function freshAt(readings: LatestReading[], now: number): boolean {
  const counted = readings.filter(counts)
  const oldest = Math.max(...counted.map(({ observed_at }) => ageSeconds(observed_at, now)))
  return counted.length > 0 && oldest < FRESH_SECONDS
}

function groupBy(readings: readonly LatestReading[], keyOf: (reading: LatestReading) => string): LatestReading[][] {
  const groups = new Map<string, LatestReading[]>()
  for (const reading of readings) {
    const group = groups.get(keyOf(reading)) ?? []
    group.push(reading)
    groups.set(keyOf(reading), group)
  }
  return [...groups.values()]
}
