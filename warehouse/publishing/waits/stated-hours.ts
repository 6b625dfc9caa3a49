import { localClock } from '../../../config/time-zones/local-time.ts'
import { DAY_MS, utcDayOf, WEEK_HOURS } from '../../../config/vocabulary.ts'
import { type LearnedHours, UNKNOWN_OPEN } from './learned-hours.ts'
import { statedHours } from './stated-opening.ts'

/** Opening hours that sources publish beside their waits, and how they complete what was learned from observations. */

const DAY_MINUTES = 1_440
/** No statement proves certainty, as no number of days does. */
const SURELY_OPEN = 99
const SURELY_CLOSED = 1

/** The statements of a lane's sources in one hour of the day (UTC) over the last days. */
export interface LaneStatement {
  source: string
  checkpoint: string
  lane: string
  /** The words that may state hours; null if there were none. */
  words: string | null
  /** The first minute of the UTC day at which they were read in that hour. */
  first_minute: number
  observed_at: number
  was_open: boolean
}

/** The published hours of a queue, in minutes of the local day. */
export interface PublishedHours {
  opens: number
  /** How long before it opens the queue is closed. */
  closed_minutes: number
  /** Whether the closing is published too, so that the queue is open at all other times. */
  is_whole: boolean
  source: string
  /** When the newest of the statements was read, as YYYY-MM-DD. */
  date: string
}

interface LaneHours extends PublishedHours {
  read_ms: number
}

/**
 * The published hours of a queue from the statements about its standard lanes: open while any lane is. Null if a lane that was
 * open lately states none, because it may be open at any time.
 */
export function publishedHours(statements: readonly LaneStatement[], timezone: string): PublishedHours | null {
  const keyOf = ({ source, checkpoint, lane }: LaneStatement) => JSON.stringify([source, checkpoint, lane])
  const hours: LaneHours[] = []
  for (const key of new Set(statements.map(keyOf))) {
    const laneStatements = statements.filter((statement) => keyOf(statement) === key)
    const stated = laneHours(laneStatements, timezone)
    if (stated) hours.push(stated)
    else if (laneStatements.some(({ was_open }) => was_open)) return null
  }
  const [first] = hours.toSorted((a, b) => a.opens - b.opens)
  if (!first) return null
  // All lanes are closed from the closing of the last one on, which may be in the evening before.
  const closed_minutes = first.opens - Math.max(...hours.map((lane) => lane.opens - lane.closed_minutes))
  if (closed_minutes <= 0) return null
  const newest = hours.toSorted((a, b) => b.read_ms - a.read_ms)[0]!
  return {
    opens: first.opens,
    closed_minutes,
    is_whole: hours.every(({ is_whole }) => is_whole),
    source: newest.source,
    date: newest.date,
  }
}

/** A night without a reading counts as closed for this long before the published opening. */
const MAX_UNREAD_MINUTES = 360

/**
 * The hours of one lane by its newest statement. If only the opening is stated, the lane is closed from the first reading of
 * these words on, or from the hour in which it was last seen open.
 */
function laneHours(statements: readonly LaneStatement[], timezone: string): LaneHours | null {
  const stating = statements.filter(({ words }) => statedHours(words) !== null)
  const newest = stating.toSorted((a, b) => b.observed_at - a.observed_at)[0]
  if (!newest) return null
  const { opens, closes } = statedHours(newest.words)!
  const minutesBefore = (minute: number) => (opens - minute + DAY_MINUTES) % DAY_MINUTES
  const localHour = ({ observed_at, first_minute }: LaneStatement) =>
    localClock(timezone, [Math.floor(observed_at / DAY_MS) * DAY_MS + first_minute * 60_000]).hour[0]!
  const sinceRead = stating
    .filter(({ words }) => words === newest.words)
    .map((statement) => minutesBefore(localHour(statement) * 60 + (statement.first_minute % 60)))
  const sinceOpen = statements
    .filter(({ was_open }) => was_open)
    .map((statement) => minutesBefore((localHour(statement) + 1) * 60))
  const unread = Math.min(MAX_UNREAD_MINUTES, ...sinceOpen)
  return {
    opens,
    closed_minutes: closes === null ? Math.max(unread, ...sinceRead) : minutesBefore(closes),
    is_whole: closes !== null,
    source: newest.source,
    date: utcDayOf(newest.observed_at),
    read_ms: newest.observed_at,
  }
}

/** Learned hours without an observation. */
const unlearned = (timezone: string, date: string): LearnedHours => ({
  timezone,
  days: 0,
  from: date,
  to: date,
  open: Array(WEEK_HOURS).fill(UNKNOWN_OPEN),
  opens: Array(WEEK_HOURS).fill(UNKNOWN_OPEN),
  minute: Array(24).fill(0),
  observed_days: Array(24).fill(0),
})

/**
 * The hours of a queue that keeps both what was observed and what is published: in an hour that either of them closes it is
 * closed. If nothing was observed, the published hours count alone.
 */
export function withPublished(learned: LearnedHours | null, published: PublishedHours, timezone: string): LearnedHours {
  const hours = learned ?? unlearned(timezone, published.date)
  const { opens, closed_minutes, is_whole } = published
  const closedFrom = opens - closed_minutes
  const openingHour = Math.floor(opens / 60)
  /** Minutes of an hour of the day that lie in the published closure, which may begin on the evening before. */
  const closedIn = (hour: number) =>
    [0, -DAY_MINUTES].reduce((sum, shift) => {
      const start = hour * 60 + shift
      return sum + Math.max(0, Math.min(start + 60, opens) - Math.max(start, closedFrom))
    }, 0)
  const bound = (percents: readonly number[], partly: (openMinutes: number) => number) =>
    percents.map((percent, slot) => {
      const closed = closedIn(slot % 24)
      if (closed >= 60) return SURELY_CLOSED
      if (slot % 24 !== openingHour && percent !== UNKNOWN_OPEN) return percent
      if (slot % 24 === openingHour) return percent === UNKNOWN_OPEN || closed > 0 ? partly(60 - closed) : percent
      return is_whole || closed > 0 ? partly(60 - closed) : UNKNOWN_OPEN
    })
  return {
    ...hours,
    open: bound(hours.open, (openMinutes) =>
      Math.min(SURELY_OPEN, Math.max(SURELY_CLOSED, Math.round((100 * openMinutes) / 60))),
    ),
    opens: bound(hours.opens, () => SURELY_OPEN),
    minute: hours.minute.map((minute, hour) => (hour === openingHour ? opens % 60 : minute)),
    published: { source: published.source, opening_hour: openingHour },
  }
}
