import { CLOCK_AHEAD_MS, DAY_MS, HOUR_MS } from '../../config/domain.ts'
import type { Source } from '../../config/sources.ts'
import { quoteText } from './sql.ts'

type Paced = Pick<Source, 'kind' | 'cadence_seconds' | 'timeliness'>

/** How long a reading counts as fresh: an hour, a cadence where that is longer; a week of what is published days late. */
export function freshMs(source: Paced): number {
  return source.timeliness === 'history' ? 7 * DAY_MS : Math.max(HOUR_MS, source.cadence_seconds * 1_000)
}

/** What is made on a schedule of its own: METARs hourly, TAFs every six hours; a copy of the map may be days behind it. */
const REPORT_AGE_MS: Partial<Record<Source['kind'], number>> = {
  metar: 2 * HOUR_MS,
  taf: 9 * HOUR_MS,
  places: 7 * DAY_MS,
}

/** The age of the newest reading beyond which a source is not healthy. */
export function ageLimitMs(source: Paced): number {
  const fresh = freshMs(source)
  return source.timeliness === 'history' ? fresh : Math.max(fresh, REPORT_AGE_MS[source.kind] ?? 0)
}

/**
 * How long the same bytes may come again. Null for delays, which repeat themselves while nothing happens, and for places: their clock tells.
 * A page of waits without a clock may stand still a whole night, but not round the clock.
 */
export function standstillMs(source: Paced): number | null {
  if (source.kind === 'delays' || source.kind === 'places') return null
  if (source.timeliness === 'history') return 14 * DAY_MS
  return source.kind === 'metar' ? 3 * HOUR_MS : source.kind === 'taf' ? 12 * HOUR_MS : DAY_MS
}

/**
 * SQL: whether the answer of a row of `runs` tells of a time of its own. One without rows does so for delays only, where it
 * means that there are none; and a clock may be two minutes ahead of ours, no more.
 */
export function tellsOfTime(sources: readonly Pick<Source, 'id' | 'kind'>[]): string {
  const delays = sources.filter(({ kind }) => kind === 'delays').map(({ id }) => quoteText(id))
  const rows = delays.length > 0 ? `(parsed_rows > 0 OR source IN (${delays.join(', ')}))` : 'parsed_rows > 0'
  return `outcome <> 'failed' AND ${rows} AND observed_at <= finished_at + INTERVAL ${CLOCK_AHEAD_MS} MILLISECOND`
}
