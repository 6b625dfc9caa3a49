import type { Lane, QueueKind } from '../../../config/domain.ts'
import { type Queue, queue } from './queue.ts'

/** ICN: the entrances of a departure hall, twelve in the first terminal and eight in the second. */
const ICN_T1_HALLS = ['DG1', 'DG2', 'DG3', 'DG4', 'DG5', 'DG6']
const ICN_T2_HALLS = ['DG1', 'DG2']
export const ICN: Queue[] = [
  ...ICN_T1_HALLS.flatMap((hall, at) =>
    ['E', 'W'].map((side) => entrance('T1', `${hall}_${side}`, 9 + (at % 3) * 2, side === 'E' ? 21.5 : 19.5)),
  ),
  ...ICN_T2_HALLS.flatMap((hall) =>
    ['A', 'B', 'C', 'D'].map((side, at) => entrance('T2', `${hall}_${side}`, 12 - at, at < 2 ? 22 : 19.5)),
  ),
]

function entrance(terminal: string, checkpoint: string, scale: number, closes: number): Queue {
  return queue({ iata: 'ICN', terminal, checkpoint, lane: 'all', scale, opens: 6.5, closes, fields: {} })
}

/** DEL: the security queues of Terminal 2. */
export const DEL: Queue[] = ['Security 1', 'Security 2', 'Security 3'].map((checkpoint, at) =>
  queue({
    iata: 'DEL',
    terminal: 'T2',
    checkpoint,
    lane: 'all',
    scale: 15 - at,
    opens: 1 + at,
    closes: 24,
    fields: {},
  }),
)

/** IST: all passengers are screened at the entrance; it never closes. */
export const IST: Queue[] = (
  [
    ['security', 'Terminal entrance', 'gateWaitTime', 'Entrance', 8],
    ['immigration', 'Passport control', 'passQueueWaitTime', 'Passport', 16],
    ['security', 'Domestic security', 'domQueueWaitTime', 'Domestic', 9],
  ] satisfies [QueueKind, string, string, string, number][]
).map(([kind, checkpoint, field, name, scale]) =>
  queue({
    kind,
    iata: 'IST',
    terminal: '',
    checkpoint,
    lane: 'all',
    scale,
    opens: 0,
    closes: 24,
    fields: { field, name },
  }),
)

/** DOH: sensors over queues of all kinds; `place` is the name of the checkpoint, `name` that of the queue. */
export const DOH: Queue[] = (
  [
    ['security', 'Departure Security', 'all', 'Concourse - Departure Security', 'Economy', 10],
    ['security', 'Departure Security', 'priority', 'Concourse - Departure Security', 'Business', 10],
    ['immigration', 'Immigration', 'all', 'Arrivals Immigration', 'Q', 14],
  ] satisfies [QueueKind, string, Lane, string, string, number][]
).map(([kind, label, lane, place, name, scale]) =>
  queue({
    kind,
    iata: 'DOH',
    terminal: '',
    checkpoint: label,
    lane,
    scale,
    opens: 0,
    closes: 24,
    fields: { place, name },
  }),
)
