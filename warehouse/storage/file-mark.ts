import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { z } from 'zod'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { CHANGES } from './changes.ts'
import { readRows } from './duckdb.ts'
import { writeWhole } from './files.ts'
import { readOrdinaryTextSync } from './ordinary-file.ts'
import { madeNames, TABLE_NAMES } from './schema.ts'
import { markedWorld, worldChanged } from './simulated-mark.ts'
import { quoteName, quoteText } from './sql.ts'

/** The table with the mark of a warehouse file. */
const MARK_TABLE = 'installation'

/** Says which installation a warehouse file is of. The file itself carries it; a small file beside it has the id alone. */
export interface FileMark {
  id: string
  /** Whether the rows are simulated; null while the folder does not say. */
  simulated: boolean | null
  /** The tables and columns that it had when it was last completed; null for a file of an earlier release. */
  had: string[] | null
}

const FolderMark = z.object({ installation: z.string() })

/** The id that the warehouse file of a data folder must have; null if nothing says it. */
export function readFolderMark(dataDir: string): string | null {
  try {
    return FolderMark.parse(JSON.parse(readOrdinaryTextSync(dataPaths(dataDir).warehouse_mark))).installation
  } catch {
    return null
  }
}

/** Writes the id beside the file. If it cannot be written, the next process that writes to the warehouse tries again. */
export const writeFolderMark = (dataDir: string, installation: string): Promise<void> =>
  writeWhole(dataPaths(dataDir).warehouse_mark, JSON.stringify({ installation })).catch(() => undefined)

/** The mark of an attached file; null for an empty file, one of an earlier version, or one of somebody else. */
export async function readFileMark(connection: DuckDBConnection, catalog: string): Promise<FileMark | null> {
  try {
    const [mark] = await readRows<Partial<FileMark>>(connection, `FROM ${catalog}.main.${MARK_TABLE}`)
    const { id, simulated = null, had = null } = mark ?? {}
    return id === undefined ? null : { id, simulated, had }
  } catch (error) {
    if (/^(Binder|Catalog) Error/.test((error as Error).message)) return null
    throw error
  }
}

/** Writes the mark into an attached file that has every table and column of this release. */
export async function writeFileMark(
  connection: DuckDBConnection,
  catalog: string,
  { id, simulated }: Omit<FileMark, 'had'>,
): Promise<void> {
  const had = `[${madeNames().map(quoteText).join(', ')}]`
  await connection.run(
    `CREATE OR REPLACE TABLE ${catalog}.main.${MARK_TABLE} AS SELECT ${quoteText(id)} AS id, ${simulated}::BOOLEAN AS simulated, ${had} AS had`,
  )
}

const foreign = (file: string, reason: string) =>
  new HoldshortError(
    'WAREHOUSE_FOREIGN',
    `${file} is not the warehouse of this installation: ${reason}. Put the right file back, with its log (${file}.wal) if it had one; ` +
      'or stop the service and run `holdshort repair`, which keeps this file under another name and goes on from the last copy; ' +
      `or, if its rows are what you want, \`holdshort repair --from ${file}\``,
  )

/** Whether rows were collected into a data folder, whatever has become of them: a copy or a snapshot of them lies there. */
export function wasFilled(dataDir: string): boolean {
  const { warehouse_copy, snapshots } = dataPaths(dataDir)
  const copy = statSync(warehouse_copy, { throwIfNoEntry: false })
  return copy?.isFile() === true || existsSync(join(snapshots, 'CURRENT'))
}

/** Whether any of our tables of an attached file has a row, of those that it has; null when it has none of them. */
export async function hasRows(connection: DuckDBConnection, catalog: string): Promise<boolean | null> {
  const present = await presentTables(connection, catalog)
  if (!present.includes('readings') || !present.includes(CHANGES)) return null
  const rows = present.map((name) => `EXISTS (FROM ${catalog}.main.${quoteName(name)})`)
  const [found] = await readRows<{ found: boolean }>(connection, `SELECT ${rows.join(' OR ')} AS found`)
  return found!.found
}

/** Those of our tables that an attached file has as tables. */
export async function presentTables(connection: DuckDBConnection, catalog: string): Promise<string[]> {
  const rows = await readRows<{ name: string }>(
    connection,
    `SELECT table_name AS name FROM duckdb_tables() WHERE database_name = ${quoteText(catalog)} AND schema_name = 'main'`,
  )
  return rows.map(({ name }) => name).filter((name) => TABLE_NAMES.includes(name))
}

/**
 * Requires that an attached file belongs to a data folder, and returns its mark; null for one of a version that wrote no marks.
 * @throws HoldshortError WAREHOUSE_FOREIGN, WORLD_MISMATCH
 */
export async function requireOwnFile(
  connection: DuckDBConnection,
  catalog: string,
  dataDir: string,
): Promise<FileMark | null> {
  const { warehouse_file, world } = dataPaths(dataDir)
  const mark = await readFileMark(connection, catalog)
  const expected = readFolderMark(dataDir)
  if (mark === null) {
    const found = await hasRows(connection, catalog)
    if (found === null) throw foreign(warehouse_file, 'it has none of the tables')
    if (expected !== null) throw foreign(warehouse_file, 'it has the tables but not the mark of this installation')
    if (!found && wasFilled(dataDir)) throw foreign(warehouse_file, 'it has no row, although rows were collected here')
    return null
  }
  if (expected !== null && mark.id !== expected) throw foreign(warehouse_file, 'it has the mark of another one')
  const simulated = markedWorld(dataDir)
  if (simulated !== null && mark.simulated !== null && simulated !== mark.simulated)
    throw worldChanged(world, simulated, mark.simulated, `the rows of ${warehouse_file}`)
  return mark
}
