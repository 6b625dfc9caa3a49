import type { Source } from '../../config/sources.ts'
import { DAY_MS, HOUR_MS } from '../../config/vocabulary.ts'

/** A figure without a time of its own counts as of its fetch. After an hour a wait says little about the queue. */
const MAX_AGE_MS = HOUR_MS
/** Without an Age the Date must do, and clocks of sites are wrong by up to the hours of a time zone. */
const MAX_DATE_AGE_MS = DAY_MS

/** Kinds that do not change from hour to hour. */
const LASTING_KINDS = new Set<Source['kind']>(['zones', 'places'])

/**
 * Why an answer is too old a copy to be what its source publishes now, by its Age and Date (RFC 9111 sections 4.2.3 and 5.1); null
 * if it is not. Sources of lasting facts and of the past may be served from a cache for days. `now`: epoch ms.
 */
export function whyTooOldCopy(
  { age, date }: { age: string | null; date: string | null },
  source: Pick<Source, 'kind' | 'timeliness'>,
  now: number,
): string | null {
  if (source.timeliness === 'history' || LASTING_KINDS.has(source.kind)) return null
  const isAge = age !== null && /^\d+$/.test(age)
  const age_ms = isAge ? Number(age) * 1_000 : now - Date.parse(date ?? '')
  if (!(age_ms > (isAge ? MAX_AGE_MS : MAX_DATE_AGE_MS))) return null
  const hours = Math.floor(age_ms / HOUR_MS)
  return isAge
    ? `with a copy that a cache has kept for ${hours} h`
    : `with a page of ${hours} h ago by its Date header: a copy from a cache, unless the clock of this machine is ahead`
}
