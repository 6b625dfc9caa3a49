import { DISAGREEMENT_MINUTES, type LatestReading, queueWait } from '../../warehouse/publishing/waits/queue-wait.ts'
import { byQueue, type Check, type CheckContext, type QueueRows } from './define-check.ts'

/**
 * Notes that another source's fresh wait of the same queue differs by more than 15 minutes. The wrong source is unknown, so
 * nothing is flagged. `choice-of-source.ts` then weighs an aggregator's wait.
 */
export const sourceDisagreement: Check = {
  code: 'source_disagreement',
  run: (rows, context) =>
    byQueue(rows).flatMap((queue) => {
      const { iata, kind } = queue
      const own = freshWait(ownReadings(queue, context), context)
      const others = context.others.filter((other) => other.iata === iata && other.kind === kind)
      return [...new Set(others.map(({ source }) => source))].flatMap((source) => {
        const theirs = freshWait(
          others.filter((other) => other.source === source),
          context,
        )
        if (own === null || theirs === null || Math.abs(own - theirs) <= DISAGREEMENT_MINUTES) return []
        const message = `Its wait and that of ${source} are over ${DISAGREEMENT_MINUTES} minutes apart.`
        const value = `${own} min, ${source} ${theirs} min`
        return [{ code: 'source_disagreement', severity: 'warning', path: `${kind} ${source}`, value, message, iata }]
      })
    }),
}

/** The wait that the current answer would show, if it is fresh. */
function freshWait(readings: LatestReading[], { fetched_at }: CheckContext): number | null {
  const wait = queueWait(readings, Date.parse(fetched_at))
  return wait && (wait.freshness === 'live' || wait.freshness === 'recent') ? wait.average_wait_minutes : null
}

const ownReadings = ({ lanes }: QueueRows, { source }: CheckContext): LatestReading[] =>
  lanes.map(({ row }) => ({ ...row, source: source.id }))
