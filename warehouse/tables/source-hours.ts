import { z } from 'zod'
import { UtcInstant } from '../../config/domain.ts'
import * as c from './columns.ts'
import { byDate, column, defineTable, type Row } from './define.ts'

const count = (meaning: string) => column('INTEGER', z.int().min(0), meaning)
const maybeInstant = (meaning: string) => column('TIMESTAMPTZ', UtcInstant.nullable(), meaning)

/** What an hour's runs of a source came to: what uptime, freshness and the usual number of rows are told from. */
export const sourceHours = defineTable({
  name: 'source_hours',
  about:
    'What the runs of each source came to, hour by hour; an hour without a run has a row only while an earlier reading was fresh.',
  owner: 'pipeline',
  retention: 'rollups',
  columns: {
    source: c.source,
    hour: c.instant('Start of the UTC hour; a run belongs to the hour it began in.'),
    runs: count('Runs; one run may make several requests.'),
    answered: column(
      'DOUBLE',
      z.number().min(0),
      'Sum over the runs of the fraction of requests that answered and could be read.',
    ),
    failed: count('Runs of which no request could be read, those left out included.'),
    left_out: count('Runs in which nothing was asked, because the circuit of the source was open.'),
    rows: column(
      'DOUBLE',
      z.number().nullable(),
      'Median number of rows of the runs that answered; null when none did.',
    ),
    new_rows: count('Rows that were not in the warehouse before.'),
    fresh_seconds: count(
      'Seconds in which a fresh reading was at hand: under an hour old, or a cadence where that is longer, or a week for history.',
    ),
    newest_observed_at: maybeInstant('Newest time that the content claims, of those not in the future.'),
    last_success_at: maybeInstant('When a request last answered and could be read.'),
    content_changes: count('Runs whose bodies differ from those of the run before.'),
    content_changed_at: maybeInstant('When the bodies last differed, or were first seen.'),
    content: column(
      'VARCHAR',
      z.string().nullable(),
      'Number of bodies of the last run that answered, and a hash of all of them.',
    ),
  },
  key: ['source', 'hour'],
  partition: [byDate('hour')],
  sort: ['source', 'hour'],
  age: 'hour',
})

export type SourceHour = Row<typeof sourceHours>
