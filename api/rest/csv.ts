import { stringify } from 'csv-stringify/sync'
import type { CsvRow } from '../../answers/questions/define.ts'
import { spreadsheetText } from '../../config/untrusted-text.ts'

/** Rows as CSV (RFC 4180) with a header line unless it is refused; null and undefined are empty fields. */
export function csvText(columns: string[], rows: CsvRow[], header = true): string {
  return stringify(rows, {
    header,
    columns,
    record_delimiter: 'windows',
    cast: { boolean: String, number: String, string: spreadsheetText },
  })
}
