import type { StatusFields } from '../../config/answer-schemas.ts'
import { getOrCreate } from '../../config/once.ts'
import { HOUR_MS, isoUtc, isRestrictedLane, type Lane, MINUTE_MS, startOfHour } from '../../config/vocabulary.ts'
import type { ForecastSeries } from '../../warehouse/publishing/read/forecasts.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import {
  isPublishedOpening,
  openingMinutes,
  openPercentAt,
  openStatus,
  UNKNOWN_OPEN,
} from '../../warehouse/publishing/waits/learned-hours.ts'
import { standardStatus } from '../../warehouse/publishing/waits/standard-lanes.ts'

/** Whether security is open, by instant (epoch ms). */
export interface Opening {
  probability: (instant: number) => number
  /** When somebody who finds it closed tries again: at the opening, or at the next full hour. */
  next: (instant: number) => number
  /** Whether anything is known of the hour of an instant; otherwise security is taken as open. */
  isKnownAt: (instant: number) => boolean
  /** Whether it is known that security opens at an instant: an hour that nothing is known of is taken as open, but is no opening. */
  isOpeningAt: (instant: number) => boolean
}

/**
 * The opening hours of security at an airport or terminal, by the hours of its forecast, beyond it by the learned ones, and by
 * what is observed now; null if nothing is known of them. An hour that is open for a part, between a closed and an open one, opens or closes within it.
 */
export function openingAt(snapshot: Snapshot, { airport, terminal, lane }: Queue, now: number): Opening | null {
  const series = snapshot.forecast(airport, terminal ?? '')
  const { status, reopens_at, standard } = securityNow(snapshot, { airport, terminal, lane })
  // End of a reported closure; null if the queue is open or its opening is unknown.
  const closedUntil = status !== 'closed' || reopens_at === null ? null : Date.parse(reopens_at)
  const ownUntil =
    status === 'open' && standard.status === 'closed'
      ? Date.parse(standard.reopens_at ?? isoUtc(now + OWN_LANE_LASTS_MS))
      : Number.NEGATIVE_INFINITY
  const hours = snapshot.openingHours(airport, 'security', terminal ?? undefined)
  const isKnown = hours !== null || (series?.open.some((percent) => percent !== UNKNOWN_OPEN) ?? false)
  if (!isKnown && closedUntil === null && ownUntil < now) return null
  // Past the end of the forecast the hours of the last weeks are what is known.
  const percentAt = (hour: number) =>
    forecastPercentAt(series, hour) ?? (hours === null ? UNKNOWN_OPEN : openPercentAt(hours, hour))
  // The same minute as in `reopens_at`, so that no two answers tell different openings.
  const opensAt = (hour: number) => hours && hour + openingMinutes(hours, hour) * MINUTE_MS
  const spans = new Map<number, ReturnType<typeof openPartOf>>()
  const openSpan = (hour: number) => getOrCreate(spans, hour, () => openPartOf({ percentAt, opensAt }, hour))
  return {
    isKnownAt: (instant) =>
      instant < ownUntil ||
      (closedUntil !== null && instant < closedUntil) ||
      percentAt(startOfHour(instant)) !== UNKNOWN_OPEN,
    isOpeningAt(instant) {
      const hour = startOfHour(instant)
      const isKnownOpen = openStatus(percentAt(hour)) === 'open' || percentAt(hour + HOUR_MS) !== UNKNOWN_OPEN
      return instant === closedUntil || isKnownOpen || (hours !== null && isPublishedOpening(hours, hour))
    },
    probability(instant) {
      if (instant < ownUntil) return 1
      if (closedUntil !== null && instant < closedUntil) return 0
      const { from, to, probability } = openSpan(startOfHour(instant))
      return instant >= from && instant < to ? probability : 0
    },
    next(instant) {
      if (closedUntil !== null && instant < closedUntil) return closedUntil
      const { from } = openSpan(startOfHour(instant))
      return instant < from ? Math.min(from, startOfHour(instant) + HOUR_MS) : startOfHour(instant) + HOUR_MS
    },
  }
}

/** The queue of a traveller: that of a terminal or of the whole airport, and the lane that the traveller may use besides the standard ones. */
interface Queue {
  airport: string
  terminal: string | null
  lane: Lane
}

/** A lane that is open while the standard ones are closed is taken to stay so until they open; this long where that is not known. */
const OWN_LANE_LASTS_MS = 3 * HOUR_MS

/** Whether security is open now for those who may use a lane, when it opens if it is closed, and the lanes that are open for others only. */
export function securityNow(snapshot: Snapshot, { airport, terminal, lane }: Queue) {
  const queue = snapshot.queue(airport, 'security')
  const found = queue.terminals.find((wait) => wait.terminal === terminal)
  const standard: StatusFields = found ? standardStatus(found) : queue
  const { status, reopens_at } = standard
  const lanes = (found ? [found] : queue.terminals).flatMap(({ checkpoints }) => checkpoints)
  const open =
    status === 'closed'
      ? lanes.filter((queueLane) => isRestrictedLane(queueLane.lane) && queueLane.status === 'open')
      : []
  if (open.some((queueLane) => queueLane.lane === lane))
    return { status: 'open' as const, reopens_at: null, open_lanes: [], standard }
  return { status, reopens_at, open_lanes: [...new Set(open.map((queueLane) => queueLane.lane))], standard }
}

/** A share of an hour has no single minutes, so a closing is rounded to this multiple of minutes. */
const CLOSING_STEP = 5

interface Hours {
  /** Percentage of an hour (epoch ms) in which the queue is open. */
  percentAt: (hour: number) => number
  /** When it opens within an hour, by the days before; null if that is not known. */
  opensAt: (hour: number) => number | null
}

/** The part of an hour in which the queue is open. If unknown, it counts as open. */
function openPartOf({ percentAt, opensAt }: Hours, hour: number) {
  const end = hour + HOUR_MS
  const percent = percentAt(hour)
  const status = openStatus(percent)
  if (status === 'closed') return { from: end, to: end, probability: 0 }
  if (status === 'open' || percent === UNKNOWN_OPEN) return { from: hour, to: end, probability: 1 }
  const before = openStatus(percentAt(hour - HOUR_MS))
  const after = openStatus(percentAt(end))
  const openMinutes = Math.round((percent / 100) * 60)
  if (before === 'closed' && after !== 'closed')
    return { from: opensAt(hour) ?? end - openMinutes * MINUTE_MS, to: end, probability: 1 }
  if (before === 'open' && after === 'closed')
    return { from: hour, to: hour + Math.floor(openMinutes / CLOSING_STEP) * CLOSING_STEP * MINUTE_MS, probability: 1 }
  return { from: hour, to: end, probability: percent / 100 }
}

/** The percentage of an hour by the forecast; null outside of it, and where it knows none. */
function forecastPercentAt(series: ForecastSeries | null, hour: number): number | null {
  const percent = series?.open[Math.floor((hour - series.start_ms) / HOUR_MS)] ?? UNKNOWN_OPEN
  return percent === UNKNOWN_OPEN ? null : percent
}

/** The same opening hours for a traveller of one day: nobody goes through the evening before and stays for the night. */
function fromOpening(opening: Opening, opens: number): Opening {
  return {
    isKnownAt: (instant) => instant < opens || opening.isKnownAt(instant),
    isOpeningAt: opening.isOpeningAt,
    probability: (instant) => (instant < opens ? 0 : opening.probability(instant)),
    next: (instant) => (instant < opens ? opens : opening.next(instant)),
  }
}

/** When security closes before an instant at which it is closed, not before `from`; null when it is open then. */
function closesBefore(opening: Opening, from: number, to: number): number | null {
  let instant = to
  while (instant > from && opening.probability(instant) === 0) instant -= MINUTE_MS
  return instant > from && instant < to ? instant + MINUTE_MS : null
}

/** The last opening between two instants: when security opens on the day, if it is closed before; null when it is not, or not known. */
function opensBetween(opening: Opening, from: number, to: number): number | null {
  let instant = to
  while (instant > from && opening.probability(instant) > 0) instant -= MINUTE_MS
  return instant > from && instant < to && opening.isOpeningAt(instant + MINUTE_MS) ? instant + MINUTE_MS : null
}

/** The opening hours of the day of a departure, and when security opens and closes before it; null if nothing is known. */
export function openingBefore(departure_ms: number, span_ms: number, opening: Opening | null): DayOpening {
  if (opening === null) return { opening, opens: null, closes: null }
  const opens = opensBetween(opening, departure_ms - span_ms, departure_ms - MINUTE_MS)
  const closes = closesBefore(opening, departure_ms - span_ms, departure_ms)
  return { opening: opens === null ? opening : fromOpening(opening, opens), opens, closes }
}

export interface DayOpening {
  opening: Opening | null
  /** Epoch milliseconds; null when it is open before, or that is not known. */
  opens: number | null
  closes: number | null
}
