import type { Lane } from '../../../config/domain.ts'
import { lanes } from './lanes.ts'
import { type Queue, queue } from './queue.ts'

/** PIT: one hall of four lanes. */
export const PIT: Queue[] = lanes(
  { iata: 'PIT', terminal: '', checkpoint: 'Main Checkpoint', may_hide: true },
  { standard: 'Standard', precheck: 'PreCheck', clear: 'CLEAR', priority: 'Priority' },
  13,
  [3.5, 21],
)

/** DTW: a number a terminal. */
export const DTW: Queue[] = (['Evans', 'McNamara'] as const).map((terminal) =>
  queue({ iata: 'DTW', terminal, checkpoint: '', lane: 'all', scale: 15, opens: 0, closes: 24, fields: {} }),
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
