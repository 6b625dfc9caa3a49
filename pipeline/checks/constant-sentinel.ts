import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { byQueue, type CheckContext, flagCheck, timedBefore } from './define-check.ts'

/** Numbers that stand for "unknown", in minutes or in seconds. A parser that knows those of its source removes them first. */
const SENTINELS = [9_999, 32_767, 65_535, 424_242]
const SENTINEL_MINUTES = new Set([999, ...SENTINELS, ...SENTINELS.map((seconds) => seconds / 60)])

/** With fewer lanes or fewer minutes, the same number in all lanes is a quiet hour (feeds have floors of 1 to 5, seen 2022 to 2026). */
const MIN_LANES = 3
const MIN_MINUTES = 15
/** Number of previous captures that must have had the same number. */
const MIN_EARLIER_CAPTURES = 2

/** Flags fillers: a known sentinel, or one number in all lanes of an airport over several captures (45/45/45 at ARN in 2022). */
export const constantSentinel = flagCheck('constant_sentinel', (rows, context) =>
  byQueue(rows).flatMap(({ lanes }) => {
    const timed = lanes.filter(({ row }) => row.wait_minutes !== null)
    const filled = hasOneNumber(
      timed.map(({ row }) => row),
      context,
    )
    const message = filled
      ? 'The same number in every lane of several captures.'
      : 'A number that stands for "unknown".'
    return timed
      .filter(({ row }) => filled || SENTINEL_MINUTES.has(row.wait_minutes ?? 0))
      .map(({ row, index }) => ({ index, message, value: String(row.wait_minutes) }))
  }),
)

function hasOneNumber(rows: ParsedReading[], context: CheckContext): boolean {
  const value = rows[0]?.wait_minutes ?? 0
  if (rows.length < MIN_LANES || value < MIN_MINUTES) return false
  return rows.every((row) => {
    const earlier = timedBefore(row, context).slice(-MIN_EARLIER_CAPTURES)
    return (
      row.wait_minutes === value &&
      earlier.length === MIN_EARLIER_CAPTURES &&
      earlier.every((reading) => reading.wait_minutes === value)
    )
  })
}
