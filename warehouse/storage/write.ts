import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { withCleanTexts } from '../../config/untrusted-text.ts'
import { utcDayOf } from '../../config/vocabulary.ts'
import { DATE_COLUMN, dateSql, type Row, type Table } from '../tables/define.ts'
import { CHANGES, type ChangeLog, type TableDay } from './changes.ts'
import { readRows } from './duckdb.ts'
import { storedColumns } from './schema.ts'
import { quoteName, quoteText } from './sql.ts'

/** One transaction of the only writer. Its connection finds the tables by their names. */
export interface WriteContext {
  connection: DuckDBConnection
  /** A folder for files that live no longer than the transaction. */
  scratchDir: string
  changes: ChangeLog
}

/** DuckDB reads no JSON with half a surrogate pair or a NUL, and one such row must not keep the others from landing. */
const UNREADABLE = /\\u(d[89a-f]|0000)/

function jsonLine(row: object): string {
  const line = JSON.stringify(row)
  return UNREADABLE.test(line) ? JSON.stringify(withCleanTexts(row)) : line
}

/** The new rows of a landing: how many, and how many of each capture at each fetch of it (see `captureKey`). */
export interface LandedRows {
  rows: number
  /** Only for tables whose rows name a capture and its fetch time. */
  byCapture: Map<string, number>
}

const NO_ROWS: LandedRows = { rows: 0, byCapture: new Map() }

/** The key of a fetch of a capture in `LandedRows`. */
export const captureKey = (captureId: string, fetchedAtMs: number) => `${captureId} ${fetchedAtMs}`

const temporaryName = (prefix: string) => `${prefix}_${randomBytes(6).toString('hex')}`
const namesOf = (columns: readonly string[]) => columns.map(quoteName).join(', ')
const storedNames = (table: Table) => namesOf(Object.keys(storedColumns(table)))

/** SELECT that reads rows as a table has them from a file of JSON lines that `work` can read. */
async function withRowsStaged<T>(
  { scratchDir }: WriteContext,
  table: Table,
  rows: readonly object[],
  work: (select: string) => Promise<T>,
): Promise<T> {
  const path = join(scratchDir, `${temporaryName('rows')}.ndjson`)
  const types = Object.entries(table.columns).map(([name, { type }]) => `${quoteName(name)}: ${quoteText(type)}`)
  try {
    await writeFile(path, rows.map(jsonLine).join('\n'))
    return await work(
      `SELECT * FROM read_json(${quoteText(path)}, format = 'newline_delimited', columns = {${types.join(', ')}})`,
    )
  } finally {
    await rm(path, { force: true })
  }
}

/** Lands rows from objects. See `landSelect`. */
export function landRows(context: WriteContext, table: Table, rows: readonly Row<Table>[]): Promise<LandedRows> {
  if (rows.length === 0) return Promise.resolve(NO_ROWS)
  const dates = [...new Set(rows.map((row) => utcDayOf(Date.parse((row as Record<string, string>)[table.age]!))))]
  return withRowsStaged(context, table, rows, (select) =>
    landTyped(context, table, `(${typedSql(table, select)})`, dates),
  )
}

/** SQL of the rows of a SELECT with the types of a table and their `date`. */
function typedSql(table: Table, select: string): string {
  const columns = Object.entries(table.columns).map(
    ([column, { type }]) => `${quoteName(column)}::${type} AS ${quoteName(column)}`,
  )
  return `SELECT *, ${dateSql(table)} AS ${DATE_COLUMN} FROM (SELECT ${columns.join(', ')} FROM (${select}))`
}

/** Keeps the rows of a SELECT, with the types of a table and their `date`, as a temporary table for `work`. */
async function withTypedRows<T>(
  { connection }: WriteContext,
  table: Table,
  select: string,
  work: (name: string) => Promise<T>,
): Promise<T> {
  const name = temporaryName('typed')
  try {
    await connection.run(`CREATE TEMP TABLE ${name} AS ${typedSql(table, select)}`)
    return await work(name)
  } finally {
    await connection.run(`DROP TABLE IF EXISTS ${name}`).catch(() => undefined)
  }
}

/** A statement lists up to this many days; more are given by their first and last. */
const MAX_LISTED_DAYS = 60

/** SQL condition: a row is of one of some days (YYYY-MM-DD). The engine skips what was written on others. */
export function isOfDates(dates: readonly string[], column = DATE_COLUMN): string {
  if (dates.length === 0) return 'false'
  const sorted = [...new Set(dates)].sort()
  if (sorted.length <= MAX_LISTED_DAYS)
    return `${column} IN (${sorted.map((date) => `DATE ${quoteText(date)}`).join(', ')})`
  return `${column} BETWEEN DATE ${quoteText(sorted[0]!)} AND DATE ${quoteText(sorted.at(-1)!)}`
}

/** SQL condition: a row is of one of some days of a table. */
export function isOfDays(table: Table, days: readonly TableDay[]): string {
  const dates = isOfDates(days.map(({ date }) => date))
  if (!table.by_kind) return dates
  const byKind = new Map<string, string[]>()
  for (const { kind, date } of days) byKind.set(kind, [...(byKind.get(kind) ?? []), date])
  const kinds = [...byKind].map(([kind, own]) => `(kind = ${quoteText(kind)} AND ${isOfDates(own)})`)
  return days.length === 0 ? 'false' : `${dates} AND (${kinds.join(' OR ')})`
}

const dayColumns = (table: Table) =>
  `${table.by_kind ? 'kind' : "''"} AS kind, ${DATE_COLUMN}::VARCHAR AS ${DATE_COLUMN}`

const isSameKey = (table: Table, left: string, right: string) =>
  table.key.map((name) => `${left}.${quoteName(name)} IS NOT DISTINCT FROM ${right}.${quoteName(name)}`).join(' AND ')

/** SQL of `captureKey`; empty if the rows of a table name no fetch of a capture. */
function captureKeySql(table: Table): string {
  const hasCaptures = 'capture_id' in table.columns && 'fetched_at' in table.columns
  return hasCaptures ? "capture_id || ' ' || epoch_ms(fetched_at)" : "''"
}

/**
 * Lands the rows of a SELECT whose key is new within the days of these rows, and notes the days that changed. Landing rows twice is
 * landing them once.
 */
export function landSelect(context: WriteContext, table: Table, select: string): Promise<LandedRows> {
  return withTypedRows(context, table, select, async (incoming) => {
    const dates = await readRows<{ date: string }>(
      context.connection,
      `SELECT DISTINCT ${DATE_COLUMN}::VARCHAR AS ${DATE_COLUMN} FROM ${incoming}`,
    )
    return landTyped(
      context,
      table,
      incoming,
      dates.map(({ date }) => date),
    )
  })
}

/** Lands the rows of a relation that has the types of a table and its `date`, which is one of `dates`. See `landSelect`. */
async function landTyped(
  { connection, changes }: WriteContext,
  table: Table,
  incoming: string,
  dates: readonly string[],
): Promise<LandedRows> {
  const fresh = temporaryName('fresh')
  const key = namesOf(table.key)
  await connection.run(
    `CREATE TEMP TABLE ${fresh} AS SELECT DISTINCT ON (${key}) i.* FROM ${incoming} i
     ANTI JOIN (SELECT ${key} FROM ${table.name} WHERE ${isOfDates(dates)}) e ON ${isSameKey(table, 'e', 'i')}`,
  )
  try {
    const counts = await readRows<TableDay & { capture: string; n: number }>(
      connection,
      `SELECT ${dayColumns(table)}, ${captureKeySql(table)} AS capture, count(*) AS n FROM ${fresh} GROUP BY ALL`,
    )
    const landed: LandedRows = { rows: 0, byCapture: new Map() }
    for (const { kind, date, capture, n } of counts) {
      landed.rows += n
      landed.byCapture.set(capture, (landed.byCapture.get(capture) ?? 0) + n)
      changes.note(table, { kind, date }, true)
    }
    if (landed.rows > 0)
      await connection.run(
        `INSERT INTO ${table.name} (${storedNames(table)}) SELECT ${storedNames(table)} FROM ${fresh} ORDER BY ${DATE_COLUMN}, ${namesOf(table.sort)}`,
      )
    return landed
  } finally {
    await connection.run(`DROP TABLE IF EXISTS ${fresh}`).catch(() => undefined)
  }
}

/**
 * Makes the rows of a table that fulfil a condition those of a SELECT. Rows that stay the same are not touched, so that writing a day
 * again costs as much as its changes.
 */
function replaceWhere(context: WriteContext, table: Table, condition: string, select: string) {
  const { connection } = context
  return withTypedRows(context, table, select, async (made) => {
    const stored = `SELECT ${storedNames(table)} FROM ${table.name} WHERE ${condition}`
    const rows = `SELECT ${storedNames(table)} FROM ${made}`
    const removed = temporaryName('removed')
    const added = temporaryName('added')
    try {
      await connection.run(`CREATE TEMP TABLE ${removed} AS (${stored}) EXCEPT (${rows})`)
      await connection.run(`CREATE TEMP TABLE ${added} AS (${rows}) EXCEPT (${stored})`)
      const changed = await readRows<TableDay>(
        connection,
        `SELECT DISTINCT ${dayColumns(table)} FROM (FROM ${removed} UNION ALL FROM ${added})`,
      )
      const [counts] = await readRows<{ made: number; added: number; removed: number }>(
        connection,
        `SELECT (SELECT count(*) FROM ${made}) AS made, (SELECT count(*) FROM ${added}) AS added, (SELECT count(*) FROM ${removed}) AS removed`,
      )
      const dates = changed.map(({ date }) => date)
      if (counts!.removed > 0)
        await connection.run(
          `DELETE FROM ${table.name} t USING ${removed} r
           WHERE ${isOfDates(dates, `t.${DATE_COLUMN}`)} AND t.${DATE_COLUMN} = r.${DATE_COLUMN} AND ${isSameKey(table, 't', 'r')}`,
        )
      const landed = counts!.added > 0 ? await landTyped(context, table, added, dates) : NO_ROWS
      for (const day of changed) context.changes.note(table, day, true)
      return { rows: counts!.made - counts!.added + landed.rows, changed }
    } finally {
      await connection.run(`DROP TABLE IF EXISTS ${removed}; DROP TABLE IF EXISTS ${added}`).catch(() => undefined)
    }
  })
}

/** A day that is written again, with what it is derived from. */
export interface Replacement extends TableDay {
  made_from: string | null
}

/** Replaces some days of a table by the rows of a SELECT, which must all belong to these days. With no rows a day becomes empty. */
export async function replaceDays(
  context: WriteContext,
  table: Table,
  days: readonly Replacement[],
  select: string,
): Promise<void> {
  await replaceWhere(context, table, isOfDays(table, days), select)
  for (const { kind, date, made_from } of days) context.changes.note(table, { kind, date }, false, made_from)
}

/** Captures whose rows are replaced by one statement. */
const CAPTURES_AT_ONCE = 500

/**
 * Replaces all rows of some captures by these rows; returns how many of the rows are in the table then. With the days of the
 * captures (`dates`, YYYY-MM-DD), it reads no other day.
 */
export async function replaceCaptures(
  context: WriteContext,
  table: Table,
  captureIds: readonly string[],
  rows: readonly (object & { capture_id?: string })[],
  dates?: readonly string[],
): Promise<number> {
  const dateCondition = dates === undefined ? '' : `${isOfDates(dates)} AND `
  let count = 0
  for (let from = 0; from < captureIds.length; from += CAPTURES_AT_ONCE) {
    const ids = captureIds.slice(from, from + CAPTURES_AT_ONCE)
    const chosen = new Set(ids)
    const own = rows.filter(({ capture_id }) => capture_id !== undefined && chosen.has(capture_id))
    const condition = `${dateCondition}capture_id IN (${ids.map(quoteText).join(', ')})`
    const replaced = await withRowsStaged(context, table, own, (select) => {
      const none = Object.entries(table.columns).map(([name, { type }]) => `NULL::${type} AS ${quoteName(name)}`)
      return replaceWhere(context, table, condition, own.length > 0 ? select : `SELECT ${none.join(', ')} WHERE false`)
    })
    count += replaced.rows
  }
  return count
}

/**
 * Deletes the rows of a table up to a day (YYYY-MM-DD), that day included; returns how many. Days that were made without a row are
 * forgotten too, so that they do not count as stored.
 */
export async function deleteUntil(context: WriteContext, table: Table, lastDate: string): Promise<number> {
  const condition = `${DATE_COLUMN} <= DATE ${quoteText(lastDate)}`
  const [found] = await readRows<{ n: number; days: number }>(
    context.connection,
    `SELECT (SELECT count(*) FROM ${table.name} WHERE ${condition}) AS n,
       (SELECT count(*) FROM ${CHANGES} WHERE table_name = ${quoteText(table.name)} AND ${condition}) AS days`,
  )
  const { n, days } = found!
  if (n > 0) await context.connection.run(`DELETE FROM ${table.name} WHERE ${condition}`)
  if (n > 0 || days > 0) await context.changes.drop(table, lastDate)
  return n
}
