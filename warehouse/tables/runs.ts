import { z } from 'zod'
import * as c from './columns.ts'
import { column, defineTable, type Row } from './define.ts'

/** Every attempt to collect a source. Source health and "no delay" answers rest on these rows. */
export const runs = defineTable({
  name: 'runs',
  about: 'One row a capture of a source, or a failed attempt; source health and "no delay" answers rest on these rows.',
  owner: 'pipeline',
  retention: 'readings',
  columns: {
    source: c.source,
    started_at: c.instant('When the run of the source began; the same for all its requests.'),
    finished_at: c.instant('When this request ended.'),
    outcome: column(
      z.enum(['landed', 'empty', 'unchanged', 'failed']),
      'landed: new rows; empty: a good answer without rows; unchanged: nothing new; failed: see error_code.',
    ),
    error_code: c.maybeText('Stable error code of a failed run.'),
    error_message: c.maybeText('Error message.'),
    url: c.maybeText('Requested URL.'),
    http_status: column(z.int().nullable(), 'HTTP status received.'),
    observed_at: c.maybeInstant('Time that the payload gives for itself, or that of its newest reading.'),
    sha256: c.maybeText('Hash of the raw bytes, hex.'),
    bytes: column(z.int().nullable(), 'Size of the raw body in bytes.', 'BIGINT'),
    content_type: c.maybeText('Content type as sent.'),
    iata: c.maybeText('Requested airport, when the request was for one airport only.'),
    parsed_rows: c.whole('Rows the parser returned.'),
    new_rows: c.whole('Rows that were not in the warehouse before.'),
    notices: c.whole('Notices the parser and the checks raised.'),
    capture_id: c.text('Raw capture; unique also for failed attempts, which have no body.'),
  },
  key: ['source', 'capture_id', 'started_at'],
  sort: ['source', 'started_at'],
  age: 'started_at',
})

export type Run = Row<typeof runs>
