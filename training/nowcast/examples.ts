import { MINUTE_MS } from '../../config/vocabulary.ts'
import { NOWCAST_LEADS } from '../../forecasting/nowcast/coefficients.ts'
import { nowcastInputs, recentAt, sparsityOf } from '../../forecasting/nowcast/nowcast-inputs.ts'
import type { NowcastSeries } from '../../forecasting/nowcast/series.ts'
import { lowerBound } from '../../forecasting/statistics/statistics.ts'

/** A nowcast that could have been made, and what came true. Units are the scale of its inputs, from their centre. */
export interface NowcastExample {
  issued_ms: number
  /** When the truth could have been known. */
  known_ms: number
  /** The time to the next issue in half hours, at most 1: an issue soon after another one shows little that is new. */
  half_hours: number
  /** An index into NOWCAST_LEADS. */
  lead: number
  sparsity: number
  centre: number
  scale: number
  median: Float64Array
  width: Float64Array
  /** Minutes. */
  last: number
  truth: number
}

/** Nowcasts are scored at instants of issue this far apart, with waits that are at most this old. */
export const ISSUE_STEP_MS = 30 * MINUTE_MS
export const MAX_AGE_MS = 30 * MINUTE_MS

/**
 * Minutes between two issues that are learned from, by lead. Feeds that are read every few minutes say more about the next hour
 * than an issue every half hour shows: with these steps the error on airports left out, and with an airport's own part, was
 * smallest on the earlier parts of the dense sets. In sparse feeds, more issues repeat the same readings.
 */
const STEP_MINUTES = [5, 5, 5, 15, 30] as const

/**
 * The examples of a queue with issues in a span, at least `min_step_ms` apart. Inputs hold only what was known at the issue.
 */
export function nowcastExamples(
  series: NowcastSeries,
  from_ms: number,
  to_ms: number,
  min_step_ms = 0,
): NowcastExample[] {
  const stepOf = (lead: number, sparsity: number) =>
    Math.max(min_step_ms, sparsity > 0 ? ISSUE_STEP_MS : STEP_MINUTES[lead]! * MINUTE_MS)
  const step_ms = stepOf(0, 0)
  const { observed_ms } = series.scans
  if (observed_ms.length === 0) return []
  const examples: NowcastExample[] = []
  const first = Math.max(from_ms, observed_ms[0]!)
  for (
    let issued_ms = Math.ceil(first / step_ms) * step_ms;
    issued_ms < Math.min(to_ms, observed_ms.at(-1)!);
    issued_ms += step_ms
  ) {
    const recent = recentAt(series, issued_ms)
    if (!recent || issued_ms - recent.observed_ms > MAX_AGE_MS) continue
    const sparsity = sparsityOf(recent.cadence_minutes)
    for (const [lead, minutes] of NOWCAST_LEADS.entries()) {
      const lead_step_ms = stepOf(lead, sparsity)
      if (issued_ms % lead_step_ms !== 0) continue
      const valid_ms = issued_ms + minutes * MINUTE_MS
      const truth = truthAt(series, issued_ms, valid_ms, halfWindow(recent.cadence_minutes))
      if (!truth) continue
      const { centre, scale, median: inputs, width } = nowcastInputs(series, recent, valid_ms)
      examples.push({
        issued_ms,
        known_ms: truth.known_ms,
        half_hours: Math.min(1, lead_step_ms / ISSUE_STEP_MS),
        lead,
        sparsity,
        centre,
        scale,
        median: inputs,
        width,
        last: recent.last,
        truth: truth.minutes,
      })
    }
  }
  return examples
}

/** Scans within half of the usual time between two scans are the truth of an instant; ms. */
export const halfWindow = (cadence_minutes: number) => Math.max(1.5, cadence_minutes / 2) * MINUTE_MS

/** The mean of the scans around an instant that were made after the issue; null without one. */
export function truthAt({ scans }: NowcastSeries, issued_ms: number, valid_ms: number, half_ms: number) {
  let sum = 0
  let count = 0
  let known_ms = 0
  for (
    let k = lowerBound(scans.observed_ms, Math.max(valid_ms - half_ms, issued_ms + 1));
    k < scans.observed_ms.length;
    k++
  ) {
    if (scans.observed_ms[k]! > valid_ms + half_ms) break
    sum += scans.minutes[k]!
    known_ms = Math.max(known_ms, scans.available_ms[k]!)
    count += 1
  }
  return count === 0 ? null : { minutes: sum / count, known_ms }
}
