import type { DuckDBConnection } from '@duckdb/node-api'
import { DATE_COLUMN, type Table } from '../tables/define.ts'
import { allTables } from '../tables/index.ts'
import { CATALOG, damaged } from './catalog.ts'
import { CHANGES, CHANGES_COLUMNS } from './changes.ts'
import { readRows } from './duckdb.ts'
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

/** The names of the engine for types that are declared by a shorter one. */
const ENGINE_NAMES: Readonly<Record<string, string>> = { TIMESTAMPTZ: 'TIMESTAMP WITH TIME ZONE' }

/** SQL of what an attached file has of our tables: `from` is a function of the engine that lists things of tables. */
const ofOurTables = (select: string, from: string, catalog: string, name = 'table_name') =>
  `SELECT ${select} FROM ${from} WHERE database_name = ${quoteText(catalog)} AND schema_name = 'main' AND ${name} IN (${TABLE_NAMES.map(quoteText).join(', ')})`

/** Requires that no view lies in the place of a table. @throws HoldshortError WAREHOUSE_CORRUPT */
async function requireNoView(connection: DuckDBConnection, catalog: string): Promise<void> {
  const views = ofOurTables('view_name AS view', 'duckdb_views()', catalog, 'view_name')
  const [found] = await readRows<{ view: string }>(connection, views)
  if (found !== undefined) throw damaged(`it has a view in the place of the table ${found.view}`)
}

/**
 * The types of the columns that an attached file has in our tables, by table and column in small letters. A column whose name has
 * capitals counts as one of another type: `WAIT_MINUTES DOUBLE`.
 */
async function presentTypes(connection: DuckDBConnection, catalog: string): Promise<Map<string, Map<string, string>>> {
  const rows = await readRows<{ table: string; column: string; type: string }>(
    connection,
    ofOurTables('table_name AS "table", column_name AS "column", data_type AS type', 'duckdb_columns()', catalog),
  )
  const present = new Map<string, Map<string, string>>()
  for (const { table, column, type } of rows)
    present.set(
      table,
      (present.get(table) ?? new Map<string, string>()).set(
        column.toLowerCase(),
        column === column.toLowerCase() ? type : `${column} ${type}`,
      ),
    )
  return present
}

/** A column whose type in an attached file is not the one that this release makes. */
export interface OtherType {
  table: string
  column: string
  type: string
  found: string
}

/** What an attached file has otherwise than this release makes it; what is added by somebody else is no difference. */
export interface SchemaDifference {
  /** Tables, and columns as `table.column`, that the file lacks. */
  lacking: string[]
  otherTypes: OtherType[]
  /** Constraints and unique indexes, which may refuse our rows, in words. */
  refusing: string[]
}

/** Compares the tables of an attached file with those that this release makes. */
export async function compareSchema(connection: DuckDBConnection, catalog: string): Promise<SchemaDifference> {
  const present = await presentTypes(connection, catalog)
  const difference: SchemaDifference = { lacking: [], otherTypes: [], refusing: [] }
  for (const [table, columns] of Object.entries(declared())) {
    const known = present.get(table)
    if (known === undefined) {
      difference.lacking.push(table)
      continue
    }
    for (const [column, type] of Object.entries(columns)) {
      const found = known.get(column)
      if (found === undefined) difference.lacking.push(`${table}.${column}`)
      else if (found !== (ENGINE_NAMES[type] ?? type)) difference.otherTypes.push({ table, column, type, found })
    }
  }
  const rules = await readRows<{ text: string }>(
    connection,
    `${ofOurTables("table_name || ': ' || constraint_text AS text", 'duckdb_constraints()', catalog)}
     UNION ALL ${ofOurTables("table_name || ': the unique index ' || index_name", 'duckdb_indexes()', catalog)} AND is_unique`,
  )
  difference.refusing = rules.map(({ text }) => text)
  return difference
}

/**
 * What was altered in the tables of an attached catalog, in words; null when they are as this release makes them. `had` is what it had
 * when it was last completed, so that a table of a later release is not missed.
 */
export async function alteredText(
  connection: DuckDBConnection,
  catalog: string,
  had: readonly string[] | null,
): Promise<string | null> {
  const { lacking, otherTypes, refusing } = await compareSchema(connection, catalog)
  const faults = [
    ...lacking.filter((name) => had?.includes(name)).map((name) => `${name} is gone`),
    ...otherTypes.map(({ table, column, type, found }) => `${table}.${column} is ${found} in place of ${type}`),
    ...refusing.map((text) => `a constraint that is not ours on ${text}`),
  ]
  if (faults.length === 0) return null
  const more = faults.length > MAX_NAMED ? `, and ${faults.length - MAX_NAMED} more` : ''
  return `its tables were altered: ${faults.slice(0, MAX_NAMED).join(', ')}${more}`
}

/** Requires that an attached file has the tables of this release as they are made. @throws HoldshortError WAREHOUSE_CORRUPT */
export async function requireSchema(
  connection: DuckDBConnection,
  catalog: string,
  had: readonly string[] | null,
): Promise<void> {
  await requireNoView(connection, catalog)
  const altered = await alteredText(connection, catalog, had)
  if (altered !== null) throw damaged(altered)
}

const MAX_NAMED = 3

/** The tables that this release makes, and their columns as `table.column`. */
export const madeNames = (): string[] =>
  Object.entries(declared()).flatMap(([table, columns]) => [
    table,
    ...Object.keys(columns).map((column) => `${table}.${column}`),
  ])

/** Creates the tables and columns that an attached catalog lacks; `whenCreated` gives a statement for each new table. */
export async function createTables(
  connection: DuckDBConnection,
  {
    catalog = CATALOG,
    whenCreated = () => '',
  }: { catalog?: string; whenCreated?: (table: string, columns: Record<string, string>) => string } = {},
): Promise<void> {
  await requireNoView(connection, catalog)
  const present = await presentTypes(connection, catalog)
  for (const [table, columns] of Object.entries(declared())) {
    const known = present.get(table)
    const name = `${catalog}.main.${quoteName(table)}`
    const list = Object.entries(columns).map(([column, type]) => `${quoteName(column)} ${type}`)
    if (!known) await connection.run(`CREATE TABLE ${name} (${list.join(', ')}); ${whenCreated(table, columns)}`)
    else
      for (const [column, type] of Object.entries(columns))
        if (!known.has(column)) await connection.run(`ALTER TABLE ${name} ADD COLUMN ${quoteName(column)} ${type}`)
  }
}
