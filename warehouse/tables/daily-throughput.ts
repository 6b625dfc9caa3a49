import { z } from 'zod'
import * as c from './columns.ts'
import { column, defineTable } from './define.ts'

/** People screened per day, of an airport or of a whole country. */
export const dailyThroughput = defineTable({
  name: 'daily_throughput',
  about:
    'People screened per calendar day at an airport or in a whole country; known only afterwards, so never an input to a forecast of that day.',
  owner: 'pipeline',
  retention: 'rollups',
  columns: {
    source: c.source,
    area: column(
      z.string().regex(/^([A-Z]{3}|[A-Z]{2}-ALL)$/),
      'IATA code of an airport, or a country as a whole: its ISO code and -ALL, e.g. US-ALL.',
    ),
    day: c.instant('The local calendar day, stored as midnight UTC of that date.'),
    passengers: c.count('People screened.'),
    available_at: c.available_at,
    capture_id: c.capture_id,
  },
  key: ['source', 'area', 'day'],
  sort: ['area', 'day'],
  age: 'day',
})
