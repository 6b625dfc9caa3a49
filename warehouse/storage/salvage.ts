import { randomUUID } from 'node:crypto'
import { copyFile, link, rm } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { dataPaths } from '../../config/settings.ts'
import { asUnreadable } from './catalog.ts'
import { unfinishedPath } from './draft-names.ts'
import { openDuckdb, readRows, withConnection } from './duckdb.ts'
import { type FileMark, presentTables, readFileMark, writeFileMark } from './file-mark.ts'
import { STORAGE_VERSION } from './file-place.ts'
import { keepOwner } from './files.ts'
import { sumsSelect, type TableSum } from './housekeeping.ts'
import { compareSchema, createTables, type OtherType } from './schema.ts'
import { markedWorld } from './simulated-mark.ts'
import { quoteName, quoteText } from './sql.ts'

/** The contents of a warehouse in a file of the engine. */
export interface FileContents {
  mark: FileMark | null
  tables: TableSum[]
  /** Tables, and columns as `table.column`, that it lacks, or whose values are not those of our type. */
  lacking: string[]
  /** When the last collection began that it knows, epoch milliseconds. */
  newest_ms: number | null
}

/** A table of a file, and how many rows it says that it has. */
export type Counted = Pick<TableSum, 'name' | 'rows'>

/** A file, and whether its log is read with it. */
export interface FileSource {
  path: string
  withLog: boolean
}

const SOURCE = 'salvaged'
const DRAFT = 'draft'

/** Runs work on an engine of its own with a file attached that no process uses. @throws HoldshortError WAREHOUSE_CORRUPT, WAREHOUSE_LOG_MISMATCH */
async function withFile<T>(
  { path, withLog }: FileSource,
  scratchDir: string,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  // The engine finds a log by the name of its file: under another name there is none.
  const alone = unfinishedPath(path)
  const opened = withLog ? path : alone
  if (!withLog) {
    await rm(alone, { force: true })
    await link(path, alone).catch(() => copyFile(path, alone))
  }
  const engine = await openDuckdb(scratchDir)
  try {
    return await withConnection(engine, async (connection) => {
      await connection.run(`ATTACH ${quoteText(opened)} AS ${SOURCE} (TYPE duckdb, READ_ONLY)`)
      return work(connection)
    })
  } catch (error) {
    throw asUnreadable(error)
  } finally {
    engine.closeSync()
    if (!withLog) await rm(alone, { force: true })
  }
}

/** Reads every row of a file of the engine. @throws HoldshortError WAREHOUSE_CORRUPT, WAREHOUSE_LOG_MISMATCH */
export function readFileContents(path: string, withLog: boolean, scratchDir: string): Promise<FileContents> {
  return withFile({ path, withLog }, scratchDir, async (connection) => {
    const mark = await readFileMark(connection, SOURCE)
    const names = await presentTables(connection, SOURCE)
    const lacking = await lackingIn(connection)
    if (names.length === 0) return { mark, tables: [], lacking, newest_ms: null }
    const tables = await readRows<TableSum>(connection, sumsSelect(`${SOURCE}.main`, names))
    if (!names.includes('runs')) return { mark, tables, lacking, newest_ms: null }
    const [newest] = await readRows<{ ms: number | null }>(
      connection,
      `SELECT epoch_ms(max(started_at)) AS ms FROM ${SOURCE}.main.runs`,
    )
    return { mark, tables, lacking, newest_ms: newest!.ms }
  })
}

/** SQL of a column in our type; a value that is none of it is lost. */
const converted = ({ column, type }: OtherType) => `TRY_CAST(${quoteName(column)} AS ${type})`

/** What the attached source lacks of our tables. A column of another type is there if each of its values is one of ours. */
async function lackingIn(connection: DuckDBConnection): Promise<string[]> {
  const { lacking, otherTypes } = await compareSchema(connection, SOURCE)
  for (const other of otherTypes) {
    const { table, column } = other
    const [found] = await readRows<{ lost: boolean }>(
      connection,
      `SELECT EXISTS (FROM ${SOURCE}.main.${quoteName(table)} WHERE ${quoteName(column)} IS NOT NULL AND ${converted(other)} IS NULL) AS lost`,
    )
    if (found!.lost) lacking.push(`${table}.${column}`)
  }
  return lacking
}

/** SQL of the rows of a table of the attached source, with our columns in our types. */
function rowsSelect(name: string, otherTypes: readonly OtherType[]): string {
  const replaced = otherTypes
    .filter(({ table }) => table === name)
    .map((other) => `${converted(other)} AS ${quoteName(other.column)}`)
  const select = replaced.length === 0 ? '*' : `* REPLACE (${replaced.join(', ')})`
  return `SELECT ${select} FROM ${SOURCE}.main.${quoteName(name)}`
}

/** How many rows each table of a damaged file says that it has; those that cannot be counted are absent. The rows may be unreadable. */
export async function countDamaged(path: string, scratchDir: string): Promise<Counted[]> {
  const counted: Counted[] = []
  const count = async (connection: DuckDBConnection) => {
    for (const name of await presentTables(connection, SOURCE)) {
      const select = `SELECT count(*) AS rows FROM ${SOURCE}.main.${quoteName(name)}`
      const [found] = await readRows<{ rows: number }>(connection, select).catch(() => [])
      if (found !== undefined) counted.push({ name, rows: found.rows })
    }
  }
  await withFile({ path, withLog: false }, scratchDir, count).catch(() => undefined)
  return counted
}

/** Writes the tables of a file, or none, into a new file with the mark of a data folder. */
export async function writeFileFrom(
  source: FileSource | null,
  draft: string,
  installation: string | null,
  dataDir: string,
): Promise<void> {
  const { scratch } = dataPaths(dataDir)
  const fill = async (connection: DuckDBConnection) => {
    await connection.run(`ATTACH ${quoteText(draft)} AS ${DRAFT} (TYPE duckdb, STORAGE_VERSION '${STORAGE_VERSION}')`)
    if (source !== null) {
      const { otherTypes } = await compareSchema(connection, SOURCE)
      for (const name of await presentTables(connection, SOURCE))
        await connection.run(`CREATE TABLE ${DRAFT}.main.${quoteName(name)} AS ${rowsSelect(name, otherTypes)}`)
    }
    await createTables(connection, { catalog: DRAFT })
    await writeFileMark(connection, DRAFT, { id: installation ?? randomUUID(), simulated: markedWorld(dataDir) })
    await connection.run(`CHECKPOINT ${DRAFT}; DETACH ${DRAFT}`)
  }
  for (const end of ['', '.wal']) await rm(`${draft}${end}`, { force: true })
  if (source !== null) await withFile(source, scratch, fill)
  else {
    const engine = await openDuckdb(scratch)
    await withConnection(engine, fill).finally(() => engine.closeSync())
  }
  keepOwner(draft)
}
