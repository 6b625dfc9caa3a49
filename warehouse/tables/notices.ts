import { z } from 'zod'
import * as c from './columns.ts'
import { column, defineTable, type Row } from './define.ts'

/** Notices are rows about data quality; they are never thrown. */
export const notices = defineTable({
  name: 'notices',
  about: 'Findings about data quality, by parsers and checks.',
  owner: 'pipeline',
  retention: 'readings',
  columns: {
    source: c.source,
    code: c.text('Stable code of the finding, e.g. value_not_a_number.'),
    severity: column(z.enum(['info', 'warning', 'error']), 'info, warning or error.'),
    path: c.text('Path of the value in the payload.'),
    value: c.maybeText('The offending value as text, cut to 200 characters.'),
    message: c.text('One sentence for a person.'),
    iata: c.maybeText('IATA code concerned, where one is known.'),
    noticed_at: c.instant('Fetch time of the capture concerned.'),
    capture_id: c.capture_id,
  },
  key: ['source', 'code', 'path', 'value', 'capture_id'],
  sort: ['source', 'noticed_at'],
  age: 'noticed_at',
})

export type NoticeRow = Row<typeof notices>

/** A notice as a parser or check returns it. */
export type Notice = Omit<NoticeRow, 'source' | 'noticed_at' | 'capture_id'>

/** Makes a notice; `value` is turned to text and cut. */
export function notice(
  code: string,
  severity: Notice['severity'],
  path: string,
  message: string,
  value: unknown = null,
  iata: string | null = null,
): Notice {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return { code, severity, path, message, value: value === null ? null : (text?.slice(0, 200) ?? null), iata }
}
