import type { QueueWait } from '../../../config/answer-schemas.ts'
import { groupBy } from '../../../config/group-by.ts'
import { publisherOf, publisherRank, sourceOf } from '../../../config/publishers.ts'
import { normalizeTerminalName } from '../../../config/terminal-name.ts'
import {
  ageSeconds,
  EXPIRY_SECONDS,
  FRESH_SECONDS,
  FRESHNESS_STEPS,
  type QueueKind,
} from '../../../config/vocabulary.ts'
import {
  DISAGREEMENT_MINUTES,
  isCounted,
  isStandard,
  type LatestReading,
  statusOf,
  statusOfLanes,
  waitOfReadings,
  withoutVanishedLanes,
} from './queue-wait.ts'

/** One source's readings of one queue. */
interface SourceReadings {
  readings: LatestReading[]
  /** Place of the publisher in the order from the queue outwards, from 0. */
  rank: number
  /** The normalized names of its terminals; empty for the whole airport. */
  names: ReadonlySet<string>
  /** All its standard lanes are closed. */
  is_closed: boolean
}

/** A source with something that may be shown: minutes, or a closure. */
interface SourceWait extends SourceReadings {
  wait: QueueWait
  /** Age of its newest reading that has minutes or is of a closed lane. */
  age_seconds: number
}

/**
 * The current wait of each queue that the latest readings cover, of one airport or of many, by this rule:  1. A reading that is
 * flagged, of a queue whose source stands still, or six hours old is not used. (A closed lane loses only the number; its closure still counts.) Sources of history are
 * not used. 2. Where one source says open and another says closed of the same terminal, the fresher observation counts and the
 * other    one is dropped. A source that has closed every lane speaks for the whole airport if the two share no terminal name,
 * unless it is an airline. A bare 0 without a status never says open. A closure under ten minutes old is not outweighed by    an
 * aggregator or travellers. 3. A source is fresh while its newest reading with minutes, or of a closed lane, is under an hour
 * old. The first source is    the fresh one whose publisher is nearest to the queue: airport, vendor, authority, airline,
 * import, aggregator,    travellers; within one rank the newest. Only when no source is fresh, the stale ones are used, in the
 * same order. 4. The terminals are those of the first source. Another source that names at least one of them too, so that both
 * use the    same terminal names, adds terminals that the first one lacks and replaces a stale figure by its own fresh one. 5.
 * An aggregator or travellers add nothing when their figure is more than 15 minutes away from the first source's. 6. The
 * airport's figure is the average over open standard (or unsplit) lanes of the result, as old as the oldest of    them, with the
 * ids of all sources in it (of travellers alone the median of their reports); it is `reported` when any of them is. It is closed when all of them are. 7. If no source has minutes
 * or a closure, the nearest one that answered says whether the queue is open.
 */
export function currentWaits(
  latest: readonly LatestReading[],
  now: number,
): { iata: string; kind: QueueKind; wait: QueueWait }[] {
  const queues = groupsBy(latest, ({ iata, kind }) => `${iata}/${kind}`)
  return queues.flatMap((readings) => {
    const [first] = readings
    const sources = groupsBy(readings, ({ source }) => source).flatMap((own) => sourceReadings(own, now))
    const wait = first && combineSources(withoutOutweighed(sources, now), now)
    return wait ? [{ iata: first.iata, kind: first.kind, wait }] : []
  })
}

function sourceReadings(readings: LatestReading[], now: number): SourceReadings[] {
  const id = readings[0]?.source ?? ''
  if (sourceOf(id)?.timeliness === 'history') return []
  const unexpired = readings.filter(({ observed_at }) => ageSeconds(observed_at, now) < EXPIRY_SECONDS)
  const present = withoutVanishedLanes(unexpired, now)
  if (present.length === 0) return []
  const names = new Set(present.map(nameOf))
  return [
    { readings: present, rank: publisherRank(publisherOf(id)), names, is_closed: statusOfLanes(present) === 'closed' },
  ]
}

const nameOf = ({ terminal }: LatestReading) => normalizeTerminalName(terminal)

/** The standard lanes of one terminal as one source sees them. */
interface TerminalGroup {
  source: SourceReadings
  name: string
  lanes: LatestReading[]
  /** Epoch ms of the newest lane that has this state. */
  observed_ms: number
}

/** The sources without terminals for which another source has a fresher, contrary observation. */
function withoutOutweighed(sources: SourceReadings[], now: number): SourceReadings[] {
  if (sources.length < 2) return sources
  const groups = sources.flatMap(terminalGroups)
  const closures = groups.filter(({ lanes }) => statusOfLanes(lanes) === 'closed')
  const openings = groups.filter((group) => !closures.includes(group))
  const dropped = new Set<LatestReading>()
  for (const closure of closures)
    for (const opening of openings) {
      if (!speakOfOneQueue(closure, opening)) continue
      const loser = closureCounts(closure, opening, now) ? opening : closure
      for (const lane of loser.lanes) dropped.add(lane)
    }
  if (dropped.size === 0) return sources
  return sources.flatMap((source) => {
    const readings = source.readings.filter((reading) => !dropped.has(reading))
    return readings.length === 0 ? [] : [{ ...source, readings, is_closed: statusOfLanes(readings) === 'closed' }]
  })
}

function terminalGroups(source: SourceReadings): TerminalGroup[] {
  return groupsBy(source.readings.filter(isStandard), nameOf).flatMap((lanes) => {
    const [first] = lanes
    const says = lanes.filter((lane) => isCounted(lane) || statusOf(lane) !== 'unknown')
    if (!first || says.length === 0) return []
    return [
      {
        source,
        name: nameOf(first),
        lanes,
        observed_ms: Math.max(...says.map((lane) => Date.parse(lane.observed_at))),
      },
    ]
  })
}

const AIRLINE = publisherRank('airline')
const AGGREGATOR = publisherRank('aggregator')
const LIVE_SECONDS = FRESHNESS_STEPS[0][1]

/** Whether a closure and an opening of two sources are about the same queue. */
function speakOfOneQueue(closure: TerminalGroup, opening: TerminalGroup): boolean {
  if (closure.source === opening.source) return false
  if (closure.name === opening.name) return true
  const isShared = [...closure.source.names].some((name) => name !== '' && opening.source.names.has(name))
  const speakForAll = closure.source.is_closed && closure.source.rank !== AIRLINE
  return !isShared && speakForAll
}

/** Whether a closure counts against an opening: it is the fresher of the two, or the more credible one. */
function closureCounts(closure: TerminalGroup, opening: TerminalGroup, now: number): boolean {
  if (closure.observed_ms >= opening.observed_ms || statusOfLanes(opening.lanes) !== 'open') return true
  const isNearer = opening.source.rank >= AGGREGATOR && closure.source.rank < opening.source.rank
  return isNearer && now - closure.observed_ms < LIVE_SECONDS * 1_000
}

/** Whether a reading may be shown: it has minutes, or says that its standard lane is closed. */
const isShowable = (reading: LatestReading) =>
  isCounted(reading) || (isStandard(reading) && statusOf(reading) === 'closed')

function combineSources(sources: SourceReadings[], now: number): QueueWait | null {
  const showable = sources.flatMap((source) => sourceWait(source, now))
  const fresh = showable.filter(({ age_seconds }) => age_seconds < FRESH_SECONDS)
  // An airline closes its own terminals only, so its closure does not silence what is known of the others.
  const speakForAll = fresh.some(({ is_closed, rank }) => !is_closed || rank !== AIRLINE)
  const usable = speakForAll ? fresh : showable
  const [first, ...others] = usable.toSorted((a, b) => a.rank - b.rank || a.age_seconds - b.age_seconds)
  if (!first) return answeredWithoutFigure(sources, now)
  let readings = first.readings
  for (const other of others) if (mayAddTerminals(other, first)) readings = withTerminalsOf(other, readings, now)
  return waitOfReadings(readings, now)
}

function sourceWait(source: SourceReadings, now: number): SourceWait[] {
  const ages = source.readings.filter(isShowable).map(({ observed_at }) => ageSeconds(observed_at, now))
  const hasFigure = source.readings.some(isCounted) || source.is_closed
  const wait = hasFigure ? waitOfReadings(source.readings, now) : null
  return wait ? [{ ...source, wait, age_seconds: Math.min(...ages) }] : []
}

/** The queue by the nearest source that answered without minutes or a closure; null when none did. */
function answeredWithoutFigure(sources: SourceReadings[], now: number): QueueWait | null {
  const [nearest] = sources.toSorted((a, b) => a.rank - b.rank || newestAge(a, now) - newestAge(b, now))
  return nearest ? waitOfReadings(nearest.readings, now) : null
}

const newestAge = ({ readings }: SourceReadings, now: number) =>
  Math.min(...readings.map(({ observed_at }) => ageSeconds(observed_at, now)))

function mayAddTerminals(other: SourceWait, first: SourceWait): boolean {
  const sharesTerminal = [...other.names].some((name) => name !== '' && first.names.has(name))
  const [ours, theirs] = [first.wait.average_wait_minutes, other.wait.average_wait_minutes]
  const difference = ours === null || theirs === null ? 0 : Math.abs(theirs - ours)
  return sharesTerminal && (other.rank < AGGREGATOR || difference <= DISAGREEMENT_MINUTES)
}

/** The readings with those terminals of another source that are missing among them, or are fresh there and stale here. */
function withTerminalsOf(other: SourceWait, readings: LatestReading[], now: number): LatestReading[] {
  return groupsBy(other.readings, nameOf).reduce((result, theirs) => {
    const name = theirs[0] ? nameOf(theirs[0]) : ''
    const ours = result.filter((reading) => nameOf(reading) === name)
    const isMissing = ours.length === 0
    const isFresher = !isFreshAt(ours, now) && ours.some(isShowable) && isFreshAt(theirs, now)
    if (name === '' || !theirs.some(isShowable) || !(isMissing || isFresher)) return result
    return [...result.filter((reading) => !ours.includes(reading)), ...theirs]
  }, readings)
}

/** Whether a terminal's figure, which is as old as its oldest reading in it, is fresh. */
function isFreshAt(readings: LatestReading[], now: number): boolean {
  const counted = readings.filter(isCounted)
  const behind = counted.length > 0 ? counted : readings.filter(isShowable)
  const oldest = Math.max(...behind.map(({ observed_at }) => ageSeconds(observed_at, now)))
  return behind.length > 0 && oldest < FRESH_SECONDS
}

const groupsBy = (readings: readonly LatestReading[], keyOf: (reading: LatestReading) => string): LatestReading[][] => [
  ...groupBy(readings, keyOf).values(),
]
