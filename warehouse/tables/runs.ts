import { z } from 'zod'
import { UtcInstant } from '../../config/domain.ts'
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
      'VARCHAR',
      z.enum(['landed', 'empty', 'unchanged', 'failed']),
      'landed: new rows; empty: a good answer without rows; unchanged: nothing new; failed: see error_code.',
    ),
    error_code: column('VARCHAR', z.string().nullable(), 'Stable error code of a failed run.'),
    error_message: column('VARCHAR', z.string().nullable(), 'Error message.'),
    url: column('VARCHAR', z.string().nullable(), 'Requested URL.'),
    http_status: column('INTEGER', z.int().nullable(), 'HTTP status received.'),
    observed_at: column(
      'TIMESTAMPTZ',
      UtcInstant.nullable(),
      'Time that the payload gives for itself, or that of its newest reading.',
    ),
    sha256: column('VARCHAR', z.string().nullable(), 'Hash of the raw bytes, hex.'),
    bytes: column('BIGINT', z.int().nullable(), 'Size of the raw body in bytes.'),
    content_type: column('VARCHAR', z.string().nullable(), 'Content type as sent.'),
    iata: column('VARCHAR', z.string().nullable(), 'Requested airport, when the request was for one airport only.'),
    parsed_rows: column('INTEGER', z.int(), 'Rows the parser returned.'),
    new_rows: column('INTEGER', z.int(), 'Rows that were not in the warehouse before.'),
    notices: column('INTEGER', z.int(), 'Notices the parser and the checks raised.'),
    capture_id: column('VARCHAR', z.string(), 'Raw capture; unique also for failed attempts, which have no body.'),
  },
  key: ['source', 'capture_id', 'started_at'],
  sort: ['source', 'started_at'],
  age: 'started_at',
})

export type Run = Row<typeof runs>
