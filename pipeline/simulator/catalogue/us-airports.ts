import type { Lane } from '../../../config/domain.ts'
import { type Hours, lanes, type Queue, queue } from './queue.ts'

/** Terminal, gates (or none), scale, whether it has a PreCheck lane. */
type PortAuthorityTerminal = [
  terminal: string,
  gate: string | null,
  scale: number,
  precheck: boolean,
  opens?: number,
  closes?: number,
]

/** The Port Authority's queues: by terminal, in Newark's Terminal B also by gates. */
function portAuthorityLanes(iata: string, list: PortAuthorityTerminal[]): Queue[] {
  return list.flatMap(([terminal, gate, scale, precheck, opens = 4, closes = 23.5]) =>
    (precheck ? (['standard', 'precheck'] as const) : (['standard'] as const)).map((lane) =>
      queue({
        iata,
        terminal,
        checkpoint: gate === null ? CHECKPOINT : `${CHECKPOINT}, gates ${gate}`,
        lane,
        scale,
        opens,
        closes,
        fields: { ...(gate === null ? {} : { gate }), queueType: lane === 'standard' ? 'Reg' : 'TSAPre' },
      }),
    ),
  )
}

/** The feed's spelling. */
export const CHECKPOINT = 'Main ChekPoint'

export const JFK = portAuthorityLanes('JFK', [
  ['1', null, 20, true],
  ['4', null, 17, true, 0, 24],
  ['5', null, 12, true, 3.5, 24],
  ['7', null, 11, false],
  ['8', null, 13, true, 3.5, 23],
])

export const LGA = portAuthorityLanes('LGA', [
  ['B', null, 12, true, 3.5, 22.5],
  ['C', null, 14, true, 3.5, 22.5],
])

export const EWR = portAuthorityLanes('EWR', [
  ['A', null, 14, true, 3.5, 22.5],
  ['B', '40-49', 13, true],
  ['B', '51-57', 18, true],
  ['B', '60-68', 15, true],
  ['C', null, 19, true, 3.5, 24],
])

/** Passport halls, from another service of the Port Authority. */
export const NEW_YORK_HALLS: Queue[] = (
  [
    ['JFK', '1', 26],
    ['JFK', '4', 24],
    ['JFK', '5', 14],
    ['JFK', '7', 16],
    ['JFK', '8', 20],
    ['EWR', 'B', 22],
    ['EWR', 'C', 18],
  ] satisfies [string, string, number][]
).map(([iata, terminal, scale]) =>
  queue({
    kind: 'immigration',
    iata,
    terminal,
    checkpoint: '',
    lane: 'all',
    scale,
    opens: 5,
    closes: 24,
    fields: {},
  }),
)

/** SEA: numbered checkpoints with one wait each, whatever lanes they have. `options` are the lanes its feed calls available. */
export const SEA: Queue[] = (
  [
    ['1', 'General,Pre,Clear', 'all', 13, 4, 24],
    ['2', 'General,Premium', 'all', 16, 3, 23],
    ['3', 'General,Pre,Clear', 'all', 18, 0, 24],
    ['4', 'Pre', 'precheck', 20, 4, 20],
    ['5', 'General,Clear,Spot Saver', 'all', 20, 4, 23],
    ['6', 'General', 'standard', 12, 4.5, 19],
  ] satisfies [string, string, Lane, number, number, number][]
).map(([name, options, lane, scale, opens, closes]) =>
  queue({ iata: 'SEA', terminal: '', checkpoint: name, lane, scale, opens, closes, fields: { name, options } }),
)

const SFO_CHECKPOINTS = [
  ['Harvey Milk Terminal 1 Checkpoint B', 13, 3.5],
  ['Terminal 2 Checkpoint D', 10, 3.5],
  ['Terminal 3 Checkpoint F', 15, 0],
  ["Int'l Terminal Checkpoint A", 12, 4],
  ["Int'l Terminal Checkpoint G", 14, 0],
] as const

/** SFO: a table with a row per checkpoint and a column for each of two lanes. */
export const SFO: Queue[] = SFO_CHECKPOINTS.flatMap(([checkpoint, scale, opens]) =>
  (['standard', 'precheck'] as const).map((lane) =>
    queue({ iata: 'SFO', terminal: '', checkpoint, lane, scale, opens, closes: opens === 0 ? 24 : 23, fields: {} }),
  ),
)

/** ATL: two columns of checkpoints; South has been for PreCheck only since 2026. */
export const ATL: Queue[] = (
  [
    ['Domestic', 'MAIN', 'all', 17, 0, 24],
    ['Domestic', 'NORTH', 'all', 14, 4.5, 21],
    ['Domestic', 'LOWER NORTH', 'all', 12, 4.5, 20],
    ['Domestic', 'SOUTH', 'precheck', 22, 4, 21],
    ['International', 'MAIN', 'all', 11, 4, 24],
  ] satisfies [string, string, Lane, number, number, number][]
).map(([terminal, checkpoint, lane, scale, opens, closes]) =>
  queue({ iata: 'ATL', terminal, checkpoint, lane, scale, opens, closes, fields: {} }),
)

/** JAX: one unnamed hall with two lanes. */
export const JAX: Queue[] = (['standard', 'precheck'] as const).map((lane) =>
  queue({
    iata: 'JAX',
    terminal: '',
    checkpoint: '',
    lane,
    scale: 9,
    closes: 21,
    fields: { label: lane === 'standard' ? 'Standard' : 'TSA PreCheck' },
  }),
)

/** PIT: one hall with four lanes. */
export const PIT: Queue[] = lanes(
  { iata: 'PIT', terminal: '', checkpoint: 'Main Checkpoint', may_hide: true },
  { standard: 'Standard', precheck: 'PreCheck', clear: 'CLEAR', priority: 'Priority' },
  13,
  [3.5, 21],
)

/** DTW: one wait per terminal. */
export const DTW: Queue[] = (['Evans', 'McNamara'] as const).map((terminal) =>
  queue({ iata: 'DTW', terminal, checkpoint: '', lane: 'all', scale: 15, opens: 0, closes: 24, fields: {} }),
)

const mwaaPlace = (iata: string, location: string, gates: string) => ({
  iata,
  terminal: location.match(/^Terminal (\w+)/)?.[1] ?? '',
  checkpoint: [location, gates].filter(Boolean).join(', '),
})

export const DCA: Queue[] = [
  ...lanes(mwaaPlace('DCA', 'Terminal 1', 'Gates A'), { standard: 'waittime' }, 9, [4, 22]),
  ...lanes(mwaaPlace('DCA', 'Terminal 2 South', 'Gates B-C'), { standard: 'waittime', precheck: 'pre' }, 14, [4, 23]),
  ...lanes(mwaaPlace('DCA', 'Terminal 2 North', 'Gates D-E'), { standard: 'waittime', precheck: 'pre' }, 13, [4, 21]),
]

export const IAD: Queue[] = [
  ...lanes(mwaaPlace('IAD', 'Terminal 1', ''), { standard: 'waittime' }, 10, [5, 20]),
  ...lanes(mwaaPlace('IAD', 'East Checkpoint', ''), { standard: 'waittime' }, 15, [4, 24]),
  ...lanes(mwaaPlace('IAD', 'Main Checkpoint', ''), { standard: 'waittime', precheck: 'pre' }, 16, [3.5, 22.5]),
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
  queue({ iata: 'PHL', terminal, checkpoint: '', lane, scale, opens, closes, fields: { zone } }),
)

/** CLE: three checkpoints; only B publishes its PreCheck lane. */
export const CLE: Queue[] = (
  [
    ['a', 'all', 14],
    ['b', 'all', 17],
    ['bpre', 'precheck', 17],
    ['c', 'all', 12],
  ] satisfies [string, Lane, number][]
).map(([key, lane, scale]) =>
  queue({
    iata: 'CLE',
    terminal: '',
    checkpoint: key.slice(0, 1).toUpperCase(),
    lane,
    scale,
    opens: key === 'c' ? 5 : 3.5,
    closes: key === 'c' ? 18 : 22,
    fields: { key },
  }),
)

const DEN_LANES = { standard: 'General', precheck: 'TSA PreCheck', clear: 'CLEAR' }
const denPlace = (checkpoint: string) => ({ iata: 'DEN', terminal: '', checkpoint, may_hide: true })

export const DEN: Queue[] = [
  ...lanes(denPlace('East Security'), DEN_LANES, 19, [3, 24]),
  ...lanes(denPlace('West Security'), DEN_LANES, 22, [4, 22]),
]

const ORD_LANES = { standard: 'General', precheck: 'PreCheck', priority: 'Priority', all: 'Total' }
const ordLanes = (terminal: string, number: string, letters: string, scale: number, hours: Hours) =>
  lanes(
    { iata: 'ORD', terminal, checkpoint: `Checkpoint ${number}` },
    Object.fromEntries(Object.entries(ORD_LANES).filter(([, word]) => letters.includes(word.slice(0, 2)))),
    scale,
    hours,
  )

/** ORD: lanes General, PreCheck and Priority where they are published separately; 7A has only an overview of all lanes. */
export const ORD: Queue[] = [
  ...ordLanes('1', '1', 'Ge', 14, [4, 22]),
  ...lanes({ iata: 'ORD', terminal: '1', checkpoint: 'Checkpoint 2' }, { precheck: 'PreCheck' }, 15, [4, 21]),
  ...ordLanes('1', '3', 'GePr', 16, [3.5, 23]),
  ...ordLanes('2', '5', 'GePr', 13, [3.5, 22]),
  ...ordLanes('3', '6', 'Ge', 15, [4, 20]),
  ...ordLanes('3', '7A', 'To', 12, [5, 19]),
  ...ordLanes('3', '8', 'GePr', 17, [3.5, 24]),
  ...ordLanes('5', '10', 'GePr', 18, [0, 24]),
]

const PDX_LANES = { standard: 'General', precheck: 'PreCheck' }

export const PDX: Queue[] = [
  ...lanes({ iata: 'PDX', terminal: '', checkpoint: 'North' }, PDX_LANES, 13, [3.5, 24]),
  ...lanes({ iata: 'PDX', terminal: '', checkpoint: 'South' }, PDX_LANES, 11, [4, 20]),
]

/** SLC: one estimate for all, and two PreCheck lanes that are open or closed. */
export const SLC: Queue[] = [
  queue({ iata: 'SLC', terminal: '', checkpoint: '', lane: 'standard', scale: 17, opens: 0, closes: 24, fields: {} }),
  queue({ iata: 'SLC', terminal: 'Terminal 1', checkpoint: 'Checkpoint 1', lane: 'precheck', opens: 5, fields: {} }),
  queue({ iata: 'SLC', terminal: 'Terminal 1', checkpoint: 'Checkpoint 2', lane: 'precheck', opens: 5, fields: {} }),
]

/** MSP: a card per checkpoint; its message tells who may use it. */
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

/** One wait for a whole airport; BNA never closes, and its wait is 0 at night. */
const wholeAirport = (iata: string, scale: number, opens = 0, closes = 24): Queue =>
  queue({ iata, terminal: '', checkpoint: '', lane: 'all', scale, opens, closes, fields: {} })

export const BNA: Queue[] = [wholeAirport('BNA', 14)]
export const CMH: Queue[] = [wholeAirport('CMH', 9, 3.5, 21)]

/** OMA: two concourses, published as ranges only. */
export const OMA: Queue[] = ['Concourse A (South)', 'Concourse B (North)'].map((checkpoint, at) =>
  queue({ iata: 'OMA', terminal: '', checkpoint, lane: 'all', scale: 10 - at, opens: 3.5, closes: 20.5, fields: {} }),
)

/** SAT: one average per terminal. */
export const SAT: Queue[] = ['A', 'B'].map((terminal, at) =>
  queue({ iata: 'SAT', terminal, checkpoint: '', lane: 'all', scale: 13 - 3 * at, closes: 22, fields: {} }),
)

/** CHS: one hall; the heading of its second card is a lane instead of a place. */
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

/** STL: one estimate for the airport around the clock; of its checkpoints only the state is published. */
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
