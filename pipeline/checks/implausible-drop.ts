import { HOUR_MS, isStandardLane, MINUTE_MS } from '../../config/vocabulary.ts'
import { minutesOf } from '../../warehouse/publishing/waits/queue-wait.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { byQueue, type CheckContext, flagCheck, timedBefore } from './define-check.ts'

/** Every standard lane is at most this long: nobody waits, or minutes are given as hours. */
const EMPTY_MINUTES = 2
/** The longest lane was at least this long before. */
const MIN_BEFORE_MINUTES = 15
/** Empty lanes stay in doubt for this long after the last believed reading, unless one of them moves. */
const MAX_DOUBT_MS = 2 * HOUR_MS

/**
 * Flags all lanes of an airport that are empty at once, sooner than the longest of them can have emptied: a queue of 20 minutes takes
 * about 20 to serve, also when nobody joins it. Of 14,793 regular captures of `shared/history/security-*` none is one. The lanes stay
 * flagged until one is longer than that again, or for two hours, so that an airport which closed is believed the same night.
 */
export const implausibleDrop = flagCheck('implausible_drop', (rows, context) =>
  byQueue(rows).flatMap(({ lanes }) => {
    const timed = lanes.flatMap(({ row, index }) => {
      const minutes = minutesOf(row)
      return minutes === null || row.status === 'closed' ? [] : [{ row, index, minutes }]
    })
    const standard = timed.filter(({ row }) => isStandardLane(row.lane))
    if (standard.some(({ minutes }) => minutes > EMPTY_MINUTES)) return []
    const befores = standard.flatMap(({ row }) => lastBelieved(row, context) ?? [])
    const longest = befores.toSorted((a, b) => b.minutes - a.minutes)[0]
    if (longest === undefined || longest.minutes < MIN_BEFORE_MINUTES) return []
    if (longest.empty_after_ms >= longest.minutes * MINUTE_MS) return []
    const message = `Empty in every lane at once, after ${longest.minutes} minutes in one of them.`
    return timed
      .filter(({ minutes }) => minutes <= EMPTY_MINUTES)
      .map(({ index, minutes }) => ({ index, message, value: minutes }))
  }),
)

/** The last unflagged wait of a row's series, and after which time the next reading followed; null if there is none of the last two hours. */
function lastBelieved(row: ParsedReading, context: CheckContext) {
  const earlier = timedBefore(row, context)
  const position = earlier.findLastIndex(({ flagged }) => !flagged)
  const believed = earlier[position]
  if (believed === undefined) return null
  const since = (instant: string) => Date.parse(instant) - Date.parse(believed.observed_at)
  if (since(row.observed_at) > MAX_DOUBT_MS) return null
  const next = earlier[position + 1] ?? row
  return { minutes: believed.wait_minutes, empty_after_ms: since(next.observed_at) }
}
