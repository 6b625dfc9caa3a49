import { notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import type { ParseContext } from './collector.ts'
import type { Place } from './minutes-value.ts'

type Observed = Pick<ParsedReading, 'observed_at' | 'observed_at_basis'>

/**
 * When a row was observed: the source's own time, or the fetch time where it carries none. A time that is there but
 * cannot be read is noticed, because the reading then looks fresher than it may be.
 */
export function observedAt(read: string | null, published: unknown, context: ParseContext, place: Place): Observed {
  if (read !== null) return { observed_at: read, observed_at_basis: 'source' }
  if (published !== null && published !== undefined && published !== '')
    place.notices.push(
      notice(
        'time_unreadable',
        'warning',
        place.path,
        'A time cannot be read; the fetch time stands in.',
        published,
        place.iata,
      ),
    )
  return { observed_at: context.fetched_at, observed_at_basis: 'fetch' }
}
