import { parse } from 'csv-parse/sync'
import { airportDirectory } from '../../config/airports/directory.ts'
import { UsageError } from '../../config/errors.ts'
import { readNamedFile } from '../../config/named-file.ts'
import { cleanText, MAX_FAULT_CHARACTERS } from '../../config/untrusted-text.ts'
import { HOUR_MS, parseInstant } from '../../config/vocabulary.ts'

/** An instant to forecast. */
export interface NowcastKey {
  airport: string
  /** The instants in the words of the file, and as epoch ms. */
  issued_at: string
  valid_at: string
  issued_ms: number
  valid_ms: number
}

const COLUMNS = ['airport', 'issued_at', 'valid_at'] as const
const INSTANT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/
/** A nowcast reaches this far. */
export const NOWCAST_HOURS = 6
const MAX_FAULTS = 10
/** A million rows have a tenth of this. */
const MAX_KEYS_BYTES = 512 * 1_048_576

/**
 * Reads the instants to forecast from a CSV with the columns airport, issued_at and valid_at; other columns are ignored.
 * @throws UsageError that names the row (the header is row 1) and the field of up to ten faults.
 */
export function readKeys(file: string, from_ms: number, to_ms: number): NowcastKey[] {
  let rows: string[][]
  try {
    rows = parse(readNamedFile(file, MAX_KEYS_BYTES), {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    })
  } catch (cause) {
    throw new UsageError(`--keys: ${file} cannot be read as CSV (${(cause as Error).message})`)
  }
  const [header = [], ...body] = rows
  const places = COLUMNS.map((name) => header.indexOf(name))
  const missing = COLUMNS.filter((_, k) => places[k] === -1)
  if (missing.length > 0)
    throw new UsageError(
      `--keys: row 1: the header must have the columns ${COLUMNS.join(', ')}; ${missing.join(', ')} is missing`,
    )
  if (body.length === 0) throw new UsageError('--keys: there is no row after the header')
  const faults: string[] = []
  const keys = body.map((row, k) =>
    keyOf(
      places.map((place) => row[place] ?? ''),
      `row ${k + 2}`,
      { from_ms, to_ms },
      faults,
    ),
  )
  if (faults.length > 0) {
    const rest = faults.length > MAX_FAULTS ? [`… and ${faults.length - MAX_FAULTS} more`] : []
    const listed = faults.slice(0, MAX_FAULTS).map((fault) => cleanText(fault, MAX_FAULT_CHARACTERS))
    throw new UsageError(`--keys: ${[...listed, ...rest].join('; ')}`)
  }
  return keys
}

function keyOf(
  [airport = '', issued_at = '', valid_at = '']: string[],
  place: string,
  { from_ms, to_ms }: { from_ms: number; to_ms: number },
  faults: string[],
): NowcastKey {
  const fault = (field: string, text: string) => faults.push(`${place}: ${field}: ${text}`)
  const instant = (field: string, text: string) => {
    const ms = INSTANT.test(text) ? parseInstant(text) : Number.NaN
    if (Number.isNaN(ms)) fault(field, `"${text}" is not an ISO instant with an offset, such as 2026-07-21T00:30:00Z`)
    return ms
  }
  if (!airportDirectory().byIata.has(airport))
    fault('airport', `"${airport}" is not the IATA code of an airport, such as JFK`)
  const issued_ms = instant('issued_at', issued_at)
  const valid_ms = instant('valid_at', valid_at)
  if (issued_ms < from_ms || issued_ms > to_ms) fault('issued_at', `${issued_at} is outside --from and --to`)
  if (valid_ms < issued_ms) fault('valid_at', `${valid_at} is before issued_at`)
  if (valid_ms > issued_ms + NOWCAST_HOURS * HOUR_MS)
    fault('valid_at', `${valid_at} is more than ${NOWCAST_HOURS} hours after issued_at`)
  return { airport, issued_at, valid_at, issued_ms, valid_ms }
}
