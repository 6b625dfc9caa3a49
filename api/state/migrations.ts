import { randomUUID } from 'node:crypto'
import type { ColumnDefinitionBuilder, CreateTableBuilder, Kysely, Migration } from 'kysely'
import { HoldshortError, SettingsError } from '../../config/errors.ts'
import { DEFAULT_MIGRATION_TABLE, Migrator, SqliteAdapter, sql } from './kysely.ts'
import { type Column, STATE_TABLE_NAMES, STATE_TABLES, type StateTables, type Table } from './tables.ts'
import { asStateError } from './unreachable.ts'

/** A table of the list, as the statements that make it see it. */
type AnyTable = Table<Record<string, Column<unknown>>>

const declarationOf = (name: keyof StateTables) => STATE_TABLES[name] as unknown as AnyTable

const builderOf =
  ({ isNullable, isKey, isUnique, references }: Column<unknown>) =>
  (built: ColumnDefinitionBuilder) => {
    const known = isNullable ? built : built.notNull()
    const keyed = isKey ? known.primaryKey() : known
    const unique = isUnique ? keyed.unique() : keyed
    return references ? unique.references(references) : unique
  }

async function createTable(db: Kysely<StateTables>, name: keyof StateTables): Promise<void> {
  const { columns, key } = declarationOf(name)
  let statement: CreateTableBuilder<string, string> = db.schema.createTable(name)
  for (const [column, declared] of Object.entries(columns))
    statement = statement.addColumn(column, declared.type, builderOf(declared))
  if (key) statement = statement.addPrimaryKeyConstraint(`${name}_key`, [...key])
  await statement.execute()
  await createIndexes(db, name)
}

const indexName = (table: string, columns: readonly string[]) => `${table}_${columns.join('_')}`

const indexNames = (name: keyof StateTables): string[] =>
  (declarationOf(name).indexes ?? []).map((columns) => indexName(name, columns))

/** Makes the indexes of a table that it lacks. */
async function createIndexes(db: Kysely<StateTables>, name: keyof StateTables): Promise<void> {
  for (const columns of declarationOf(name).indexes ?? [])
    await db.schema
      .createIndex(indexName(name, columns))
      .ifNotExists()
      .on(name)
      .columns([...columns])
      .execute()
}

/** Adds the columns, which may be null, and the indexes that a table of an earlier release lacks. */
async function completeTable(db: Kysely<StateTables>, name: keyof StateTables): Promise<void> {
  const present = new Set((await columnsOf(db)).flatMap(({ table, column }) => (table === name ? [column] : [])))
  for (const [column, declared] of Object.entries(declarationOf(name).columns))
    if (!present.has(column))
      await db.schema.alterTable(name).addColumn(column, declared.type, builderOf(declared)).execute()
  await createIndexes(db, name)
}

/** The tables, and the rows that every state has: which one it is, and the counters that also serve as locks. */
const state: Migration = {
  async up(db: Kysely<StateTables>) {
    for (const name of STATE_TABLE_NAMES) await createTable(db, name)
    await db.insertInto('installation').values({ id: randomUUID(), version: 0 }).execute()
    const counters = [1, 2, 3].map((id) => ({ id, version: 0 }))
    await db.insertInto('access_version').values(counters).execute()
  },
}

/** Whether a connection may write, which none from before may, and the network of a report. */
const writingAndNetworks: Migration = {
  async up(db: Kysely<StateTables>) {
    await completeTable(db, 'connections')
    await db.schema.dropIndex('wait_reports_landed_at_status').ifExists().execute()
    await db.schema.dropIndex('wait_reports_account_id_iata').ifExists().execute()
    await completeTable(db, 'wait_reports')
  },
}

/** The indexes that the list of tables has gained since. */
const indexes: Migration = {
  async up(db: Kysely<StateTables>) {
    for (const name of STATE_TABLE_NAMES) await createIndexes(db, name)
  },
}

/** Invoices are Stripe's: what a release kept of them was a copy. */
const invoicesAtStripe: Migration = {
  async up(db: Kysely<StateTables>) {
    await db.schema.dropTable('invoices').ifExists().execute()
  },
}

const STATE = '001-state'

/** Every migration in order; one that is in a release is never changed. */
export const MIGRATIONS: Record<string, Migration> = {
  [STATE]: state,
  '002-writing-and-networks': writingAndNetworks,
  '003-indexes': indexes,
  '004-invoices-at-stripe': invoicesAtStripe,
}

/** The migrations of release 0.1.0, which together made the tables of `001-state`. */
const MIGRATIONS_OF_0_1_0 = [
  '001-accounts-keys-usage',
  '002-account-tiers-daily-usage',
  '003-people',
  '004-connections',
  '005-money',
  '006-alerts-reports',
  '007-availability',
  '008-installation',
]

/** Whether this release can go on with a state after these migrations. */
export function isReadable(done: readonly string[]): boolean {
  return isOf0_1_0(done) || done.every((name) => name in MIGRATIONS)
}

const isOf0_1_0 = (done: readonly string[]) =>
  done.length === MIGRATIONS_OF_0_1_0.length && MIGRATIONS_OF_0_1_0.every((name) => done.includes(name))

/**
 * Brings the tables of a state up to this release. `mayMigrate` is called before the state of an earlier release is changed.
 * @throws HoldshortError STATE_OF_OTHER_RELEASE, SettingsError for a new state whose database has no place for it or does not take every
 *   letter, and what `mayMigrate` throws; nothing was changed.
 */
export async function migrate(db: Kysely<StateTables>, mayMigrate?: () => Promise<void>): Promise<void> {
  const done = await migrationsOf(db)
  if (!isReadable(done)) throw otherReleaseError()
  if (done.length === 0) await requireFitting(db)
  else if (!isComplete(done)) await mayMigrate?.()
  if (isOf0_1_0(done)) await recordAsOne(db)
  const schema = await schemaOf(db)
  const inSchema = schema === null ? {} : { migrationTableSchema: schema }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS }, ...inSchema })
  const { error } = await migrator.migrateToLatest()
  if (error) throw asStateError(error)
  await requireTables(db)
  await restoreIndexes(db)
}

/** SQL of the encoding of a PostgreSQL database that lacks letters of names: no row for UTF8, nor for SQL_ASCII, which stores bytes. */
export const ENCODING_LACKING_LETTERS = `SELECT current_setting('server_encoding') AS encoding
  WHERE current_setting('server_encoding') NOT IN ('UTF8', 'SQL_ASCII')`

/** What is wrong with such a database, and the way out. */
export const lackingLettersText = (encoding: string) =>
  `its database has the encoding ${encoding}, which lacks letters of names; create one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`

/** Requires that a database takes a new state. */
async function requireFitting(db: Kysely<StateTables>): Promise<void> {
  if (isSqlite(db)) return
  const refuse = (message: string) => new SettingsError([{ parameter: 'DATABASE_URL', message }])
  const [unplaced] = (await sql.raw<{ path: string }>(SEARCH_PATH_WITHOUT_SCHEMA).execute(db)).rows
  if (unplaced)
    throw refuse(
      `the search_path of its role (${unplaced.path}) names no schema that is there and that the role may use; create one, or set another search_path`,
    )
  const [found] = (await sql.raw<{ encoding: string }>(ENCODING_LACKING_LETTERS).execute(db)).rows
  if (found) throw refuse(lackingLettersText(found.encoding))
}

const SEARCH_PATH_WITHOUT_SCHEMA = `SELECT current_setting('search_path') AS path WHERE current_schema() IS NULL`

/** The schema in PostgreSQL in which a name without one finds the records of migrations, or would make them; null in SQLite. */
async function schemaOf(db: Kysely<StateTables>): Promise<string | null> {
  if (isSqlite(db)) return null
  const found = sql.raw<{ schema: string }>(`SELECT coalesce(
    (SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.oid = to_regclass('${DEFAULT_MIGRATION_TABLE}')), current_schema()) AS schema`)
  return (await found.execute(db)).rows[0]?.schema ?? null
}

/** A column that a state has. */
export interface FoundColumn {
  table: string
  column: string
  /** As the database names it, in small letters. */
  type: string
  /** Unique keys of the table that the column is in, separated by spaces, each as its sorted columns: `a,b c`; null without one. */
  unique_keys: string | null
}

/** SQL of the tables that a name without a schema finds in PostgreSQL, with their columns: another schema may have a state of its own. */
export const COLUMNS_IN_POSTGRESQL = `SELECT c.relname AS "table", a.attname AS "column", format_type(a.atttypid, a.atttypmod) AS type,
    (SELECT string_agg((SELECT string_agg(k.attname, ',' ORDER BY k.attname COLLATE "C") FROM pg_attribute k
         WHERE k.attrelid = c.oid AND k.attnum = ANY (i.columns)), ' ')
       FROM (SELECT (indkey::int2[])[0:indnkeyatts - 1] AS columns FROM pg_index
         WHERE indrelid = c.oid AND indisunique AND indisvalid AND indpred IS NULL AND indexprs IS NULL) i
       WHERE a.attnum = ANY (i.columns)) AS unique_keys
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE pg_table_is_visible(c.oid) AND c.relnamespace <> 'pg_catalog'::regnamespace
    AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped`

/** The same in SQLite, with all unique keys of the table. */
export const COLUMNS_IN_SQLITE = `SELECT m.name AS "table", c.name AS "column", lower(c.type) AS type,
    concat_ws(' ', (SELECT group_concat(name, ',') FROM (SELECT p.name FROM pragma_table_info(m.name) p WHERE p.pk > 0 ORDER BY p.name)),
      (SELECT group_concat((SELECT group_concat(name, ',') FROM (SELECT i.name FROM pragma_index_info(l.name) i ORDER BY i.name)), ' ')
         FROM pragma_index_list(m.name) l WHERE l."unique" AND NOT l.partial)) AS unique_keys
  FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'`

const INDEXES_IN_POSTGRESQL =
  'SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE pg_table_is_visible(i.indrelid)'

const INDEXES_IN_SQLITE = `SELECT name FROM sqlite_master WHERE type = 'index'`

const isSqlite = (db: Kysely<StateTables>) => db.getExecutor().adapter instanceof SqliteAdapter

/** The columns of the tables that a name without a schema finds. */
export async function columnsOf(db: Kysely<StateTables>): Promise<FoundColumn[]> {
  const found = sql.raw<FoundColumn>(isSqlite(db) ? COLUMNS_IN_SQLITE : COLUMNS_IN_POSTGRESQL)
  return (await found.execute(db)).rows
}

/** Requires that no table, column or constraint was dropped or altered since. @throws HoldshortError STATE_DAMAGED */
async function requireTables(db: Kysely<StateTables>): Promise<void> {
  const missing = missingFrom(await columnsOf(db))
  if (missing === null) return
  throw new HoldshortError(
    'STATE_DAMAGED',
    `the database of accounts and keys lacks ${missing}. Stop the service and restore a backup into a new folder (\`holdshort restore\`), or the database of DATABASE_URL from its own; keep what is there until that works`,
  )
}

/** Makes the indexes again that were dropped since. Where none is lacking, it takes no lock. */
async function restoreIndexes(db: Kysely<StateTables>): Promise<void> {
  const listed = sql.raw<{ name: string }>(isSqlite(db) ? INDEXES_IN_SQLITE : INDEXES_IN_POSTGRESQL)
  const present = new Set((await listed.execute(db)).rows.map(({ name }) => name))
  for (const table of STATE_TABLE_NAMES)
    if (indexNames(table).some((name) => !present.has(name))) await createIndexes(db, table)
}

const otherReleaseError = () =>
  new HoldshortError(
    'STATE_OF_OTHER_RELEASE',
    'the database of accounts and keys was last used by another release: a later one, or one before 0.1.0. Install that release, or restore a backup that this one or an earlier one made',
  )

/** The names of what Kysely has recorded, oldest first; none for a state without tables. */
async function migrationsOf(db: Kysely<StateTables>): Promise<string[]> {
  if (!(await columnsOf(db)).some(({ table }) => table === DEFAULT_MIGRATION_TABLE)) return []
  const rows = await recordsOf(db).selectFrom(DEFAULT_MIGRATION_TABLE).select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

/** What the columns that a state has lack of those of this release, in words; null if nothing. */
export function missingFrom(found: readonly FoundColumn[]): string | null {
  const present = new Map(found.map((column) => [`${column.table}.${column.column}`, column]))
  const missing = STATE_TABLE_NAMES.flatMap((table) => {
    const { key, columns: declaredColumns } = declarationOf(table)
    const columns = Object.entries(declaredColumns)
    if (columns.every(([column]) => !present.has(`${table}.${column}`))) return [`the table ${table}`]
    const altered = columns.flatMap(([column, declared]) => {
      const name = `${table}.${column}`
      const known = present.get(name)
      return known ? alteredIn(known, declared, name) : [name]
    })
    const isKeyed = altered.length > 0 || !key || hasKey(present.get(`${table}.${key[0]}`), key)
    return isKeyed ? altered : [`the unique key of ${table} (${key.join(', ')})`]
  })
  return missing.length === 0 ? null : missing.slice(0, 3).join(', ')
}

const WHOLE_NUMBERS = new Set(['integer', 'bigint'])

/** What a column that is there has lost: its type, or that its values differ. A whole number may be of either length. */
function alteredIn(found: FoundColumn, { type, isKey, isUnique }: Column<unknown>, name: string): string[] {
  const isOfType = found.type === type || (WHOLE_NUMBERS.has(found.type) && WHOLE_NUMBERS.has(type))
  if (!isOfType) return [`the type ${type} of ${name}, which is ${found.type}`]
  return (isKey || isUnique) && !hasKey(found, [found.column]) ? [`the unique key of ${name}`] : []
}

/** Whether no two rows may have the same values in these columns, of which `found` is one. */
const hasKey = (found: FoundColumn | undefined, columns: readonly string[]): boolean =>
  found?.unique_keys?.split(' ').includes([...columns].sort().join(',')) === true

/** Whether a state has been through every migration of this release, after which it has all tables. */
export const isComplete = (done: readonly string[]): boolean =>
  Object.keys(MIGRATIONS).every((name) => done.includes(name))

/** The records of a state of 0.1.0 become the one of its tables. */
async function recordAsOne(db: Kysely<StateTables>): Promise<void> {
  await recordsOf(db)
    .transaction()
    .execute(async (transaction) => {
      await transaction.deleteFrom(DEFAULT_MIGRATION_TABLE).where('name', 'in', MIGRATIONS_OF_0_1_0).execute()
      await transaction
        .insertInto(DEFAULT_MIGRATION_TABLE)
        .values({ name: STATE, timestamp: new Date().toISOString() })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    })
}

interface MigrationRecords {
  [DEFAULT_MIGRATION_TABLE]: { name: string; timestamp: string }
}

const recordsOf = (db: Kysely<StateTables>) => db as unknown as Kysely<MigrationRecords>
