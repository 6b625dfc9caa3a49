import { stringify } from 'csv-stringify/sync'
import type { CsvRow } from '../queries/define.ts'

/** Prefixes texts that a spreadsheet would run as a formula with an apostrophe; negative numbers are not texts. */
const escapeFormula = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** Rows as CSV (RFC 4180) with a header line; null and undefined are empty fields. */
export function csvText(columns: string[], rows: CsvRow[]): string {
  return stringify(rows, {
    header: true,
    columns,
    record_delimiter: 'windows',
    cast: { boolean: String, number: String, string: escapeFormula },
  })
}
