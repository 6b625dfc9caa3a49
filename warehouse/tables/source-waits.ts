import * as c from './columns.ts'
import { defineTable } from './define.ts'

/** The waits of several sources of one queue beside each other. */
export const sourceWaits = defineTable({
  name: 'source_waits',
  about:
    'Mean wait of each source of an airport over its open standard lanes, by period of ten minutes in which several sources gave one. How far sources usually are apart is learned from it.',
  owner: 'pipeline',
  retention: 'rollups',
  columns: {
    kind: c.kind,
    iata: c.iata,
    slot: c.instant('Start of the period of ten minutes.'),
    source: c.source,
    wait_minutes: c.number('Mean wait in minutes; each lane counts once.'),
    available_at: c.available_at,
  },
  key: ['kind', 'iata', 'slot', 'source'],
  sort: ['iata', 'slot', 'source'],
  age: 'slot',
  by_kind: true,
  local: 'slot',
})
