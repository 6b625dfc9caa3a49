import { stringify } from 'csv-stringify/sync'
import type { CsvRow } from '../queries/define.ts'

/** Texts that a spreadsheet would run as a formula are defused; numbers below zero are left as they are. */
const defused = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** Rows as CSV (RFC 4180) with a header line; null or nothing is an empty field. */
export function csvText(columns: string[], rows: CsvRow[]): string {
  return stringify(rows, {
    header: true,
    columns,
    record_delimiter: 'windows',
    cast: { boolean: String, number: String, string: defused },
  })
}
