import { HOUR_MS } from '../../config/domain.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { byQueue, type CheckContext, flagCheck, median, timedBefore } from './define.ts'

/** Seconds in a minute, and minutes in an hour: what a unit that changed without a word is off by. */
const FACTOR = 60
/**
 * How far from the factor a step may be: of one lane alone from the reading just before, of lanes that all jump at once,
 * and of either from the usual wait of the last hours.
 */
const NEAR = 1.5
const ROUGHLY = 2
const USUALLY = 4
const ENOUGH = 6
/** A queue changes slowly: the reading before the jump must be this young. */
const ABRUPT_MS = 2 * HOUR_MS
/** Feeds that count seconds really go from nobody to a queue, and back: a jump up begins, and one down, at these. */
const LEAST_BEFORE_UP = 1
const LEAST_BEFORE_DOWN = 5

/** Seconds read as minutes or minutes as seconds: sixty times, or a sixtieth of, what the series said just before. */
export const unitJump = flagCheck('unit_jump', (rows, context) =>
  byQueue(rows).flatMap(({ lanes }) => {
    const jumps = lanes.flatMap(({ row, index }) => {
      const times = timesBefore(row, context)
      return times === null ? [] : [{ row, index, times }]
    })
    const together = jumps.length > 1 && [1, -1].some((way) => jumps.every(({ times }) => off(times ** way, ROUGHLY)))
    return jumps
      .filter(({ times }) => together || off(times, NEAR) || off(1 / times, NEAR))
      .map(({ row, index, times }) => ({
        index,
        message: `${times > 1 ? times.toFixed(0) : times.toFixed(3)} times the wait before, as if its unit had changed.`,
        value: String(row.wait_minutes),
      }))
  }),
)

/** Whether something is off by the factor of the units, give or take `tolerance` times. */
const off = (times: number, tolerance: number) => times >= FACTOR / tolerance && times <= FACTOR * tolerance

/**
 * A wait as a multiple of the last that nothing was wrong with, so that a unit that stays wrong stays flagged; 1 where it
 * came gradually, null where there is no telling.
 */
function timesBefore(row: ParsedReading, context: CheckContext): number | null {
  const earlier = timedBefore(row, context)
  const sound = earlier.filter(({ flagged }) => !flagged)
  const [before, last] = [earlier.at(-1), sound.at(-1)]
  const wait = row.wait_minutes
  if (!wait || !before || !last || sound.length < ENOUGH) return null
  const usual = median(sound.map(({ wait_minutes }) => wait_minutes))
  const abrupt = Date.parse(row.observed_at) - Date.parse(before.observed_at) <= ABRUPT_MS
  const least = wait > last.wait_minutes ? LEAST_BEFORE_UP : LEAST_BEFORE_DOWN
  const unusual = off(wait / usual, USUALLY) || off(usual / wait, USUALLY)
  return abrupt && unusual && last.wait_minutes >= least ? wait / last.wait_minutes : 1
}
