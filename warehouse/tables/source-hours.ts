import { z } from 'zod'
import * as c from './columns.ts'
import { column, defineTable, type Row } from './define.ts'

/** Hourly figures of a source's runs: uptime, freshness and the usual number of rows follow from them. */
export const sourceHours = defineTable({
  name: 'source_hours',
  about:
    'Hourly figures of the runs of each source; an hour without a run has a row only while an earlier reading was fresh.',
  owner: 'pipeline',
  retention: 'rollups',
  columns: {
    source: c.source,
    hour: c.instant('Start of the UTC hour; a run belongs to the hour it began in.'),
    runs: c.count('Runs; one run may make several requests.'),
    answered: column(
      z.number().min(0),
      'Sum over the runs of the fraction of requests that were answered and could be parsed.',
    ),
    failed: c.count('Runs without a request that could be parsed, including skipped runs.'),
    left_out: c.count('Runs that were skipped because the circuit of the source was open.'),
    rows: c.maybeNumber('Median number of rows of the runs that answered; null when none did.'),
    new_rows: c.count('Rows that were not in the warehouse before.'),
    fresh_seconds: c.count(
      'Seconds in which a fresh reading was available: under an hour old, or a cadence where that is longer, or a week for history.',
    ),
    newest_observed_at: c.maybeInstant('Newest observation time of the content that is not in the future.'),
    last_success_at: c.maybeInstant('When a request was last answered and could be parsed.'),
    content_changes: c.count('Runs whose bodies differ from those of the run before.'),
    content_changed_at: c.maybeInstant('When the bodies last differed, or were first fetched.'),
    content: c.maybeText('Number of bodies of the last run that answered, and a hash of all of them.'),
  },
  key: ['source', 'hour'],
  sort: ['source', 'hour'],
  age: 'hour',
})

export type SourceHour = Row<typeof sourceHours>
