import { DISAGREEMENT_MINUTES, type LatestReading, queueWait } from '../../warehouse/serving/waits/queue-wait.ts'
import { byQueue, type Check, type CheckContext, type QueueRows } from './define.ts'

/**
 * Another source's fresh figure of the same queue differs by more than 15 minutes. Nobody knows who is wrong, so nothing
 * is flagged; what an aggregator's figure is worth then is said in `current-waits.ts`.
 */
export const sourceDisagreement: Check = {
  code: 'source_disagreement',
  run: (rows, context) => ({
    flags: new Map(),
    notices: byQueue(rows).flatMap((queue) => {
      const { iata, kind } = queue
      const own = figure(ownReadings(queue, context), context)
      const others = context.others.filter((other) => other.iata === iata && other.kind === kind)
      return [...new Set(others.map(({ source }) => source))].flatMap((source) => {
        const told = figure(
          others.filter((other) => other.source === source),
          context,
        )
        if (own === null || told === null || Math.abs(own - told) <= DISAGREEMENT_MINUTES) return []
        const message = `Its wait and that of ${source} are over ${DISAGREEMENT_MINUTES} minutes apart.`
        const value = `${own} min, ${source} ${told} min`
        return [{ code: 'source_disagreement', severity: 'warning', path: `${kind} ${source}`, value, message, iata }]
      })
    }),
  }),
}

/** The figure that the current answer would give, while it is fresh. */
function figure(readings: LatestReading[], { fetched_at }: CheckContext): number | null {
  const wait = queueWait(readings, Date.parse(fetched_at))
  return wait && (wait.freshness === 'live' || wait.freshness === 'recent') ? wait.average_wait_minutes : null
}

const ownReadings = ({ lanes }: QueueRows, { source }: CheckContext): LatestReading[] =>
  lanes.map(({ row }) => ({ ...row, source: source.id }))
