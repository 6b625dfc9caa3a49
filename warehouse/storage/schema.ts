import type { DuckDBConnection } from '@duckdb/node-api'
import { DATE_COLUMN, type Table } from '../tables/define.ts'
import { allTables } from '../tables/index.ts'
import { CATALOG, damaged } from './catalog.ts'
import { CHANGES, CHANGES_COLUMNS } from './changes.ts'
import { quoteName, quoteText } from './sql.ts'

/** The columns of a table in the catalog with their types: its own, and `date`. */
export function storedColumns({ columns }: Table): Record<string, string> {
  const own = Object.entries(columns).map(([name, { type }]): [string, string] => [name, type])
  return Object.fromEntries([...own, [DATE_COLUMN, 'DATE']])
}

/** The names of all tables in the catalog. */
export const TABLE_NAMES: readonly string[] = [...allTables.map(({ name }) => name), CHANGES]

const declared = (): Record<string, Record<string, string>> =>
  Object.fromEntries([
    ...allTables.map((table): [string, Record<string, string>] => [table.name, storedColumns(table)]),
    [CHANGES, CHANGES_COLUMNS],
  ])

/** A statement that reads every column of every table of this release, and no row. */
const READ_ALL = Object.entries(declared())
  .map(([table, columns]) => {
    // A view has no row ids.
    const names = ['rowid', ...Object.keys(columns).map(quoteName)].join(', ')
    return `SELECT 1 FROM (SELECT ${names} FROM ${CATALOG}.${quoteName(table)} LIMIT 0)`
  })
  .join(' UNION ALL ')

/**
 * Whether the attached catalog has every column of every table; those of another release may be there as well. Planning a statement takes
 * a quarter of the time of listing the columns.
 */
export async function canReadAllTables(connection: DuckDBConnection): Promise<boolean> {
  try {
    const statement = await connection.prepare(READ_ALL)
    statement.destroySync()
    return true
  } catch (error) {
    if (/^(Binder|Catalog) Error/.test((error as Error).message)) return false
    throw error
  }
}

/** Requires that no view lies in the place of a table. @throws HoldshortError WAREHOUSE_CORRUPT */
async function requireNoView(connection: DuckDBConnection): Promise<void> {
  const names = TABLE_NAMES.map(quoteText).join(', ')
  const read = await connection.runAndReadAll(
    `SELECT view_name FROM duckdb_views() WHERE database_name = '${CATALOG}' AND schema_name = 'main' AND view_name IN (${names})`,
  )
  const [view] = read.getRowsJS()
  if (view !== undefined) throw damaged(`it has a view in the place of the table ${String(view[0])}`)
}

/** Creates the tables and columns that the attached catalog lacks; `whenCreated` gives a statement for each new table. */
export async function createTables(
  connection: DuckDBConnection,
  whenCreated: (table: string, columns: Record<string, string>) => string = () => '',
): Promise<void> {
  await requireNoView(connection)
  const read = await connection.runAndReadAll(
    `SELECT table_name, column_name FROM duckdb_columns() WHERE database_name = '${CATALOG}' AND schema_name = 'main'`,
  )
  const present = new Map<string, Set<string>>()
  for (const row of read.getRowObjectsJS()) {
    const name = String(row['table_name'])
    present.set(name, (present.get(name) ?? new Set()).add(String(row['column_name'])))
  }
  for (const [table, columns] of Object.entries(declared())) {
    const known = present.get(table)
    const name = `${CATALOG}.${quoteName(table)}`
    const list = Object.entries(columns).map(([column, type]) => `${quoteName(column)} ${type}`)
    if (!known) await connection.run(`CREATE TABLE ${name} (${list.join(', ')}); ${whenCreated(table, columns)}`)
    else
      for (const [column, type] of Object.entries(columns))
        if (!known.has(column)) await connection.run(`ALTER TABLE ${name} ADD COLUMN ${quoteName(column)} ${type}`)
  }
}
