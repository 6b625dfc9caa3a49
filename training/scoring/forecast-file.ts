import { gunzipSync } from 'node:zlib'
import { CsvError, parse } from 'csv-parse/sync'
import { airportDirectory } from '../../config/airports/directory.ts'
import { codeFault, resolveCode } from '../../config/airports/resolve-code.ts'
import { UsageError } from '../../config/errors.ts'
import { readNamedFile } from '../../config/named-file.ts'
import { cleanText, MAX_FAULT_CHARACTERS } from '../../config/untrusted-text.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, parseInstant, startOfHour } from '../../config/vocabulary.ts'

/** One forecast of a CSV; instants are epoch milliseconds. */
export interface FileForecast {
  airport: string
  issued_ms: number
  valid_ms: number
  /** Whole hours from the hour of the issue. */
  ahead: number
  p10: number
  p50: number
  p90: number
}

const COLUMNS = ['airport', 'issued_at', 'valid_at', 'p10', 'p50', 'p90'] as const
const QUANTILES = ['p10', 'p50', 'p90'] as const
const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/
const MAX_FAULTS = 20
/** The clock of whoever made the forecasts may be ahead of ours by as much. */
const MAX_AHEAD_MS = 10 * MINUTE_MS
/** No forecast is for an hour in a later year; such an instant is of another century or unit. */
const MAX_HORIZON_DAYS = 366

/** A year of forecasts of all airports has a tenth of this. */
const MAX_BYTES = 512 * 1_048_576

/** The same limit as for imported waits. */
const MAX_MINUTES = 600

type Cells = Record<(typeof COLUMNS)[number], string>

/** The text of a CSV, plain or .gz. @throws UsageError when it cannot be read */
function textOf(path: string): string {
  try {
    const bytes = readNamedFile(path, MAX_BYTES)
    return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    throw new UsageError(`${path} cannot be read (${code ?? message})`)
  }
}

/** The rows of a CSV as cells, each with the line of the file that it ends on. @throws UsageError when it is not one */
function rowsOf(path: string): { line: number; row: string[] }[] {
  try {
    const options = { bom: true, info: true, relax_column_count: true, skip_empty_lines: true, trim: true }
    const rows = parse(textOf(path), options) as unknown as { record: string[]; info: { lines: number } }[]
    return rows.map(({ record, info }) => ({ line: info.lines, row: record }))
  } catch (cause) {
    if (cause instanceof CsvError) throw new UsageError(`${path} is not a CSV (${cause.message})`)
    throw cause
  }
}

/** Epoch milliseconds of an instant with a zone; NaN for anything else. */
const instantOf = (text: string) => (INSTANT.test(text) ? parseInstant(text.replace(' ', 'T')) : Number.NaN)
const numberOf = (text: string) => (NUMBER.test(text) ? Number(text) : Number.NaN)
const noInstant = (name: string, text: string) =>
  `${name}: "${text}" is not an instant with a zone, such as 2026-11-21T00:00:00Z`

/** A forecast from the cells of a row, or the text of what is wrong with it. */
function forecastOf(cells: Cells, now: number): FileForecast | string {
  const resolved = resolveCode(cells.airport, airportDirectory())
  const issued_ms = instantOf(cells.issued_at)
  const valid_ms = instantOf(cells.valid_at)
  const notNumber = QUANTILES.find((name) => !Number.isFinite(numberOf(cells[name])))
  if (!resolved?.airport) return `airport: ${codeFault(cells.airport, resolved)}`
  if (Number.isNaN(issued_ms)) return noInstant('issued_at', cells.issued_at)
  if (Number.isNaN(valid_ms)) return noInstant('valid_at', cells.valid_at)
  if (issued_ms > now + MAX_AHEAD_MS) return 'issued_at: lies in the future'
  if (valid_ms < startOfHour(issued_ms)) return 'valid_at: lies before issued_at'
  if (valid_ms !== startOfHour(valid_ms)) return 'valid_at: is not the start of a UTC hour'
  if (valid_ms > issued_ms + MAX_HORIZON_DAYS * DAY_MS) return 'valid_at: is more than a year after issued_at'
  if (notNumber) return `${notNumber}: "${cells[notNumber]}" is not a number`
  const p10 = numberOf(cells.p10)
  const p50 = numberOf(cells.p50)
  const p90 = numberOf(cells.p90)
  if (p10 < 0) return 'p10: a wait is not negative'
  if (p90 > MAX_MINUTES) return `p90: ${p90} is not between 0 and ${MAX_MINUTES}`
  if (p10 > p50 || p50 > p90) return 'p10, p50, p90: are not in order'
  const airport = resolved.airport.iata
  return { airport, issued_ms, valid_ms, ahead: (valid_ms - startOfHour(issued_ms)) / HOUR_MS, p10, p50, p90 }
}

/**
 * Reads a CSV of forecasts with the columns airport (any code of today or before), issued_at, valid_at, p10, p50 and p90.
 * @throws UsageError with every fault by its line, at most 20, and how many more there are
 */
export function readForecastFile(path: string): FileForecast[] {
  const now = Date.now()
  const [first, ...rows] = rowsOf(path)
  const header = first?.row ?? []
  const twice = COLUMNS.filter((name) => header.indexOf(name) !== header.lastIndexOf(name))
  if (twice.length > 0)
    throw new UsageError(`${path} is no file of forecasts: columns that occur twice: ${twice.join(', ')}`)
  const missing = COLUMNS.filter((name) => !header.includes(name))
  if (missing.length > 0)
    throw new UsageError(`${path} is no file of forecasts: columns missing: ${missing.join(', ')}`)
  const forecasts = new Map<string, FileForecast>()
  const faults: string[] = []
  for (const { line, row } of rows) {
    const add = (fault: string) => faults.push(`line ${line}: ${cleanText(fault, MAX_FAULT_CHARACTERS)}`)
    if (row.length !== header.length) {
      add(`${row.length} cells, but the header has ${header.length}`)
      continue
    }
    const cells = Object.fromEntries(COLUMNS.map((name) => [name, row[header.indexOf(name)]])) as Cells
    const forecast = forecastOf(cells, now)
    if (typeof forecast === 'string') {
      add(forecast)
      continue
    }
    const key = `${forecast.airport} ${forecast.issued_ms} ${forecast.valid_ms}`
    if (forecasts.has(key)) add('a second forecast of the same airport, issued_at and valid_at')
    else forecasts.set(key, forecast)
  }
  if (faults.length > 0) {
    const rest = faults.length > MAX_FAULTS ? [`… and ${faults.length - MAX_FAULTS} more`] : []
    throw new UsageError(`${path} is no file of forecasts: ${[...faults.slice(0, MAX_FAULTS), ...rest].join('; ')}`)
  }
  return [...forecasts.values()]
}
