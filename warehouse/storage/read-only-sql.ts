import type { DuckDBConnection } from '@duckdb/node-api'
import { UsageError } from '../../config/errors.ts'
import { AS_OF } from '../tables/catalogues.ts'
import { readRows } from './duckdb.ts'

/** Functions that stand in FROM and only compute, or tell what there is in the catalog. */
const TABLE_FUNCTIONS = new Set([
  'range',
  'generate_series',
  'unnest',
  'repeat_row',
  'json_each',
  'json_tree',
  'duckdb_columns',
  'duckdb_constraints',
  'duckdb_functions',
  'duckdb_keywords',
  'duckdb_schemas',
  'duckdb_tables',
  'duckdb_types',
  'duckdb_views',
  'pragma_database_size',
  'pragma_table_info',
  'pragma_version',
  ...AS_OF.map(({ name }) => name),
])

/** Functions of a single value that do more than compute it. */
const ACTING_FUNCTIONS = new Set([
  'add_parquet_key',
  'current_setting',
  'getenv',
  'getvariable',
  'json_execute_serialized_sql',
  'nextval',
  'currval',
  'python_map_function',
  'setseed',
  'write_log',
])

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

const textOf = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : '')

/** Why a node of a statement does more than read the warehouse; null when it does not. */
function faultOf(node: Node): string | null {
  if (node['type'] === 'TABLE_FUNCTION') {
    const name = textOf((node['function'] as Node | undefined)?.['function_name'])
    return TABLE_FUNCTIONS.has(name) ? null : `the function ${name} is not allowed in FROM`
  }
  if (node['type'] === 'BASE_TABLE') {
    const name = String(node['table_name'])
    // Views of the engine about itself: that of its databases has the password of a catalog in PostgreSQL.
    if (/^(duckdb|pragma)_/i.test(name) && !TABLE_FUNCTIONS.has(name.toLowerCase()))
      return `the view ${name} is not allowed`
    return LOOKS_LIKE_FILE.test(name) ? `${name} is no table of the warehouse, and files are not read` : null
  }
  const name = textOf(node['function_name'])
  return ACTING_FUNCTIONS.has(name) ? `the function ${name} is not allowed` : null
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
 * belongs to it (WITH, DESCRIBE, SUMMARIZE, SHOW, VALUES, PIVOT with values), and EXPLAIN of one.
 * @throws HoldshortError USAGE
 */
export async function requireReadOnly(connection: DuckDBConnection, sql: string): Promise<void> {
  const tree = await treeOf(connection, sql.replace(EXPLAIN, ''))
  if (tree['error'] === true) {
    // Where the parser cannot read a statement, its own error points at the place.
    if (tree['error_type'] === 'parser' || tree['error_type'] === 'syntax') await connection.extractStatements(sql)
    const reason = isPivotWithoutValues(sql)
      ? "name the values that PIVOT makes columns of, as in PIVOT rollups ON kind IN ('security', 'immigration') USING avg(mean); --unsafe allows PIVOT without them"
      : 'only SELECT statements, and EXPLAIN of one, are allowed; --unsafe allows every statement'
    throw new UsageError(`sql: ${reason}`)
  }
  const statements = tree['statements'] as unknown[]
  if (statements.length === 0) throw new UsageError('sql: is empty')
  if (statements.length > 1 && EXPLAIN.test(sql)) throw new UsageError('sql: EXPLAIN takes a single statement')
  for (const node of nodesIn(statements)) {
    const fault = faultOf(node)
    if (fault !== null) throw new UsageError(`sql: ${fault}; --unsafe allows every function and file`)
  }
}
