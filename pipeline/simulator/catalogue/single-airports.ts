import type { Lane } from '../../../config/domain.ts'
import { type Queue, queue } from './queue.ts'

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

/** SFO: a table with a row a checkpoint and two columns of lanes. */
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

/** JAX: one hall, two lanes, no name for it. */
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
