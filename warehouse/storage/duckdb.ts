import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api'
import { UsageError } from '../../config/errors.ts'
import { usableMemory } from '../../config/machine-memory.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import { DuckDBTypeId, DuckDBInstance as Engine } from './duckdb-api.ts'
import { quoteName } from './sql.ts'

/** Parameters of a query by name ($name in the SQL). Instants are ISO strings. */
export type QueryValues = Record<string, string | number | boolean | null>

/** Result columns by name: numbers as Float64Array (NULL = NaN), instants as epoch milliseconds, texts as strings or null. */
export type ResultColumns = Record<string, ArrayLike<unknown>>

const MB = 1e6
/** Part of the memory of a machine that one engine may fill: programs beside it and the heap of JavaScript need the rest. */
const ENGINE_SHARE = 1 / 4
const MIN_ENGINE_BYTES = 128 * MB

/** Four times as much makes the import of 8.3 million readings 20 % cheaper in processor time and takes 3.6 GB in place of 0.9. */
const MAX_ENGINE_BYTES = 512 * MB

/**
 * The memory of an engine before it writes to the scratch folder, as its setting `memory_limit`: a quarter of what the machine,
 * or the control group of this process, has (`usable`, in bytes), and no more than `most`.
 */
export function engineMemory(most = MAX_ENGINE_BYTES, usable = usableMemory()): string {
  const bytes = Math.min(most, Math.max(MIN_ENGINE_BYTES, usable * ENGINE_SHARE))
  return `${Math.floor(bytes / MB)}MB`
}

/**
 * Opens the engine, in memory; the warehouse is attached to it. Times and dates do not depend on the surroundings.
 * DuckDB 1.5.5 fails with an internal error ("Failed to bind column reference") when its window-to-top-n rewrite meets a
 * filter on a list column, such as len(flags) = 0, so that rewrite is switched off.
 */
export async function openDuckdb(
  scratchDir: string,
  limits: { memory: string; spill: string; threads?: string } = { memory: engineMemory(), spill: '20GB' },
): Promise<DuckDBInstance> {
  const instance = await Engine.create(':memory:', {
    // The work of a service is thousands of small statements. A second thread takes a fifth more processor time for them, as each waits for the other.
    threads: limits.threads ?? '1',
    memory_limit: limits.memory,
    temp_directory: scratchDir,
    max_temp_directory_size: limits.spill,
    // A file of another kind must not make the engine fetch an extension from its vendor.
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  const connection = await instance.connect()
  await connection.run(
    "SET GLOBAL TimeZone = 'UTC'; SET GLOBAL Calendar = 'gregorian'; SET GLOBAL disabled_optimizers = 'top_n_window_elimination'",
  )
  connection.closeSync()
  return instance
}

/** Runs `work` on a new connection and closes it. Two statements must never run on one connection at the same time. */
export async function withConnection<T>(
  instance: DuckDBInstance,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const connection = await instance.connect()
  try {
    return await work(connection)
  } finally {
    connection.closeSync()
  }
}

/** Runs work as one transaction: all of its changes are made, or none. */
export async function withTransaction<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  await connection.run('BEGIN')
  try {
    const done = await work()
    await connection.run('COMMIT')
    return done
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/**
 * Requires at least one statement.
 * @throws HoldshortError USAGE
 */
export async function requireStatements(connection: DuckDBConnection, sql: string): Promise<void> {
  const statements = await connection.extractStatements(sql).catch((cause: Error) => {
    throw cause.message.includes('native callback') ? new UsageError('sql: is empty') : cause
  })
  if (statements.count === 0) throw new UsageError('sql: is empty')
}

type DescribedColumn = { column_name: string; column_type: string }

async function describe(connection: DuckDBConnection, sql: string, values: QueryValues): Promise<DescribedColumn[]> {
  const reader = await connection.runAndReadAll(`DESCRIBE (${sql})`, values as Record<string, DuckDBValue>)
  return reader.getRowObjectsJS() as unknown as DescribedColumn[]
}

const isInstant = (type: string) => type.startsWith('TIMESTAMP')
const isText = (type: string) => type === 'VARCHAR' || type === 'DATE' || type.endsWith('[]') || type === 'BLOB'

/** Runs a SELECT and returns whole columns: numbers and instants as Float64Array (NULL = NaN), the rest as string arrays. */
export async function readColumns(
  connection: DuckDBConnection,
  sql: string,
  values: QueryValues = {},
): Promise<ResultColumns> {
  const described = await describe(connection, sql, values)
  const projections = described.map(({ column_name, column_type }) => {
    const name = quoteName(column_name)
    if (isInstant(column_type)) return `coalesce(epoch_us(${name}) / 1000.0, 'NaN')::DOUBLE AS ${name}`
    return isText(column_type) ? `${name}::VARCHAR AS ${name}` : `coalesce(${name}::DOUBLE, 'NaN') AS ${name}`
  })
  const wrapped = `SELECT ${projections.join(', ')} FROM (${sql})`
  const result = await connection.stream(wrapped, values as Record<string, DuckDBValue>)
  const numbers = new Map<number, Float64Array[]>()
  const texts = new Map<number, (string | null)[]>()
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    for (const [index, { column_type }] of described.entries()) {
      if (isText(column_type)) {
        const column = texts.get(index) ?? []
        for (const value of chunk.getColumnValues(index)) column.push(value as string | null)
        texts.set(index, column)
      } else {
        const vector = chunk.getColumnVector(index) as unknown as { items: Float64Array }
        numbers.set(index, [...(numbers.get(index) ?? []), vector.items.slice(0, chunk.rowCount)])
      }
    }
  }
  return Object.fromEntries(
    described.map(({ column_name, column_type }, index) => [
      column_name,
      isText(column_type) ? (texts.get(index) ?? []) : concatenate(numbers.get(index) ?? []),
    ]),
  )
}

/** Runs a SELECT and returns plain objects: instants as ISO strings with Z, days as YYYY-MM-DD, big integers as numbers, lists as arrays. */
export async function readRows<R extends object>(
  connection: DuckDBConnection,
  sql: string,
  values: QueryValues = {},
): Promise<R[]> {
  const reader = await connection.runAndReadAll(sql, values as Record<string, DuckDBValue>)
  const names = reader.deduplicatedColumnNames()
  const days = names.filter((_, index) => reader.columnTypeId(index) === DuckDBTypeId.DATE)
  return reader.getRowObjectsJS().map((row) => {
    const plain = row as Record<string, unknown>
    for (const name of names) plain[name] = plainValue(plain[name])
    for (const name of days) if (typeof plain[name] === 'string') plain[name] = plain[name].slice(0, 10)
    return plain as R
  })
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Date) return isoUtc(value.getTime())
  if (Array.isArray(value)) return value.map(plainValue)
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainValue(inner)]))
  return value
}

/** Joins arrays in order. */
function concatenate(parts: readonly Float64Array[]): Float64Array<ArrayBuffer> {
  const joined = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}
