import { NOT_YET } from '../../answers/texts/crowd-reports-text.ts'
import { CROWD_SOURCE, CROWD_WINDOW_MS } from '../../config/publishers.ts'
import { WHOLE_AIRPORT } from '../../config/terminal-name.ts'
import { isStandardLane } from '../../config/vocabulary.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import type { ReportedWait } from './report-rules.ts'

/** Instants of a snapshot may be in whole seconds. */
const SECOND_MS = 1_000

/**
 * The weight of a report: its share in the current figure of its queue in the snapshot. Where travellers reported the whole figure, it is
 * the median of the k reports of the open standard (or unsplit) lanes within an hour of the newest, and each of them has 1/k. Else it is the
 * mean over n such lanes, and a report that is one of k of its lane has 1/(n × k). All others have 0. A report is used while it has landed and no source closer to the
 * queue has a fresh reading; a measured wait under an hour old outweighs any report (`currentWaits` has the rule).
 */
export function reportWeight(report: ReportedWait & { landed_at: string | null }, snapshot: Snapshot) {
  const figure = snapshot.queue(report.iata, report.queue)
  const countedLanes = figure.terminals.flatMap(({ terminal, checkpoints }) =>
    checkpoints
      .filter(({ lane, open, wait_minutes }) => isStandardLane(lane) && open !== false && wait_minutes !== null)
      .map((checkpoint) => ({ terminal, ...checkpoint })),
  )
  const used = countedLanes.find(
    ({ source, terminal, lane }) =>
      source === CROWD_SOURCE && terminal === (report.terminal ?? WHOLE_AIRPORT) && lane === (report.lane ?? 'all'),
  )
  const before_ms = used ? Date.parse(used.observed_at) - Date.parse(report.observed_at) : Number.NaN
  const isUsed = report.landed_at !== null && Date.parse(report.landed_at) < snapshot.generated_ms
  if (!used || !isUsed || !(before_ms > -SECOND_MS && before_ms < CROWD_WINDOW_MS))
    return { weight: 0, reason: reasonForNoWeight(report, figure, snapshot) }
  if (countedLanes.every(({ source }) => source === CROWD_SOURCE)) {
    const { travellers = 1 } = figure
    const reason = travellers === 1 ? 'the only report' : `one of ${travellers} reports`
    return { weight: 1 / travellers, reason: `${reason} in the current figure` }
  }
  const lanes = countedLanes.length
  const { travellers = 1 } = used
  const among = travellers === 1 ? '' : `one of ${travellers} reports of `
  const reason = `${among}one of ${lanes} lanes in the current figure`
  return { weight: 1 / (lanes * travellers), reason }
}

function reasonForNoWeight(
  { landed_at, lane }: { landed_at: string | null; lane: string | null },
  figure: ReturnType<Snapshot['queue']>,
  snapshot: Snapshot,
): string {
  if (landed_at === null) return NOT_YET
  if (Date.parse(landed_at) >= snapshot.generated_ms) return 'counts from the next snapshot on'
  if (lane !== null && !isStandardLane(lane)) return 'the current figure is for standard lanes'
  if (figure.basis === 'measured') return 'a measured wait is used instead'
  if (figure.basis === 'reported') return 'newer reports, or sources closer to the queue, are used instead'
  return 'too old for the current figure'
}
