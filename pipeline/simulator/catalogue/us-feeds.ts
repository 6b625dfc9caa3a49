import type { Lane } from '../../../config/domain.ts'
import { type Queue, queue } from './queue.ts'

type Hours = [opens: number, closes: number]

/** The lanes of one checkpoint, each with the word that its site has for it. */
function lanes(
  place: { iata: string; terminal: string; checkpoint: string; may_hide?: boolean },
  words: Partial<Record<Lane, string>>,
  scale: number,
  [opens, closes]: Hours,
): Queue[] {
  return (Object.entries(words) as [Lane, string][]).map(([lane, word]) =>
    queue({ ...place, lane, scale, opens, closes, words: { lane: word } }),
  )
}

const DEN_LANES = { standard: 'General', precheck: 'TSA PreCheck', clear: 'CLEAR' }
const den = (checkpoint: string) => ({ iata: 'DEN', terminal: '', checkpoint, may_hide: true })

export const DEN: Queue[] = [
  ...lanes(den('East Security'), DEN_LANES, 19, [3, 24]),
  ...lanes(den('West Security'), DEN_LANES, 22, [4, 22]),
]

/** PIT: one hall of four lanes. */
export const PIT: Queue[] = lanes(
  { iata: 'PIT', terminal: '', checkpoint: 'Main Checkpoint', may_hide: true },
  { standard: 'Standard', precheck: 'PreCheck', clear: 'CLEAR', priority: 'Priority' },
  13,
  [3.5, 21],
)

/** DTW: a number a terminal. */
export const DTW: Queue[] = (['Evans', 'McNamara'] as const).map((terminal) =>
  queue({ iata: 'DTW', terminal, checkpoint: '', lane: 'all', scale: 15, opens: 0, closes: 24, words: {} }),
)

const mwaa = (iata: string, location: string, gates: string) => ({
  iata,
  terminal: location.match(/^Terminal (\w+)/)?.[1] ?? '',
  checkpoint: [location, gates].filter(Boolean).join(', '),
})

export const DCA: Queue[] = [
  ...lanes(mwaa('DCA', 'Terminal 1', 'Gates A'), { standard: 'waittime' }, 9, [4, 22]),
  ...lanes(mwaa('DCA', 'Terminal 2 South', 'Gates B-C'), { standard: 'waittime', precheck: 'pre' }, 14, [4, 23]),
  ...lanes(mwaa('DCA', 'Terminal 2 North', 'Gates D-E'), { standard: 'waittime', precheck: 'pre' }, 13, [4, 21]),
]

export const IAD: Queue[] = [
  ...lanes(mwaa('IAD', 'Terminal 1', ''), { standard: 'waittime' }, 10, [5, 20]),
  ...lanes(mwaa('IAD', 'East Checkpoint', ''), { standard: 'waittime' }, 15, [4, 24]),
  ...lanes(mwaa('IAD', 'Main Checkpoint', ''), { standard: 'waittime', precheck: 'pre' }, 16, [3.5, 22.5]),
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
  queue({ iata: 'SLC', terminal: '', checkpoint: '', lane: 'standard', scale: 17, opens: 0, closes: 24, words: {} }),
  ...['Checkpoint 1', 'Checkpoint 2'].map((checkpoint) =>
    queue({ iata: 'SLC', terminal: 'Terminal 1', checkpoint, lane: 'precheck', opens: 5, words: {} }),
  ),
]

/** PHL: the zones that are checkpoints. */
export const PHL: Queue[] = (
  [
    ['4377', 'A-West', 'standard', 12, 4.5, 22],
    ['4368', 'A-East', 'standard', 14, 4, 23],
    ['4386', 'A-East', 'precheck', 14, 4, 21],
    ['5047', 'B', 'all', 16, 4, 22],
    ['5052', 'C', 'all', 12, 4.5, 21],
    ['3971', 'D/E', 'standard', 17, 3.5, 24],
    ['4126', 'D/E', 'precheck', 17, 3.5, 21],
    ['5068', 'F', 'all', 13, 4, 22],
  ] satisfies [string, string, Lane, number, number, number][]
).map(([zone, terminal, lane, scale, opens, closes]) =>
  queue({ iata: 'PHL', terminal, checkpoint: '', lane, scale, opens, closes, words: { zone } }),
)

/** CLE: three checkpoints; only B tells of its PreCheck lane. */
export const CLE: Queue[] = (
  [
    ['a', 'all', 14],
    ['b', 'all', 17],
    ['bpre', 'precheck', 17],
    ['c', 'all', 12],
  ] satisfies [string, Lane, number][]
).map(([key, lane, scale]) =>
  queue({
    ...{ iata: 'CLE', terminal: '', checkpoint: key.slice(0, 1).toUpperCase(), lane, scale },
    ...{ opens: key === 'c' ? 5 : 3.5, closes: key === 'c' ? 18 : 22, words: { key } },
  }),
)
