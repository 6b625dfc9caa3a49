import { createReadStream, createWriteStream } from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { HoldshortError } from '../../config/errors.ts'
import { cleanText, MAX_FAULT_CHARACTERS } from '../../config/untrusted-text.ts'
import { CsvReader, type CsvRow, type Delimiter } from './csv-reader.ts'
import { asDiskFull } from './files.ts'
import { IMPORT_COLUMNS, type ImportColumn } from './import-sql.ts'
import { quoteText } from './sql.ts'

export const TIME_FORMATS = ['iso', 'epoch-seconds', 'epoch-milliseconds'] as const
export type TimeFormat = (typeof TIME_FORMATS)[number]

export interface RowFormat {
  /** The separator of values; by the header if it is not given. */
  delimiter: Delimiter | null
  time: TimeFormat
  /** Our column name → the file's header, where they differ. */
  columnMap: Partial<Record<ImportColumn, string>>
  required: readonly ImportColumn[]
}

/** Why a file cannot be read to its end as text, by the code of the error. */
const UNREADABLE: Record<string, string> = {
  ERR_ENCODING_INVALID_ENCODED_DATA: 'is not UTF-8, nor UTF-16 with a byte order mark; save it as UTF-8',
  Z_BUF_ERROR: 'is cut off: its compressed content has no end',
  Z_DATA_ERROR: 'is no gzip file, or is damaged',
}

const COLUMNS = Object.keys(IMPORT_COLUMNS) as ImportColumn[]

/**
 * Writes the columns of an import that a file has (CSV, also .gz) to another file, in the one form that the engine reads below.
 * Returns what was between the values.
 * @throws HoldshortError IMPORT_INVALID when the file cannot be read or lacks a required column, DISK_FULL
 */
export async function writeImportRows(path: string, target: string, format: RowFormat): Promise<Delimiter> {
  const reader = new CsvReader(format.delimiter)
  let textOf: ((row: CsvRow) => string) | null = null
  const written = (rows: CsvRow[]) => {
    let text = ''
    for (const row of rows) {
      if (textOf === null) textOf = rowWriter(path, row, format)
      else text += textOf(row)
    }
    return text
  }
  const rewrite = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const piece of decoded(chunks)) yield written(reader.push(piece))
    yield written(reader.end())
  }
  const file = createReadStream(path)
  const output = createWriteStream(target)
  try {
    await (path.endsWith('.gz') ? pipeline(file, createGunzip(), rewrite, output) : pipeline(file, rewrite, output))
  } catch (cause) {
    const error = asDiskFull(cause, dirname(target))
    if (error instanceof HoldshortError) throw error
    const { code, message } = cause as NodeJS.ErrnoException
    const reason = UNREADABLE[code ?? ''] ?? `cannot be read: ${message}`
    throw new HoldshortError('IMPORT_INVALID', `${path} ${reason}`, { cause })
  }
  if (textOf === null) throw new HoldshortError('IMPORT_INVALID', `${path} has no rows, not even a header`)
  return reader.delimiter ?? ','
}

/** SELECT of the rows that `writeImportRows` has written: `line`, `row_fault` and every import column, null if the file has no value. */
export function writtenRows(target: string): string {
  const texts = COLUMNS.map((name) => `${name}: 'VARCHAR'`).join(', ')
  return `SELECT * FROM read_csv(${quoteText(target)}, auto_detect = false, header = false, delim = ',', quote = '"', escape = '"', new_line = '\\n', columns = {line: 'BIGINT', row_fault: 'VARCHAR', ${texts}})`
}

/** The text of a file: UTF-16 where its byte order mark says so, otherwise UTF-8. */
async function* decoded(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true })
    yield decoder.decode(chunk, { stream: true })
  }
  if (decoder) yield decoder.decode()
}

function encodingOf([first, second]: Buffer): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

/** A function that writes a row of a file with this header. @throws HoldshortError for a header that lacks a required column, or has one twice */
function rowWriter(path: string, header: CsvRow, { columnMap, required, time }: RowFormat): (row: CsvRow) => string {
  const names = header.fields.map((name) => name.trim())
  const missing = required.map((name) => columnMap[name] ?? name).filter((name) => !names.includes(name))
  if (missing.length > 0)
    throw new HoldshortError(
      'IMPORT_INVALID',
      `${path}: columns missing: ${missing.join(', ')}; the file has ${cleanText(names.filter((name) => name !== '').join(', '), MAX_FAULT_CHARACTERS)}`,
    )
  const headers = COLUMNS.map((name) => [name, columnMap[name] ?? name] as const)
  const twice = headers.filter(([, header]) => names.indexOf(header) !== names.lastIndexOf(header))
  if (twice.length > 0)
    throw new HoldshortError(
      'IMPORT_INVALID',
      `${path}: columns that occur twice: ${twice.map(([, header]) => header).join(', ')}; rename or remove all but one`,
    )
  const positions = headers.map(([name, header]) => [name, names.indexOf(header)] as const)
  return ({ line, fields }) => {
    const isTooLong = fields.slice(names.length).some((value) => value.trim() !== '')
    const faults = isTooLong
      ? [
          `the row has ${fields.length} values and the header ${names.length}: quote a value that has the sign between values`,
        ]
      : []
    const values = positions.map(([name, position]) => {
      const value = fields[position]
      if (value === undefined || name !== 'observed_at' || time === 'iso') return value
      const instant = instantOfEpoch(value, time)
      if (instant === null) faults.push(`observed_at: "${value}" is not a number, as --time-format ${time} says`)
      return instant ?? value
    })
    return `${[String(line), quoted(faults[0]), ...values.map(quoted)].join(',')}\n`
  }
}

const quoted = (value: string | undefined) =>
  value === undefined || value === '' ? '' : `"${value.replaceAll('"', '""')}"`

/** The instant of seconds or milliseconds since 1970, also with a fraction; null for another text. */
function instantOfEpoch(text: string, time: 'epoch-seconds' | 'epoch-milliseconds'): string | null {
  if (!/^\s*-?\d{1,15}(?:\.\d{1,9})?\s*$/.test(text)) return null
  const instant = new Date(Math.round(Number(text) * (time === 'epoch-seconds' ? 1_000 : 1)))
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString().replace(/^\+/, '')
}
