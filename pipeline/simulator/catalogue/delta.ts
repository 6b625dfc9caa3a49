import type { Lane } from '../../../config/domain.ts'
import { type Queue, queue } from './queue.ts'

type Row = [iata: string, section: string, name: string, lane: Lane, mirrors: string]

/** Delta's page tells of queues of three hubs; where the airport tells of them too, both agree. */
export const DELTA: Queue[] = (
  [
    ['ATL', 'Domestic', 'Main', 'all', 'ATL/Domestic/MAIN/all'],
    ['ATL', 'Domestic', 'North', 'all', 'ATL/Domestic/NORTH/all'],
    ['ATL', 'Domestic', 'Lower North', 'all', 'ATL/Domestic/LOWER NORTH/all'],
    ['ATL', 'Domestic', 'South', 'precheck', 'ATL/Domestic/SOUTH/precheck'],
    ['ATL', 'International', 'Main', 'all', 'ATL/International/MAIN/all'],
    ['MSP', '', 'T1 North', 'all', 'MSP/T1/T1 North/all'],
    ['MSP', '', 'T1 South', 'precheck', 'MSP/T1/T1 South/precheck'],
    ['DTW', '', 'McNamara', 'all', 'DTW/McNamara//all'],
  ] satisfies Row[]
).map(([iata, section, checkpoint, lane, mirrors]) =>
  queue({
    iata,
    terminal: checkpoint.match(/^T\d\b/)?.[0] ?? section,
    checkpoint,
    lane,
    scale: 16,
    fields: { section },
    mirrors,
  }),
)
