import { parse } from 'csv-parse/sync'
import { ParseError } from '../../config/errors.ts'

/**
 * Rows of a CSV text as objects by header name; a missing cell is an empty text.
 * @throws ParseError when a quote is not closed: the text then breaks off
 */
export function parseCsv(text: string): Record<string, string>[] {
  const [header = [], ...rows] = cellsOf(text)
  return rows.map((cells) => Object.fromEntries(header.map((name, index) => [name.trim(), cells[index] ?? ''])))
}

function cellsOf(text: string): string[][] {
  try {
    return parse(text, {
      bom: true,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    })
  } catch (cause) {
    throw new ParseError('$', `is not CSV: ${(cause as Error).message}`, { cause })
  }
}
