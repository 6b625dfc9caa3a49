import type { DuckDBConnection } from '@duckdb/node-api'
import { closest } from 'fastest-levenshtein'
import { UsageError } from '../../config/errors.ts'
import { projectText } from '../../config/project-text.ts'
import { AS_OF, CATALOGUES } from '../tables/catalogues.ts'
import { allTables } from '../tables/index.ts'
import { QUESTIONS } from '../tables/questions.ts'
import { readRows } from './duckdb.ts'

/** Functions and operators that compute a value from their arguments and do nothing else. A function that a new engine brings is refused until it stands here. */
const FUNCTIONS: ReadonlySet<string> = new Set([
  ...(JSON.parse(projectText('config/sql-functions.json')) as string[]),
  'local_time',
])

/** Views and functions of the engine in FROM that describe the tables. Others tell paths, settings or the password of a catalog. */
const DESCRIPTIONS = [
  'duckdb_columns',
  'duckdb_constraints',
  'duckdb_functions',
  'duckdb_keywords',
  'duckdb_schemas',
  'duckdb_tables',
  'duckdb_types',
  'duckdb_views',
]

/** Functions that stand in FROM and only compute, or tell what there is in the catalog. */
const TABLE_FUNCTIONS: ReadonlySet<string> = new Set([
  'range',
  'generate_series',
  'unnest',
  'repeat_row',
  'json_each',
  'json_tree',
  'pragma_database_size',
  'pragma_table_info',
  'pragma_version',
  'histogram',
  'histogram_values',
  ...DESCRIPTIONS,
  ...AS_OF.map(({ name }) => name),
])

/** The tables and views of a query. */
const TABLES = [...QUESTIONS, ...allTables, ...CATALOGUES].map(({ name }) => name)
const READABLE: ReadonlySet<string> = new Set([...TABLES, ...DESCRIPTIONS])
/** Views of the standard that describe the tables. */
const INFORMATION_SCHEMA: ReadonlySet<string> = new Set(['columns', 'schemata', 'tables', 'views'])
/** The names that SHOW gives in place of a table. */
const SHOWN: ReadonlySet<string> = new Set(['"tables"', '__show_tables_expanded', ...READABLE])

/** A name that the engine gives to a view about itself. */
const OF_THE_ENGINE = /^(pg|duckdb|pragma|sqlite)_/

/** A name in FROM that the engine would take for a file or an address. */
const LOOKS_LIKE_FILE = /[/\\.:*?[\]~]/

/** A node of a statement as the engine's parser gives it. */
type Node = Record<string, unknown>

function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const inner of value) yield* nodesIn(inner)
  else if (value !== null && typeof value === 'object') {
    yield value as Node
    for (const inner of Object.values(value)) yield* nodesIn(inner)
  }
}

const lowerCase = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : '')

/** The names that WITH gives in a statement, in small letters. */
function commonTables(statements: unknown): Set<string> {
  const names = new Set<string>()
  for (const { cte_map } of nodesIn(statements))
    for (const { key } of ((cte_map as Node | undefined)?.['map'] as { key: string }[] | undefined) ?? [])
      names.add(key.toLowerCase())
  return names
}

/** Why a table of FROM may not be read; null when it may. */
function tableFault(node: Node, common: ReadonlySet<string>): string | null {
  const written = String(node['table_name'])
  const name = written.toLowerCase()
  const catalog = lowerCase(node['catalog_name'])
  const schema = lowerCase(node['schema_name'])
  if (schema === '' && common.has(name)) return null
  if (schema === 'information_schema') {
    if (INFORMATION_SCHEMA.has(name)) return null
    return `the view information_schema.${name} is not allowed; allowed: ${[...INFORMATION_SCHEMA].join(', ')}`
  }
  // `warehouse.readings` is parsed as a schema and a table.
  const isOurs = ['', 'main', 'warehouse'].includes(schema) && ['', 'memory', 'warehouse'].includes(catalog)
  if (isOurs && READABLE.has(name)) return null
  if (LOOKS_LIKE_FILE.test(written)) return `${written} is no table of the warehouse, and files are not read`
  const full = [catalog, schema, name].filter(Boolean).join('.')
  if (OF_THE_ENGINE.test(name)) return `the view ${full} is not allowed`
  return `there is no table ${full}; did you mean ${closest(name, TABLES)}? "holdshort query --help" lists all`
}

/** Why a node of a statement does more than read the warehouse; null when it does not. */
function faultOf(node: Node, common: ReadonlySet<string>): string | null {
  if (node['type'] === 'TABLE_FUNCTION') {
    const name = lowerCase((node['function'] as Node | undefined)?.['function_name'])
    return TABLE_FUNCTIONS.has(name) ? null : `the function ${name} is not allowed in FROM`
  }
  if (node['type'] === 'BASE_TABLE') return tableFault(node, common)
  if (node['type'] === 'SHOW_REF' && node['query'] === null) {
    const name = lowerCase(node['table_name'])
    return SHOWN.has(name) ? null : `SHOW ${name.replaceAll('"', '')} is not allowed; allowed: SHOW TABLES`
  }
  const name = lowerCase(node['function_name'])
  return name === '' || FUNCTIONS.has(name) || TABLE_FUNCTIONS.has(name) ? null : `the function ${name} is not allowed`
}

/** EXPLAIN, which the parser does not give as a tree, before a statement that it does give. */
const EXPLAIN = /^\s*EXPLAIN\s+(?:ANALYZE\s+)?/i

async function treeOf(connection: DuckDBConnection, sql: string): Promise<Node> {
  const [row] = await readRows<{ tree: string }>(
    connection,
    'SELECT json_serialize_sql($sql::VARCHAR)::VARCHAR AS tree',
    {
      sql,
    },
  )
  return JSON.parse(row!.tree) as Node
}

/** A statement that the engine makes columns of values for, which it does not count as reading. */
const isPivotWithoutValues = (sql: string) => /\bPIVOT(_WIDER)?\b/i.test(sql)

/**
 * Requires statements that read the warehouse and do nothing else, as the engine's own parser understands them: SELECT with what
 * belongs to it (WITH, DESCRIBE, SUMMARIZE, SHOW, VALUES, PIVOT with values), and EXPLAIN of one. Functions, tables and views are allowed by name.
 * @throws HoldshortError USAGE
 */
export async function requireReadOnly(connection: DuckDBConnection, sql: string): Promise<void> {
  const tree = await treeOf(connection, sql.replace(EXPLAIN, ''))
  if (tree['error'] === true) {
    // If the parser cannot read a statement, its own error points at the place.
    if (tree['error_type'] === 'parser' || tree['error_type'] === 'syntax') await connection.extractStatements(sql)
    const reason = isPivotWithoutValues(sql)
      ? "name the values that PIVOT makes columns of, as in PIVOT rollups ON kind IN ('security', 'immigration') USING avg(mean); --unsafe allows PIVOT without them"
      : 'only SELECT statements, and EXPLAIN of one, are allowed; --unsafe allows every statement'
    throw new UsageError(`sql: ${reason}`)
  }
  const statements = tree['statements'] as unknown[]
  if (statements.length === 0) throw new UsageError('sql: is empty')
  if (statements.length > 1 && EXPLAIN.test(sql)) throw new UsageError('sql: EXPLAIN takes a single statement')
  const common = commonTables(statements)
  // Elsewhere in the statement the same name can mean the view of the engine.
  const hiding = [...common].find((name) => OF_THE_ENGINE.test(name))
  if (hiding !== undefined) throw new UsageError(`sql: ${hiding} is the name of a view of the engine; rename it`)
  for (const node of nodesIn(statements)) {
    const fault = faultOf(node, common)
    if (fault === null) continue
    const isMistyped = fault.startsWith('there is no table')
    throw new UsageError(`sql: ${fault}${isMistyped ? '' : '; --unsafe allows every function and file'}`)
  }
}
