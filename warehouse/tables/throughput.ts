import * as c from './columns.ts'
import { defineTable } from './define.ts'

/** People screened per checkpoint and hour. */
export const throughput = defineTable({
  name: 'throughput',
  about:
    'People screened per checkpoint and clock hour; known only afterwards, so never an input to a forecast of that hour.',
  owner: 'pipeline',
  retention: 'rollups',
  columns: {
    source: c.source,
    iata: c.iata,
    terminal: c.terminal,
    checkpoint: c.checkpoint,
    lane: c.lane,
    hour: c.instant('Start of the UTC hour.'),
    passengers: c.count('People screened.'),
    available_at: c.available_at,
    capture_id: c.capture_id,
  },
  key: ['source', 'iata', 'terminal', 'checkpoint', 'lane', 'hour'],
  sort: ['iata', 'terminal', 'checkpoint', 'hour'],
  age: 'hour',
  local: 'hour',
})
