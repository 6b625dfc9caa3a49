import { HOUR_MS } from '../../config/vocabulary.ts'
import { median } from '../../forecasting/statistics/statistics.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { byQueue, type CheckContext, flagCheck, timedBefore } from './define-check.ts'

/** Seconds in a minute, and minutes in an hour: the factor by which a wait in the wrong unit is wrong. */
const FACTOR = 60
/**
 * Tolerances around that factor (a quotient of the two): for one lane compared with its previous reading, for lanes that all jump
 * at once, and for both compared with the usual wait of the last hours.
 */
const ONE_LANE_TOLERANCE = 1.5
const ALL_LANES_TOLERANCE = 2
const USUAL_WAIT_TOLERANCE = 4
const MIN_EARLIER_READINGS = 6
/** Maximum age of the reading before the jump: a real queue changes more slowly. */
const MAX_GAP_MS = 2 * HOUR_MS
/** Feeds that count seconds really go from an empty queue to a wait and back: a jump up or down must start from at least this. */
const MIN_BEFORE_UP = 1
const MIN_BEFORE_DOWN = 5

/** Flags seconds read as minutes and minutes read as seconds: sixty times, or a sixtieth of, the previous reading of the series. */
export const unitJump = flagCheck('unit_jump', (rows, context) =>
  byQueue(rows).flatMap(({ lanes }) => {
    const jumps = lanes.flatMap(({ row, index }) => {
      const times = multipleOfPrevious(row, context)
      return times === null ? [] : [{ row, index, times }]
    })
    const together =
      jumps.length > 1 &&
      [1, -1].some((exponent) => jumps.every(({ times }) => isNearFactor(times ** exponent, ALL_LANES_TOLERANCE)))
    return jumps
      .filter(
        ({ times }) =>
          together || isNearFactor(times, ONE_LANE_TOLERANCE) || isNearFactor(1 / times, ONE_LANE_TOLERANCE),
      )
      .map(({ row, index, times }) => ({
        index,
        message: `${times > 1 ? times.toFixed(0) : times.toFixed(3)} times the wait before, as if its unit had changed.`,
        value: String(row.wait_minutes),
      }))
  }),
)

const isNearFactor = (times: number, tolerance: number) => times >= FACTOR / tolerance && times <= FACTOR * tolerance

/**
 * A wait as a multiple of the last unflagged reading, so that a unit that stays wrong stays flagged. 1 where the wait changed
 * gradually, null if too little is known.
 */
function multipleOfPrevious(row: ParsedReading, context: CheckContext): number | null {
  const earlier = timedBefore(row, context)
  const unflagged = earlier.filter(({ flagged }) => !flagged)
  const before = earlier.at(-1)
  const last = unflagged.at(-1)
  const wait = row.wait_minutes
  if (!wait || !before || !last || unflagged.length < MIN_EARLIER_READINGS) return null
  const usual = median(unflagged.map(({ wait_minutes }) => wait_minutes))
  const isAbrupt = Date.parse(row.observed_at) - Date.parse(before.observed_at) <= MAX_GAP_MS
  const min = wait > last.wait_minutes ? MIN_BEFORE_UP : MIN_BEFORE_DOWN
  const isUnusual = isNearFactor(wait / usual, USUAL_WAIT_TOLERANCE) || isNearFactor(usual / wait, USUAL_WAIT_TOLERANCE)
  return isAbrupt && isUnusual && last.wait_minutes >= min ? wait / last.wait_minutes : 1
}
