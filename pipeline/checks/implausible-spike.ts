import { HOUR_MS, isStandardLane, type QueueKind } from '../../config/vocabulary.ts'
import { median } from '../../forecasting/statistics/statistics.ts'
import { minutesOf } from '../../warehouse/publishing/waits/queue-wait.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { type CheckContext, type Fault, flagCheck, seriesKey, type TimedReading, timedBefore } from './define-check.ts'

/**
 * Minutes up to which a wait is ordinary. Security: waits over 30 min are 0.4 % of the hours of 2026, and faulty values of feeds begin
 * at 101. Passport control is really slower. A longer wait is rare and needs support: it grew, it goes on, or others show it too.
 */
const ORDINARY_MINUTES: Record<QueueKind, number> = {
  security: 90,
  checkin: 90,
  baggage: 90,
  lounge: 90,
  immigration: 180,
  customs: 180,
  ees_kiosk: 180,
}

/** Nothing supports a wait above this, or a range that ends above it. */
const ABSURD_MINUTES = 360

/** A range is no measurement when it is wider than this and its end is over three times its beginning. */
const MAX_RANGE_MINUTES = 45
const MAX_RANGE_FACTOR = 3

/** With fewer earlier readings, the usual wait is unknown. */
const MIN_EARLIER_READINGS = 6
/**
 * A jump is at least this many minutes above both the usual wait and the previous reading, and this many times the usual spread. A
 * wait that rises gradually, or that the next reading confirms, is real: without that rule the check flagged 29 real readings of
 * New York's bad days of March 2026.
 */
const MIN_JUMP_MINUTES = 40
const MIN_SPREADS = 8
/** Maximum age of the previous reading for a jump. */
const MAX_GAP_MS = 2 * HOUR_MS

/** A leap above the ordinary that lasts for this many earlier readings is trusted; above three hours only if it also moves. */
const MIN_SUSTAINED_READINGS = 2
const LONG_MINUTES = 180
const MIN_LONG_SUSTAINED_READINGS = 4

/** Another queue supports a wait of up to this many times its own. */
const SUPPORT_FACTOR = 2
/** Two queues without a history may be wrong alike, so one alone does not support another. */
const MIN_NEW_NEIGHBOURS = 2

/**
 * Flags a wait that the queue itself, its neighbours and other sources make implausible: a jump far above the readings of the last
 * hours, a long wait that nothing supports, an absurd one, or a range too wide to mean anything.
 */
export const implausibleSpike = flagCheck('implausible_spike', (rows, context) => {
  const waits = waitsOf(rows, context)
  return waits.flatMap((wait) => {
    const fault = faultOf(wait, waits, context)
    return fault === null ? [] : { index: wait.index, ...fault }
  })
})

/** A row with minutes, and the earlier readings of its series that are near enough to be compared, oldest first. */
interface Wait {
  row: ParsedReading
  index: number
  minutes: number
  /** All earlier readings of the last hours; empty when the newest is too old. */
  earlier: TimedReading[]
}

function waitsOf(rows: readonly ParsedReading[], context: CheckContext): Wait[] {
  return rows.flatMap((row, index) => {
    const minutes = minutesOf(row)
    if (minutes === null) return []
    const earlier = timedBefore(row, context)
    const newest = earlier.at(-1)
    const isRecent = newest !== undefined && gapMs(newest, row) <= MAX_GAP_MS
    return [{ row, index, minutes, earlier: isRecent ? earlier : [] }]
  })
}

const gapMs = (earlier: { observed_at: string }, row: ParsedReading) =>
  Date.parse(row.observed_at) - Date.parse(earlier.observed_at)

function faultOf(wait: Wait, waits: readonly Wait[], context: CheckContext): Fault | null {
  const { row, minutes } = wait
  const { wait_minutes_low: low, wait_minutes_high: high } = row
  if (minutes > ABSURD_MINUTES || (high ?? 0) > ABSURD_MINUTES)
    return { message: `A wait over ${ABSURD_MINUTES} minutes.`, value: high ?? minutes }
  if (low !== null && high !== null && high - low > MAX_RANGE_MINUTES && high > MAX_RANGE_FACTOR * low)
    return { message: `A range of ${high - low} minutes says nothing.`, value: `${low}-${high}` }
  const ordinary = ORDINARY_MINUTES[row.kind]
  const fault = minutes > ordinary ? unsupportedLength(wait, ordinary) : jump(wait)
  return fault !== null && !isSeenElsewhere(wait, waits, context) ? fault : null
}

/** The fault of a long wait that neither grew from the last believed reading nor goes on. */
function unsupportedLength(wait: Wait, ordinary: number): Fault | null {
  const believed = wait.earlier.filter(({ flagged }) => !flagged).at(-1)
  if (believed !== undefined && gapMs(believed, wait.row) <= MAX_GAP_MS && isWithinReach(wait, believed)) return null
  if (isSustained(wait, believed !== undefined)) return null
  return { message: `A wait over ${ordinary} minutes that nothing else supports.`, value: wait.minutes }
}

/**
 * Whether a wait can have grown from an earlier one. A queue that twice as many people join as leave grows by a minute each minute, and
 * one that loses half of its lanes doubles at once.
 */
function isWithinReach({ row, minutes }: Wait, earlier: TimedReading): boolean {
  const rise = minutes - earlier.wait_minutes
  return rise <= Math.max(MIN_JUMP_MINUTES, earlier.wait_minutes, gapMs(earlier, row) / 60_000)
}

/** Whether the last readings were as long, so that a leap goes on. A stuck number of hours does not: a real queue moves. */
function isSustained({ minutes, earlier }: Wait, isUnitKnown: boolean): boolean {
  const isAsLong = ({ wait_minutes }: TimedReading) =>
    Math.abs(wait_minutes - minutes) <= Math.max(MIN_JUMP_MINUTES, minutes / 4)
  const last = earlier.slice(-(minutes > LONG_MINUTES ? MIN_LONG_SUSTAINED_READINGS : MIN_SUSTAINED_READINGS))
  if (!last.every(isAsLong)) return false
  if (minutes <= LONG_MINUTES) return last.length === MIN_SUSTAINED_READINGS
  // Without a trusted reading the number may be in another unit.
  const moves = new Set([minutes, ...last.map(({ wait_minutes }) => wait_minutes)]).size > 1
  return isUnitKnown && moves && last.length === MIN_LONG_SUSTAINED_READINGS
}

/** The fault of an ordinary wait that is far above both the previous reading and the usual ones of its series. */
function jump(wait: Wait): Fault | null {
  const { earlier, minutes } = wait
  const last = earlier.at(-1)
  if (!last || earlier.length < MIN_EARLIER_READINGS || isWithinReach(wait, last)) return null
  const usual = median(earlier.map(({ wait_minutes }) => wait_minutes))
  const spread = Math.max(1, median(earlier.map(({ wait_minutes }) => Math.abs(wait_minutes - usual))))
  if (minutes - usual <= Math.max(MIN_JUMP_MINUTES, MIN_SPREADS * spread)) return null
  return { message: `A jump from the usual ${usual} minutes of the last hours.`, value: minutes }
}

/** Whether other queues of the airport, or other sources of it, show a wait of the same order. */
function isSeenElsewhere(wait: Wait, waits: readonly Wait[], { others }: CheckContext): boolean {
  const { row, minutes } = wait
  // A long standard queue says nothing of a priority lane, but a long priority lane supports a long standard queue.
  const isComparable = (other: Pick<ParsedReading, 'kind' | 'iata' | 'lane'>) =>
    other.kind === row.kind && other.iata === row.iata && (isStandardLane(row.lane) || other.lane === row.lane)
  const isAsLong = (other: number | null) => other !== null && other * SUPPORT_FACTOR >= minutes
  if (others.some((other) => isComparable(other) && other.status !== 'closed' && isAsLong(minutesOf(other))))
    return true
  const neighbours = waits.filter(
    (other) =>
      seriesKey(other.row) !== seriesKey(row) &&
      isComparable(other.row) &&
      Math.abs(gapMs(other.row, row)) <= HOUR_MS &&
      other.row.status !== 'closed' &&
      isAsLong(other.minutes),
  )
  if (neighbours.some(isExpected)) return true
  const unknown = neighbours.filter(({ earlier }) => earlier.length === 0)
  const isVaried = new Set([minutes, ...unknown.map((other) => other.minutes)]).size > 1
  const neverSeenBefore = wait.earlier.length === 0
  return neverSeenBefore && minutes <= LONG_MINUTES && unknown.length >= MIN_NEW_NEIGHBOURS && isVaried
}

/** Whether a wait follows from the last believed reading of its own series, so that it can support others. */
function isExpected(wait: Wait): boolean {
  const believed = wait.earlier.filter(({ flagged }) => !flagged).at(-1)
  return believed !== undefined && isWithinReach(wait, believed)
}
