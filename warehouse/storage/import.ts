import { randomBytes } from 'node:crypto'
import { access, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { airportDirectory } from '../../config/airports/directory.ts'
import { resolveCode } from '../../config/airports/resolve-code.ts'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { cleanText, MAX_FAULT_CHARACTERS } from '../../config/untrusted-text.ts'
import { dailyThroughput } from '../tables/daily-throughput.ts'
import type { Table } from '../tables/define.ts'
import { notices } from '../tables/notices.ts'
import { readings } from '../tables/readings.ts'
import { throughput } from '../tables/throughput.ts'
import type { Delimiter } from './csv-reader.ts'
import { readRows } from './duckdb.ts'
import { sha256OfFile } from './file-identity.ts'
import { asDiskFull } from './files.ts'
import { type TimeFormat, writeImportRows, writtenRows } from './import-rows.ts'
import {
  cleanedNoticesSelect,
  contradictingSelect,
  contradictionNoticesSelect,
  dailyThroughputSelect,
  type ImportColumn,
  type ImportKind,
  type ImportOrigin,
  LAG_HOURS,
  readingsSelect,
  refuseContradictions,
  throughputSelect,
  typedDaysSelect,
  typedSelect,
  zoneWordsSelect,
} from './import-sql.ts'
import { createLocalTime } from './local-time-sql.ts'
import { requireOrdinaryFile } from './ordinary-file.ts'
import { quoteText } from './sql.ts'
import type { Warehouse } from './warehouse.ts'
import { landSelect } from './write.ts'

export interface ImportOptions {
  kind: ImportKind
  /** Value of the column `source`; `import` by default. */
  source?: string
  /** Our column name → the file's header, where they differ. */
  columnMap?: Partial<Record<ImportColumn, string>>
  lagHours?: number | undefined
  /** How `observed_at` is written. @default 'iso' */
  time?: TimeFormat | undefined
  /** The separator of values. @default by the header */
  delimiter?: Delimiter | undefined
  /** How a wait with a fraction is written. @default a comma where `;` stands between values and no wait has a point */
  decimal?: Decimal | undefined
  /** Epoch milliseconds; later rows are rejected. The time of the call by default. */
  now?: number
}

export const DECIMALS = ['point', 'comma'] as const
export type Decimal = (typeof DECIMALS)[number]

export interface ImportReport {
  file: string
  /** The separators of values, and of the fraction of a wait. */
  delimiter: Delimiter
  decimal: Decimal
  rows: number
  new_rows: number
  already_there: number
  /** Those of them that have another figure than what is stored, which stays. */
  differing_rows: number
  bad_rows: number
  /** Those of them that are refused because another row of the file has another figure for the same queue and time. */
  contradicting_rows: number
  /** The first bad rows, with the line of the file (the header is line 1). */
  bad: { line: number; fault: string }[]
  /** Codes of the file that were read as another one: ICAO codes and former codes. */
  codes_read_as: { code: string; iata: string; rows: number; notice: string | null }[]
}

const MAX_BAD_LISTED = 20

/** An error of the engine, which lists its own settings after its first line. */
function notCsv(path: string, cause: Error): HoldshortError {
  const [first] = cause.message.split('\n')
  return new HoldshortError(
    'IMPORT_INVALID',
    `${path} cannot be read: ${first}; check that its quotes are closed and its rows have the columns of the header`,
    { cause },
  )
}

const WAITS = ['wait_minutes', 'wait_low', 'wait_high']

/** The decimal sign of a file: a comma where `;` stands between its values, a wait has one, and none has a point. */
async function decimalOf(connection: DuckDBConnection, table: string, delimiter: Delimiter): Promise<Decimal> {
  if (delimiter !== ';') return 'point'
  const has = (sign: string) => WAITS.map((name) => `contains(coalesce(${name}, ''), '${sign}')`).join(' OR ')
  const [found] = await readRows<{ commas: number; points: number }>(
    connection,
    `SELECT count(*) FILTER (${has(',')}) AS commas, count(*) FILTER (${has('.')}) AS points FROM ${table}`,
  )
  return found && found.commas > 0 && found.points === 0 ? 'comma' : 'point'
}

/** Waits with a decimal comma, as the engine reads numbers; one with a point may have it for thousands, and stays unreadable. */
const WITH_POINTS = WAITS.map(
  (name) =>
    `${name} = CASE WHEN contains(${name}, '.') THEN ${name} || ' (with a decimal comma)' ELSE replace(${name}, ',', '.') END`,
).join(', ')

/** How the good rows of a kind are imported. */
interface Target {
  table: Table
  required: readonly ImportColumn[]
  /** The columns that are the figures of a row. */
  figures: readonly string[]
  /** The columns that rows of one key share unless they contradict each other. */
  agreed: readonly string[]
  select: (staged: string, origin: ImportOrigin, kind: ImportKind) => string
}

const WAIT_FIGURES = ['wait_minutes', 'wait_minutes_low', 'wait_minutes_high', 'status']
const WAIT_TARGET: Target = {
  table: readings,
  required: ['airport', 'observed_at', 'wait_minutes'],
  figures: WAIT_FIGURES,
  agreed: WAIT_FIGURES,
  select: readingsSelect,
}
const TARGETS: Partial<Record<ImportKind, Target>> = {
  throughput: {
    table: throughput,
    required: ['airport', 'observed_at', 'passengers'],
    figures: ['passengers'],
    // Counts of quarter hours are no count of the hour, even if they are equal.
    agreed: ['passengers', 'counted_at'],
    select: throughputSelect,
  },
  daily_throughput: {
    table: dailyThroughput,
    required: ['airport', 'observed_local', 'passengers'],
    figures: ['passengers'],
    agreed: ['passengers'],
    select: dailyThroughputSelect,
  },
}

const targetOf = (kind: ImportKind): Target => TARGETS[kind] ?? WAIT_TARGET

/** The table that rows of a kind go to. */
export const importedTable = (kind: ImportKind): Table => targetOf(kind).table

/** How many good rows have another figure than the row that is stored in their place. */
async function countDiffering(
  connection: DuckDBConnection,
  { table: { name, key }, figures }: Target,
  select: string,
): Promise<number> {
  const isSame = key.map((column) => `e.${column} = i.${column}`).join(' AND ')
  const differs = figures.map((column) => `e.${column} IS DISTINCT FROM i.${column}`).join(' OR ')
  const [found] = await readRows<{ n: number }>(
    connection,
    `SELECT count(*) AS n FROM (${select}) i JOIN ${name} e ON ${isSame} WHERE ${differs}`,
  )
  return found!.n
}

/** The airports that a file names, the codes that are read as those of another one, and those of closed ones. */
async function readCodes(connection: DuckDBConnection, table: string) {
  const directory = airportDirectory()
  const found = await readRows<{ code: string; rows: number }>(
    connection,
    `SELECT upper(trim(airport)) AS code, count(*) AS rows FROM ${table} WHERE regexp_full_match(upper(trim(airport)), '[A-Z0-9]{3,4}') GROUP BY 1 ORDER BY 1`,
  )
  const read_as: ImportReport['codes_read_as'] = []
  const closed: { code: string; notice: string }[] = []
  const airports = new Set<string>()
  for (const { code, rows } of found) {
    const resolved = resolveCode(code, directory)
    if (resolved === null) continue
    if (resolved.how === 'closed') {
      closed.push({ code, notice: resolved.notice })
      continue
    }
    const { how, notice } = resolved
    const { iata } = resolved.airport
    airports.add(iata)
    if (how !== 'current') read_as.push({ code, iata, rows, notice })
  }
  return { airports: [...airports], read_as, closed }
}

/**
 * Imports a CSV (also .gz) of waits or throughput: good rows are landed once, bad rows are reported by line and skipped.
 * @throws HoldshortError IMPORT_INVALID when the file cannot be read or lacks a required column.
 */
export async function importCsv(warehouse: Warehouse, path: string, options: ImportOptions): Promise<ImportReport> {
  await access(path).catch((cause: unknown) => {
    throw new HoldshortError('IMPORT_INVALID', `${path}: no such file`, { cause })
  })
  await requireOrdinaryFile(path).catch((cause: Error) => {
    throw new HoldshortError('IMPORT_INVALID', `${cause.message}; it is read twice`, { cause })
  })
  const origin = {
    source: options.source ?? 'import',
    captureId: `import-${(await sha256OfFile(path)).slice(0, 16)}`,
    now: new Date(options.now ?? Date.now()).toISOString(),
  }
  const staged = `import_${randomBytes(6).toString('hex')}`
  const rewritten = join(dataPaths(warehouse.data_dir).scratch, String(process.pid), `${staged}.csv`)
  try {
    const delimiter = await writeImportRows(path, rewritten, {
      delimiter: options.delimiter ?? null,
      time: options.time ?? 'iso',
      columnMap: options.columnMap ?? {},
      required: targetOf(options.kind).required,
    })
    return await landRows(warehouse, path, options, { rewritten, delimiter, staged, origin })
  } finally {
    await rm(rewritten, { force: true })
  }
}

interface RewrittenFile {
  rewritten: string
  delimiter: Delimiter
  staged: string
  origin: ImportOrigin
}

function landRows(
  warehouse: Warehouse,
  path: string,
  options: ImportOptions,
  { rewritten, delimiter, staged, origin }: RewrittenFile,
): Promise<ImportReport> {
  return warehouse.write(async (context) => {
    const { connection } = context
    try {
      await connection.run(`CREATE TEMP TABLE ${staged}_raw AS ${writtenRows(rewritten)}`)
      const decimal = options.decimal ?? (await decimalOf(connection, `${staged}_raw`, delimiter))
      if (decimal === 'comma') await connection.run(`UPDATE ${staged}_raw SET ${WITH_POINTS}`)
      const zones = await readRows<{ zone: string }>(connection, zoneWordsSelect(`${staged}_raw`))
      await createLocalTime(
        connection,
        zones.map(({ zone }) => zone),
      )
      const lanes = await readRows<{ lane: string }>(
        connection,
        `SELECT DISTINCT coalesce(lane, '') AS lane FROM ${staged}_raw`,
      )
      const { airports, read_as, closed } = await readCodes(connection, `${staged}_raw`)
      for (const { code, iata } of read_as)
        await connection.run(`UPDATE ${staged}_raw SET airport = '${iata}' WHERE upper(trim(airport)) = '${code}'`)
      const words = lanes.map(({ lane }) => lane)
      const lag = options.lagHours ?? LAG_HOURS[options.kind]
      const raw = `FROM ${staged}_raw`
      const typed =
        options.kind === 'daily_throughput'
          ? typedDaysSelect(raw, airports, lag, origin.now)
          : typedSelect(raw, options.kind, words, airports, lag, origin.now)
      await connection.run(`CREATE TEMP TABLE ${staged} AS ${typed}`)
      for (const { code, notice } of closed)
        await connection.run(
          `UPDATE ${staged} SET fault = ${quoteText(`airport: ${notice}`)} WHERE starts_with(fault, 'airport: "${code}"')`,
        )
      const target = targetOf(options.kind)
      const select = target.select(staged, origin, options.kind)
      await connection.run(refuseContradictions(staged, select, target.table.key, target.agreed))
      const [totals] = await readRows<{ rows: number; bad_rows: number; contradicting_rows: number }>(
        connection,
        `SELECT count(*) AS rows, count(fault) AS bad_rows, (SELECT count(*) ${contradictingSelect(staged)}) AS contradicting_rows FROM ${staged}`,
      )
      const { rows, bad_rows, contradicting_rows } = totals!
      const bad = await readRows<{ line: number; fault: string }>(
        connection,
        `SELECT line, fault FROM ${staged} WHERE fault IS NOT NULL ORDER BY line LIMIT ${MAX_BAD_LISTED}`,
      )
      const landed = (await landSelect(context, target.table, select)).rows
      const isDays = options.kind === 'daily_throughput'
      if (!isDays) await landSelect(context, notices, cleanedNoticesSelect(staged, origin))
      const airport = isDays ? 'NULL' : 'iata'
      await landSelect(context, notices, contradictionNoticesSelect(staged, airport, origin))
      const already_there = rows - bad_rows - landed
      return {
        file: path,
        delimiter,
        decimal,
        rows,
        new_rows: landed,
        already_there,
        differing_rows: already_there === 0 ? 0 : await countDiffering(connection, target, select),
        bad_rows,
        contradicting_rows,
        codes_read_as: read_as,
        bad: bad.map(({ line, fault }) => ({ line, fault: cleanText(fault, MAX_FAULT_CHARACTERS) })),
      }
    } catch (cause) {
      const error = asDiskFull(cause)
      throw error instanceof HoldshortError ? error : notCsv(path, cause as Error)
    } finally {
      await connection.run(`DROP TABLE IF EXISTS ${staged}; DROP TABLE IF EXISTS ${staged}_raw`)
    }
  })
}
