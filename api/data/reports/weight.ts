import { CROWD_SOURCE } from '../../../config/publishers.ts'
import type { Snapshot } from '../../../warehouse/serving/snapshot/snapshot.ts'
import type { SaidWait } from './plausibility.ts'

export interface Weight {
  /** 0 to 1. */
  weight: number
  /** Why it is what it is, in words. */
  why: string
}

/**
 * The weight of a report now: its share in the airport's current figure of its queue, as the snapshot in service has it. The
 * figure is the mean over the open standard (or unsplit) lanes shown, so a report that speaks for one of n has 1/n, and all
 * others have 0. A report speaks for its lane while it is the newest of it that has landed, and only where no measured wait
 * of the same terminal is fresh: a measured wait of any age under an hour outweighs any report. With the hour over it is
 * heard only where nothing else is; with six hours it is over (`currentWaits` has the rule of the blend).
 */
export function weightNow(report: SaidWait & { landed_at: string | null }, snapshot: Snapshot): Weight {
  const figure = snapshot.queue(report.iata, report.queue)
  const counted = figure.terminals.flatMap(({ terminal, checkpoints }) =>
    checkpoints
      .filter(
        ({ lane, open, wait_minutes }) =>
          (lane === 'standard' || lane === 'all') && open !== false && wait_minutes !== null,
      )
      .map((checkpoint) => ({ terminal, ...checkpoint })),
  )
  const speaks = counted.some(
    ({ source, terminal, lane, observed_at }) =>
      source === CROWD_SOURCE &&
      terminal === (report.terminal ?? '') &&
      lane === (report.lane ?? 'all') &&
      Date.parse(observed_at) === Date.parse(report.observed_at),
  )
  if (speaks) return { weight: 1 / counted.length, why: inFigure(counted.length) }
  return { weight: 0, why: whyNone(report, figure, snapshot) }
}

const inFigure = (lanes: number) =>
  lanes === 1 ? 'the only lane in the current figure' : `one of ${lanes} lanes in the current figure`

function whyNone(
  { landed_at, lane }: { landed_at: string | null; lane: string | null },
  figure: ReturnType<Snapshot['queue']>,
  snapshot: Snapshot,
): string {
  if (landed_at === null) return 'on its way to the current figure'
  if (Date.parse(landed_at) >= snapshot.generated_ms) return 'comes with the next snapshot'
  if (lane !== null && lane !== 'standard' && lane !== 'all') return 'the current figure is of standard lanes'
  if (figure.basis === 'measured') return 'a measured wait is heard instead'
  if (figure.basis === 'reported') return 'newer reports, or nearer sources, are heard instead'
  return 'too old for the current figure'
}
