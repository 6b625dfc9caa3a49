import {
  type CheckpointWait,
  CLOSED_REASON,
  type Provenance,
  type QueueWait,
  type StatusFields,
  type TerminalWait,
  UNKNOWN_STATUS,
} from '../../../config/answer-schemas.ts'
import { groupBy } from '../../../config/group-by.ts'
import { LANE_NAMES } from '../../../config/lanes.ts'
import { basisOf, CROWD_SOURCE, CROWD_WINDOW_MS } from '../../../config/publishers.ts'
import { shownName } from '../../../config/terminal-name.ts'
import {
  ageSeconds,
  CLOCK_AHEAD_MS,
  EXPIRY_SECONDS,
  freshnessOf,
  isoUtc,
  isRestrictedLane,
  isStandardLane,
  type Lane,
  type QueueKind,
  type QueueStatus,
} from '../../../config/vocabulary.ts'
import { median } from '../../../forecasting/statistics/statistics.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { withKnownCrowdTerminals } from './crowd-terminals.ts'
import { publishedOpening } from './stated-opening.ts'
import { type StillWaits, stillWaits } from './still-waits.ts'

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
  /** The words of the source, which may name the time at which a closed lane opens. */
  wait_text?: string | null
  /** The minutes that travellers reported, of which the wait is the median; absent for every other source. */
  reported_minutes?: number[]
}

/** A lane whose last reading is this much older than its source's newest reading is no longer in the feed. */
const VANISHED_SECONDS = 1_800
/** When two figures of one queue differ by more than this, at least one of them is wrong. */
export const DISAGREEMENT_MINUTES = 15

const NO_LANE = 'no open standard lane has a wait: the source gives none'

/**
 * The newest unflagged reading of every lane that has not expired at `now` (epoch ms), of all airports or of one; none with a wait of a queue
 * whose source stands still; `known` are those queues, where the caller has looked for them.
 */
export async function latestReadings(
  warehouse: Warehouse,
  now: number,
  iata: string | null = null,
  known?: readonly StillWaits[],
): Promise<LatestReading[]> {
  const from = new Date(now - EXPIRY_SECONDS * 1_000).toISOString()
  const rows = await warehouse.query<LatestReading>(
    `SELECT kind, source, iata, terminal, checkpoint, lane, observed_at, wait_minutes, wait_minutes_low, wait_minutes_high, status, wait_text
     FROM readings
     WHERE date >= $day AND observed_at > $from::TIMESTAMPTZ AND observed_at <= $to::TIMESTAMPTZ
       AND ($iata IS NULL OR iata = $iata) AND (len(flags) = 0 OR status = 'closed' AND flags = ['wait_on_closed'])
     WINDOW lane_of_source AS (PARTITION BY kind, source, iata, terminal, checkpoint, lane ORDER BY observed_at DESC)
     QUALIFY row_number() OVER lane_of_source = 1
       OR source = '${CROWD_SOURCE}' AND epoch_ms(first_value(observed_at) OVER lane_of_source) - epoch_ms(observed_at) < ${CROWD_WINDOW_MS}
     ORDER BY iata, kind, source, terminal, checkpoint, lane, observed_at DESC`,
    { day: from.slice(0, 10), from, to: new Date(now + CLOCK_AHEAD_MS).toISOString(), iata },
  )
  const queueOf = (row: Pick<LatestReading, 'source' | 'kind' | 'iata'>) => `${row.source}/${row.kind}/${row.iata}`
  const still = new Set((known ?? (await stillWaits(warehouse, now, iata))).map(queueOf))
  const moving = rows.filter((row) => row.status === 'closed' || !still.has(queueOf(row)))
  return withKnownCrowdTerminals(warehouse, withMedians(moving), now)
}

/**
 * The rows with one of each lane that travellers reported: the newest, with the median of all. The state hands over one report of each
 * traveller, so each has one voice.
 */
function withMedians(rows: LatestReading[]): LatestReading[] {
  const travellerRows = rows.filter(({ source }) => source === CROWD_SOURCE)
  const lanes = groupBy(travellerRows, ({ kind, iata, terminal, checkpoint, lane }) =>
    [kind, iata, terminal, checkpoint, lane].join('/'),
  )
  const medians = new Map(
    [...lanes.values()].map((reports) => {
      const [newest] = reports as [LatestReading]
      const waits = reports.flatMap(({ wait_minutes: minutes }) => minutes ?? [])
      if (newest.wait_minutes === null) return [newest, newest]
      return [newest, { ...newest, wait_minutes: median(waits), reported_minutes: waits }]
    }),
  )
  return rows.flatMap((row) => (row.source === CROWD_SOURCE ? (medians.get(row) ?? []) : row))
}

type PostedWait = Pick<LatestReading, 'wait_minutes'> &
  Partial<Pick<LatestReading, 'wait_minutes_low' | 'wait_minutes_high'>>

/** A reading as one number of minutes: as published, else the middle of its range, else its one bound. */
export function minutesOf(reading: PostedWait): number | null {
  const { wait_minutes, wait_minutes_low: low = null, wait_minutes_high: high = null } = reading
  if (wait_minutes !== null) return wait_minutes
  if (low !== null && high !== null) return (low + high) / 2
  return low ?? high
}

/** Whether a reading is of a standard (or unsplit) lane. Only these lanes are averaged and open or close a checkpoint. */
export const isStandard = ({ lane }: Pick<LatestReading, 'lane'>) => isStandardLane(lane)

/** Whether a reading is averaged: it is of an open standard (or unsplit) lane and has a wait. */
export const isCounted = (reading: LatestReading) =>
  isStandard(reading) && reading.status !== 'closed' && minutesOf(reading) !== null

/**
 * The status of a lane. A source that posts a wait above 0 without a status says that the lane is open; a bare 0 says
 * nothing, because many feeds post 0 for a lane that is closed.
 */
export function statusOf(reading: LatestReading): QueueStatus {
  if (reading.status !== 'unknown') return reading.status
  return (minutesOf(reading) ?? 0) > 0 ? 'open' : 'unknown'
}

/** The status of an airport: open while any standard lane is, closed when all are. */
export function statusOfLanes(readings: readonly LatestReading[]): QueueStatus {
  const statuses = readings.filter(isStandard).map(statusOf)
  if (statuses.includes('open')) return 'open'
  return statuses.length > 0 && statuses.every((status) => status === 'closed') ? 'closed' : 'unknown'
}

/** Lanes of travellers that not everybody may use. */
const isRestricted = ({ lane }: Pick<LatestReading, 'lane'>) => isRestrictedLane(lane)

/** The open lanes of a terminal whose standard lanes are all closed, or that has none; empty otherwise. */
function onlyOpenLanes(readings: readonly LatestReading[]): LatestReading[] {
  if (readings.some((reading) => isStandard(reading) && statusOf(reading) !== 'closed')) return []
  return readings.filter((reading) => isRestricted(reading) && statusOf(reading) === 'open')
}

/** The readings that say whether a terminal is open: its standard lanes, or the only lanes that are open. It is closed when all of its lanes are. */
function statusLanes(readings: readonly LatestReading[]): LatestReading[] {
  const only = onlyOpenLanes(readings)
  if (only.length > 0) return only
  const standard = readings.filter(isStandard)
  return standard.length > 0 ? standard : readings.filter(isRestricted)
}

/** Provenance of a figure from some readings: as old as the oldest of them, `reported` when any of them is. */
function provenanceOf(readings: LatestReading[], now: number): Provenance {
  const [oldest = null] = readings.map(({ observed_at }) => observed_at).sort()
  const sources = [...new Set(readings.map(({ source }) => source))]
  const age = oldest === null ? null : ageSeconds(oldest, now)
  const travellers = readings.reduce((sum, { reported_minutes = [] }) => sum + reported_minutes.length, 0)
  return {
    basis: sources.length === 0 ? null : basisOf(sources),
    observed_at: oldest,
    age_seconds: age,
    source: sources.length === 0 ? null : sources.join('+'),
    freshness: age === null ? null : freshnessOf(age),
    ...(travellers > 0 && { travellers }),
  }
}

const wholeMinutes = (minutes: number | null) => (minutes === null ? null : Math.round(minutes))

/** The status that some lanes give together. It is as old as the newest open lane, or as the oldest of the closed ones. */
function statusFieldsOf(lanes: readonly LatestReading[], now: number): StatusFields {
  const statuses = lanes.map(statusOf)
  const isClosed = statuses.length > 0 && statuses.every((status) => status === 'closed')
  if (!isClosed && !statuses.includes('open')) return UNKNOWN_STATUS
  const status = isClosed ? 'closed' : 'open'
  const behind = lanes.filter((reading) => statusOf(reading) === status)
  const newest = behind.reduce((a, b) => (a.observed_at >= b.observed_at ? a : b))
  if (status === 'open') return observedStatus(status, provenanceOf([newest], now))
  return withPublishedOpening(observedStatus(status, provenanceOf(behind, now)), behind)
}

/** A closure with the time at which the first of its lanes opens, where the source publishes it. */
function withPublishedOpening(closure: StatusFields, lanes: readonly LatestReading[]): StatusFields {
  const openings = lanes.flatMap(
    ({ wait_text = null, iata, observed_at }) => publishedOpening(wait_text, iata, observed_at) ?? [],
  )
  if (openings.length === 0) return closure
  return { ...closure, reopens_at: isoUtc(Math.min(...openings)), reopens_basis: 'measured' as const }
}

/** The fields of a status that was observed as `provenance` says. */
export function observedStatus(
  status: QueueStatus,
  { basis, observed_at, age_seconds, source }: Omit<Provenance, 'freshness'>,
): StatusFields {
  if (status === 'unknown') return UNKNOWN_STATUS
  return {
    ...UNKNOWN_STATUS,
    status,
    status_basis: basis,
    status_observed_at: observed_at,
    status_age_seconds: age_seconds,
    status_source: source,
  }
}

function checkpointWait(reading: LatestReading, now: number): CheckpointWait {
  const { checkpoint, lane, observed_at, wait_minutes_low, wait_minutes_high } = reading
  const status = statusOf(reading)
  const isClosed = status === 'closed'
  const minutes = isClosed ? null : wholeMinutes(minutesOf(reading))
  const hasRange = !isClosed && (wait_minutes_low !== null || wait_minutes_high !== null)
  const provenance = provenanceOf([reading], now)
  return {
    checkpoint: shownName(checkpoint),
    lane,
    wait_minutes: minutes,
    range: hasRange ? { low: wholeMinutes(wait_minutes_low), high: wholeMinutes(wait_minutes_high) } : null,
    open: status === 'unknown' ? null : !isClosed,
    ...(isClosed
      ? withPublishedOpening(observedStatus(status, provenance), [reading])
      : observedStatus(status, provenance)),
    ...provenance,
    observed_at,
    unavailable_reason: minutes === null ? missingReason(status) : null,
  }
}

/** Why a terminal has no figure of a standard lane: they are closed, or its source has none of them. */
const onlyLanesReason = (lanes: readonly LatestReading[], word: 'open' | 'reported') =>
  `only ${[...new Set(lanes.map(({ lane }) => LANE_NAMES[lane]))].join(' and ')} is ${word}`

const missingReason = (status: QueueStatus) => (status === 'closed' ? CLOSED_REASON : NO_LANE)

/**
 * Average of the counted readings in whole minutes; null when none counts. Where travellers reported all of them it is the median of
 * their reports: a lane of which one traveller speaks weighs no more than that traveller.
 */
function averageMinutes(readings: LatestReading[]): number | null {
  const counted = readings.filter(isCounted)
  const waits = counted.map((reading) => minutesOf(reading) ?? 0)
  if (counted.length > 0 && counted.every(({ source }) => source === CROWD_SOURCE))
    return Math.round(median(counted.flatMap(({ reported_minutes }, i) => reported_minutes ?? waits[i]!)))
  return waits.length === 0 ? null : Math.round(waits.reduce((sum, wait) => sum + wait, 0) / waits.length)
}

/**
 * Minutes, status and provenance of some lanes together. Without minutes, the provenance is that of the standard lanes that say
 * so (the closure, when they are closed).
 */
function figureOf(readings: LatestReading[], now: number, lanes = readings.filter(isStandard)) {
  const counted = readings.filter(isCounted)
  const standard = readings.filter(isStandard)
  const status = statusFieldsOf(lanes, now)
  const behind = [counted, standard, readings].find((lanes) => lanes.length > 0) ?? []
  return {
    minutes: averageMinutes(readings),
    status,
    provenance: provenanceOf(behind, now),
    unavailable_reason: counted.length > 0 ? null : missingReason(status.status),
  }
}

function terminalWait(terminal: string, readings: LatestReading[], now: number): TerminalWait {
  const { minutes, status, provenance, unavailable_reason } = figureOf(readings, now, statusLanes(readings))
  const only = onlyOpenLanes(readings)
  return {
    terminal: shownName(terminal),
    wait_minutes: minutes,
    ...status,
    ...provenance,
    unavailable_reason:
      minutes === null && only.length > 0
        ? onlyLanesReason(only, readings.some(isStandard) ? 'open' : 'reported')
        : unavailable_reason,
    checkpoints: readings.map((reading) => checkpointWait(reading, now)),
  }
}

/**
 * One source's readings without the lanes that have vanished from its feed by `now` (epoch ms). Travellers have no feed: what one reported of
 * a lane stands for as long as it would beside other reports of that lane.
 */
export function withoutVanishedLanes(readings: LatestReading[], now: number): LatestReading[] {
  const newest = Math.min(...readings.map((reading) => ageSeconds(reading.observed_at, now)))
  return readings.filter(({ source, observed_at }) => {
    const limit = source === CROWD_SOURCE ? CROWD_WINDOW_MS / 1_000 : VANISHED_SECONDS
    return ageSeconds(observed_at, now) - newest < limit
  })
}

/**
 * The wait of one queue from some readings of it: minutes, or closed, or the reason why there are none; null without
 * readings.
 */
export function waitOfReadings(readings: LatestReading[], now: number): QueueWait | null {
  if (readings.length === 0) return null
  const { minutes, status, provenance, unavailable_reason } = figureOf(readings, now)
  const terminals = [...new Set(readings.map((reading) => reading.terminal))].sort()
  return {
    average_wait_minutes: minutes,
    ...status,
    ...provenance,
    unavailable_reason,
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
 * oldest reading in it; closed when all of them are. Null without readings.
 */
export function queueWait(readings: LatestReading[], now: number): QueueWait | null {
  return waitOfReadings(withoutVanishedLanes(readings, now), now)
}
