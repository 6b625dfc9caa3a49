import { EXPIRY_SECONDS, FRESH_SECONDS, type QueueKind } from '../../../config/domain.ts'
import type { QueueWait } from '../../../config/facts.ts'
import { publisherOf, publisherRank, sourceOf } from '../../../config/publishers.ts'
import { normalizeTerminalName } from '../../../config/terminal-name.ts'
import {
  ageSeconds,
  DISAGREEMENT_MINUTES,
  isCounted,
  type LatestReading,
  waitOfReadings,
  withoutVanishedLanes,
} from './queue-wait.ts'

/** The readings of one queue by one source, and the wait they give. */
interface SourceWait {
  readings: LatestReading[]
  wait: QueueWait
  /** Place of the publisher in the order from the queue outwards, from 0. */
  rank: number
  /** Age of its newest counted reading. */
  age_seconds: number
}

/**
 * The current wait of each queue that the latest readings cover, of one airport or of many, by this rule:
 *
 * 1. A reading that is flagged or six hours old is not used. (Of a closed lane only the number is dropped; that the lane
 *    is closed still counts.) Sources of history are not used.
 * 2. A source is fresh while its newest counted reading is under an hour old. The first source is the fresh one whose
 *    publisher is nearest to the queue: airport, vendor, authority, airline, import, aggregator, travellers; within one
 *    rank the newest. Only when no source is fresh, the stale ones are used, in the same order.
 * 3. The terminals are those of the first source. Another source that names at least one of them too, so that both use the
 *    same terminal names, adds terminals that the first one lacks and replaces a stale figure by its own fresh one.
 * 4. An aggregator or travellers add nothing when their figure is more than 15 minutes away from the first source's.
 * 5. The airport's figure is the average over open standard (or unsplit) lanes of the result, as old as the oldest of
 *    them, with the ids of all sources in it; it is `reported` when any of them is.
 */
export function currentWaits(
  latest: readonly LatestReading[],
  now: number,
): { iata: string; kind: QueueKind; wait: QueueWait }[] {
  const queues = groupBy(latest, ({ iata, kind }) => `${iata}/${kind}`)
  return queues.flatMap((readings) => {
    const [first] = readings
    const bySource = groupBy(readings, ({ source }) => source).flatMap((own) => sourceWait(own, now) ?? [])
    const wait = first && combineSources(bySource, now)
    return wait ? [{ iata: first.iata, kind: first.kind, wait }] : []
  })
}

function sourceWait(readings: LatestReading[], now: number): SourceWait | null {
  const id = readings[0]?.source ?? ''
  if (sourceOf(id)?.timeliness === 'history') return null
  const unexpired = readings.filter(({ observed_at }) => ageSeconds(observed_at, now) < EXPIRY_SECONDS)
  const present = withoutVanishedLanes(unexpired, now)
  const wait = waitOfReadings(present, now)
  if (!wait) return null
  const age_seconds = Math.min(...present.filter(isCounted).map(({ observed_at }) => ageSeconds(observed_at, now)))
  return { readings: present, wait, rank: publisherRank(publisherOf(id)), age_seconds }
}

function combineSources(sources: SourceWait[], now: number): QueueWait | null {
  const fresh = sources.filter(({ age_seconds }) => age_seconds < FRESH_SECONDS)
  const usable = fresh.length > 0 ? fresh : sources
  const [first, ...others] = usable.toSorted((a, b) => a.rank - b.rank || a.age_seconds - b.age_seconds)
  if (!first) return null
  let readings = first.readings
  for (const other of others) if (mayAddTerminals(other, first)) readings = withTerminalsOf(other, readings, now)
  return waitOfReadings(readings, now)
}

function mayAddTerminals(other: SourceWait, first: SourceWait): boolean {
  const names = new Set(first.readings.map(({ terminal }) => normalizeTerminalName(terminal)))
  const sharesTerminal = other.readings.some(
    ({ terminal }) => terminal !== '' && names.has(normalizeTerminalName(terminal)),
  )
  const difference = Math.abs((other.wait.average_wait_minutes ?? 0) - (first.wait.average_wait_minutes ?? 0))
  return sharesTerminal && (other.rank < publisherRank('aggregator') || difference <= DISAGREEMENT_MINUTES)
}

/** The readings with those terminals of another source that are missing among them, or are fresh there and stale here. */
function withTerminalsOf(other: SourceWait, readings: LatestReading[], now: number): LatestReading[] {
  const terminals = groupBy(other.readings, ({ terminal }) => normalizeTerminalName(terminal))
  return terminals.reduce((result, theirs) => {
    const name = normalizeTerminalName(theirs[0]?.terminal ?? '')
    const ours = result.filter(({ terminal }) => normalizeTerminalName(terminal) === name)
    const isMissing = ours.length === 0
    const isFresher = !isFreshAt(ours, now) && ours.some(isCounted) && isFreshAt(theirs, now)
    if (name === '' || !theirs.some(isCounted) || !(isMissing || isFresher)) return result
    return [...result.filter((reading) => !ours.includes(reading)), ...theirs]
  }, readings)
}

/** Whether a terminal's figure, which is as old as its oldest counted reading, is fresh. */
function isFreshAt(readings: LatestReading[], now: number): boolean {
  const counted = readings.filter(isCounted)
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
