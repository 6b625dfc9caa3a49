import { z } from 'zod'
import { provenance, type QueueWait } from '../../config/answer-schemas.ts'
import { groupBy } from '../../config/group-by.ts'
import { LANE_NAMES } from '../../config/lanes.ts'
import { isRestrictedLane } from '../../config/vocabulary.ts'
import { atPlaces, LaneWait, rangeFigure } from './terminal-state.ts'
import { basisText, listText, shortTerminal } from './text.ts'

/** An observed wait of a lane that not everybody may use, where no lane for everybody is observed. */
export const OtherLane = z
  .strictObject({
    ...LaneWait.shape,
    terminals: z.array(z.string()).describe('Where it is observed; `all`: the source names no terminal.'),
    ...provenance,
  })
  .meta({ id: 'OtherLane', description: 'An observed lane beside a wait that is an estimate.' })
export type OtherLane = z.output<typeof OtherLane>

/** The lanes that are observed while the wait of everybody is an estimate; empty for every other queue. */
export function otherLanesOf({ basis, status, terminals }: QueueWait): OtherLane[] {
  if (status === 'closed' || (basis !== 'predicted' && basis !== 'typical')) return []
  const observed = terminals.flatMap(({ terminal, checkpoints }) =>
    checkpoints
      .filter(({ lane, wait_minutes }) => isRestrictedLane(lane) && wait_minutes !== null)
      .map((checkpoint) => ({ ...checkpoint, terminal })),
  )
  return [...groupBy(observed, ({ lane }) => lane)].map(([lane, alike]) => {
    const minutes = alike.map(({ wait_minutes }) => wait_minutes!)
    // The age is that of the oldest.
    const [oldest] = alike.toSorted((a, b) => Date.parse(a.observed_at) - Date.parse(b.observed_at))
    const { basis, observed_at, age_seconds, source, freshness, travellers } = oldest!
    const other = {
      lane,
      shortest_minutes: Math.min(...minutes),
      longest_minutes: Math.max(...minutes),
      terminals: [...new Set(alike.map(({ terminal }) => terminal))],
      basis,
      observed_at,
      age_seconds,
      source,
      freshness,
    }
    return travellers === undefined ? other : { ...other, travellers }
  })
}

/** Text if only other lanes are observed: `PreCheck 3 min at T4 (measured 2 min ago by the airport); no lane for everybody is observed.` Empty without any. */
export function otherLanesText(lanes: readonly OtherLane[]): string {
  const figures = lanes.map((lane) => {
    const places = atPlaces(lane.terminals.map(shortTerminal))
    const range = rangeFigure({ low: lane.shortest_minutes!, high: lane.longest_minutes! })
    return `${LANE_NAMES[lane.lane]} ${range} min${places && ` ${places}`} (${basisText(lane)})`
  })
  return figures.length === 0 ? '' : `${listText(figures)}; no lane for everybody is observed.`
}
