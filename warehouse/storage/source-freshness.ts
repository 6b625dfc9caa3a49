import type { Source } from '../../config/sources.ts'
import { CLOCK_AHEAD_MS, DAY_MS, HOUR_MS } from '../../config/vocabulary.ts'
import { quoteText } from './sql.ts'

/**
 * How long a reading of a source counts as fresh (milliseconds): an hour, or a cadence where that is longer, or a week for
 * history, which is published days late.
 */
export function freshMs(source: Pick<Source, 'cadence_seconds' | 'timeliness'>): number {
  return source.timeliness === 'history' ? 7 * DAY_MS : Math.max(HOUR_MS, source.cadence_seconds * 1_000)
}

/**
 * SQL condition over a row of `runs`: whether its `observed_at` may be used as the time of its content. An answer without
 * rows has a time only for delays, where it means that there are none. A clock may be two minutes ahead of ours.
 */
export function hasPlausibleTime(sources: readonly Pick<Source, 'id' | 'kind'>[]): string {
  const delays = sources.filter(({ kind }) => kind === 'delays').map(({ id }) => quoteText(id))
  const rows = delays.length > 0 ? `(parsed_rows > 0 OR source IN (${delays.join(', ')}))` : 'parsed_rows > 0'
  return `outcome <> 'failed' AND ${rows} AND observed_at <= finished_at + INTERVAL ${CLOCK_AHEAD_MS} MILLISECOND`
}
