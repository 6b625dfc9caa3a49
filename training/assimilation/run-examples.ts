import { HORIZON_HOURS, HOUR_MS } from '../../config/domain.ts'
import { type SeriesBacktest, servedForecasts } from '../backtest/results.ts'
import { type AssimilationExample, examplesOf } from './examples.ts'
import type { ObservedWaits } from './observed-waits.ts'

/** Readings up to this many hours after the issue are compared with its forecast. */
export const READINGS_HOURS = 2

/**
 * Examples from a backtest's forecasts by what would have been served, and the readings of the first hours after each
 * origin.
 */
export function runExamples(
  run: SeriesBacktest,
  waits: ObservedWaits | undefined,
  readingHours: number,
  hours: number,
): AssimilationExample[] {
  if (!waits) return []
  const { p10, p50, p90 } = servedForecasts(run)
  const examples: AssimilationExample[] = []
  for (let start = 0; start < run.valid_ms.length; start += HORIZON_HOURS) {
    if (run.scored[start] !== 1) continue
    const issued_ms = run.issued_ms[start]!
    const rowOf = (hour_ms: number) => start + Math.round((hour_ms - run.valid_ms[start]!) / HOUR_MS)
    const own = examplesOf({
      waits,
      from_ms: issued_ms,
      to_ms: issued_ms + readingHours * HOUR_MS,
      hours,
      issued: (hour_ms) => ({ p10: p10[rowOf(hour_ms)]!, p50: p50[rowOf(hour_ms)]!, p90: p90[rowOf(hour_ms)]! }),
      truthAt: (hour_ms) => run.truth[rowOf(hour_ms)]!,
    })
    examples.push(...own)
  }
  return examples
}
