import type { Lane } from '../../../config/domain.ts'
import { type Queue, queue } from './queue.ts'

/** MSP: a card a checkpoint; whom it is for is said in the card's message. */
export const MSP: Queue[] = (
  [
    ['T1', 'T1 North', 'all', 16, 3.5, 23, 'all passengers'],
    ['T1', 'T1 South', 'precheck', 15, 4, 20, 'PreCheck OPEN Only'],
    ['T2', 'T2 Checkpoint 1', 'all', 12, 4, 21.5, 'all passengers'],
    ['T2', 'T2 Checkpoint 2', 'precheck', 14, 4, 18, 'PreCheck MSP Reserve'],
  ] satisfies [string, string, Lane, number, number, number, string][]
).map(([terminal, checkpoint, lane, scale, opens, closes, message]) =>
  queue({ iata: 'MSP', terminal, checkpoint, lane, scale, opens, closes, fields: { message } }),
)

/** One wait for a whole airport; BNA's never closes and is 0 at night. */
const wholeAirport = (iata: string, scale: number, opens = 0, closes = 24): Queue =>
  queue({ iata, terminal: '', checkpoint: '', lane: 'all', scale, opens, closes, fields: {} })

export const BNA: Queue[] = [wholeAirport('BNA', 14)]
export const CMH: Queue[] = [wholeAirport('CMH', 9, 3.5, 21)]

/** OMA: two concourses, published in ranges only. */
export const OMA: Queue[] = ['Concourse A (South)', 'Concourse B (North)'].map((checkpoint, at) =>
  queue({ iata: 'OMA', terminal: '', checkpoint, lane: 'all', scale: 10 - at, opens: 3.5, closes: 20.5, fields: {} }),
)

/** SAT: an average a terminal. */
export const SAT: Queue[] = ['A', 'B'].map((terminal, at) =>
  queue({ iata: 'SAT', terminal, checkpoint: '', lane: 'all', scale: 13 - 3 * at, closes: 22, fields: {} }),
)

/** CHS: one hall; its second card is headed by a lane instead of a place. */
export const CHS: Queue[] = [
  queue({
    iata: 'CHS',
    terminal: '',
    checkpoint: 'Central Checkpoint',
    lane: 'all',
    scale: 12,
    closes: 21,
    fields: { heading: 'Central Checkpoint' },
  }),
  queue({
    iata: 'CHS',
    terminal: '',
    checkpoint: '',
    lane: 'precheck',
    scale: 16,
    closes: 21,
    fields: { heading: 'TSA Pre✔® Checkpoint' },
  }),
]

/** STL: one estimate for the airport, which never closes as its checkpoints do; of those only the state is published. */
export const STL: Queue[] = [
  wholeAirport('STL', 12),
  ...(
    [
      ['T1', 'Checkpoint A', 12, 3.5, 21],
      ['T1', 'Checkpoint C', 11, 4, 19.5],
      ['T2', 'Checkpoint E', 14, 3.5, 21.5],
    ] as const
  ).map(([terminal, checkpoint, scale, opens, closes]) =>
    queue({ iata: 'STL', terminal, checkpoint, lane: 'all', scale, opens, closes, fields: {} }),
  ),
]
