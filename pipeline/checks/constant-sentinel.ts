import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { byQueue, type Check, type CheckContext, type CheckResult, seriesKey, timedBefore } from './check.ts'

/** Numbers that stand for "not known", as minutes or as seconds; parsers that know their source's own see to it first. */
const SENTINELS = [9_999, 32_767, 65_535, 424_242]
const SENTINEL_MINUTES = new Set([999, ...SENTINELS, ...SENTINELS.map((seconds) => seconds / 60)])

/** With fewer lanes, or at fewer minutes, the same number everywhere is a quiet hour (floors of 1 to 5, seen in 2022 to 2026). */
const LANES = 3
const LEAST_MINUTES = 15
/** Captures before this one that said the same. */
const CAPTURES = 2

/** A filler: a known sentinel, or one number in all lanes of an airport over several captures (ARN's 45/45/45 of 2022). */
export const constantSentinel: Check = {
  code: 'constant_sentinel',
  run: (rows, context) => {
    const result: CheckResult = { notices: [], flags: new Map() }
    for (const { iata, lanes } of byQueue(rows)) {
      const timed = lanes.filter(({ row }) => row.wait_minutes !== null)
      const filled = saysOneNumber(
        timed.map(({ row }) => row),
        context,
      )
      for (const { row, index } of timed) {
        if (!filled && !SENTINEL_MINUTES.has(row.wait_minutes ?? 0)) continue
        result.flags.set(index, ['constant_sentinel'])
        const message = filled ? 'The same number in every lane, again and again.' : 'A number stands for "not known".'
        const value = String(row.wait_minutes)
        result.notices.push({
          code: 'constant_sentinel',
          severity: 'warning',
          path: seriesKey(row),
          value,
          message,
          iata,
        })
      }
    }
    return result
  },
}

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
