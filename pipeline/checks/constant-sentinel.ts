import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { byQueue, type CheckContext, flagCheck, timedBefore } from './define.ts'

/** Numbers that stand for "not known", as minutes or as seconds; parsers that know their source's own see to it first. */
const SENTINELS = [9_999, 32_767, 65_535, 424_242]
const SENTINEL_MINUTES = new Set([999, ...SENTINELS, ...SENTINELS.map((seconds) => seconds / 60)])

/** With fewer lanes, or at fewer minutes, the same number everywhere is a quiet hour (floors of 1 to 5, seen in 2022 to 2026). */
const LANES = 3
const LEAST_MINUTES = 15
/** Captures before this one that said the same. */
const CAPTURES = 2

/** A filler: a known sentinel, or one number in all lanes of an airport over several captures (ARN's 45/45/45 of 2022). */
export const constantSentinel = flagCheck('constant_sentinel', (rows, context) =>
  byQueue(rows).flatMap(({ lanes }) => {
    const timed = lanes.filter(({ row }) => row.wait_minutes !== null)
    const filled = saysOneNumber(
      timed.map(({ row }) => row),
      context,
    )
    const message = filled ? 'The same number in every lane, again and again.' : 'A number stands for "not known".'
    return timed
      .filter(({ row }) => filled || SENTINEL_MINUTES.has(row.wait_minutes ?? 0))
      .map(({ row, index }) => ({ index, message, value: String(row.wait_minutes) }))
  }),
)

function saysOneNumber(rows: ParsedReading[], context: CheckContext): boolean {
  const value = rows[0]?.wait_minutes ?? 0
  if (rows.length < LANES || value < LEAST_MINUTES) return false
  return rows.every((row) => {
    const earlier = timedBefore(row, context).slice(-CAPTURES)
    return (
      row.wait_minutes === value && earlier.length === CAPTURES && earlier.every((one) => one.wait_minutes === value)
    )
  })
}
