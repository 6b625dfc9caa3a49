import { type Hours, lanes } from './lanes.ts'
import { type Queue, queue } from './queue.ts'

const DEN_LANES = { standard: 'General', precheck: 'TSA PreCheck', clear: 'CLEAR' }
const den = (checkpoint: string) => ({ iata: 'DEN', terminal: '', checkpoint, may_hide: true })

export const DEN: Queue[] = [
  ...lanes(den('East Security'), DEN_LANES, 19, [3, 24]),
  ...lanes(den('West Security'), DEN_LANES, 22, [4, 22]),
]

const ORD_LANES = { standard: 'General', precheck: 'PreCheck', priority: 'Priority', all: 'Total' }
const ord = (terminal: string, number: string, letters: string, scale: number, hours: Hours) =>
  lanes(
    { iata: 'ORD', terminal, checkpoint: `Checkpoint ${number}` },
    Object.fromEntries(Object.entries(ORD_LANES).filter(([, word]) => letters.includes(word.slice(0, 2)))),
    scale,
    hours,
  )

/** ORD: lanes General, PreCheck and Priority where they are told apart; of 7A there is only an overview of all. */
export const ORD: Queue[] = [
  ...ord('1', '1', 'Ge', 14, [4, 22]),
  ...lanes({ iata: 'ORD', terminal: '1', checkpoint: 'Checkpoint 2' }, { precheck: 'PreCheck' }, 15, [4, 21]),
  ...ord('1', '3', 'GePr', 16, [3.5, 23]),
  ...ord('2', '5', 'GePr', 13, [3.5, 22]),
  ...ord('3', '6', 'Ge', 15, [4, 20]),
  ...ord('3', '7A', 'To', 12, [5, 19]),
  ...ord('3', '8', 'GePr', 17, [3.5, 24]),
  ...ord('5', '10', 'GePr', 18, [0, 24]),
]

const PDX_LANES = { standard: 'General', precheck: 'PreCheck' }

export const PDX: Queue[] = [
  ...lanes({ iata: 'PDX', terminal: '', checkpoint: 'North' }, PDX_LANES, 13, [3.5, 24]),
  ...lanes({ iata: 'PDX', terminal: '', checkpoint: 'South' }, PDX_LANES, 11, [4, 20]),
]

/** SLC: one estimate for all, and two PreCheck lanes that are open or closed. */
export const SLC: Queue[] = [
  queue({ iata: 'SLC', terminal: '', checkpoint: '', lane: 'standard', scale: 17, opens: 0, closes: 24, fields: {} }),
  ...['Checkpoint 1', 'Checkpoint 2'].map((checkpoint) =>
    queue({ iata: 'SLC', terminal: 'Terminal 1', checkpoint, lane: 'precheck', opens: 5, fields: {} }),
  ),
]
