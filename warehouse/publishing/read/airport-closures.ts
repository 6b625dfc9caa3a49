import { CLOSED_REASON, type Provenance, type QueueWait } from '../../../config/answer-schemas.ts'
import { HOUR_MS, MINUTE_MS } from '../../../config/vocabulary.ts'
import { closedUntil, closureInForce } from '../../tables/closure.ts'
import type { Closure } from './delays.ts'
import { withoutFigure } from './read-time.ts'

/** A closure of an airport to airlines closes its queues too: nobody waits while no airline may fly. */

/** Security opens before the first flight: in the last part of a closure nothing is known of the queue. */
const BEFORE_FIRST_FLIGHT_MS = 90 * MINUTE_MS
/** A closure begins and ends at any minute; an hour is looked at in quarters. */
const QUARTER_MS = HOUR_MS / 4

/** Whether closures leave no flight to queue for at an instant (epoch ms). */
const shutsQueues = (closures: readonly Closure[], instant: number): boolean =>
  closures.some((closure) => {
    if (!closureInForce(closure, instant)) return false
    const until = closedUntil(closure, instant)
    return until === null || instant < until - BEFORE_FIRST_FLIGHT_MS
  })

/** A forecast whose hours are closed while airlines are shut out. */
export function boundByClosures<Series extends { start_ms: number; open: Uint8Array }>(
  series: Series,
  closures: readonly Closure[],
): Series {
  if (!closures.some(({ closed_to_airlines }) => closed_to_airlines === true)) return series
  const open = series.open.map((percent, ahead) => {
    const quarters = [0, 1, 2, 3].map((quarter) => series.start_ms + ahead * HOUR_MS + quarter * QUARTER_MS)
    return quarters.every((instant) => shutsQueues(closures, instant)) ? 0 : percent
  })
  return { ...series, open }
}

/**
 * The wait of a queue while airlines are shut out: closed, as the source of the closure says. Null if they are not, and where somebody
 * observes the queue: an observation outweighs what follows from a notice.
 */
export function closedWithAirport(
  wait: QueueWait,
  closures: readonly Closure[],
  { basis, observed_at, age_seconds, source }: Provenance,
  instant: number,
): QueueWait | null {
  const isObserved = wait.basis === 'measured' || wait.basis === 'reported'
  if (isObserved || !shutsQueues(closures, instant)) return null
  return {
    ...withoutFigure(CLOSED_REASON),
    status: 'closed',
    status_basis: basis,
    status_observed_at: observed_at,
    status_age_seconds: age_seconds,
    status_source: source,
    basis,
    source,
  }
}
