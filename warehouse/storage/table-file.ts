import { rename, rm } from 'node:fs/promises'
import type { DuckDBConnection, DuckDBType, DuckDBValue } from '@duckdb/node-api'
import { draftPath } from './draft-names.ts'
import { BIGINT, BOOLEAN, DOUBLE, DuckDBDataChunk, FLOAT, INTEGER, VARCHAR } from './duckdb-api.ts'
import { asDiskFull } from './files.ts'
import { quoteName, quoteText } from './sql.ts'

/** A column of a file: numbers (NaN is NULL), instants in epoch milliseconds, or texts. */
export interface FileColumn {
  name: string
  type: 'text' | 'integer' | 'float' | 'double' | 'instant' | 'boolean'
  values: ArrayLike<number> | readonly string[] | readonly boolean[]
}

const TYPES: Record<FileColumn['type'], DuckDBType> = {
  text: VARCHAR,
  integer: INTEGER,
  float: FLOAT,
  double: DOUBLE,
  instant: BIGINT,
  boolean: BOOLEAN,
}
const CHUNK_ROWS = 2_048

/** The values of some rows as the engine takes them. */
function valuesOf({ type, values }: FileColumn, from: number, to: number): DuckDBValue[] {
  const cells: DuckDBValue[] = []
  for (let row = from; row < to; row += 1) {
    const value = values[row]!
    if (typeof value === 'number' && Number.isNaN(value)) cells.push(null)
    else cells.push(type === 'instant' ? BigInt(Number(value)) : value)
  }
  return cells
}

/** Writes columns of equal length to a Parquet file, whole or not at all. */
export async function writeParquet(
  connection: DuckDBConnection,
  parts: Iterable<readonly FileColumn[]>,
  path: string,
): Promise<number> {
  const draft = draftPath(path)
  let names: readonly FileColumn[] | null = null
  let rows = 0
  try {
    for (const columns of parts) {
      if (names === null) {
        const list = columns.map(({ name, type }) => `${quoteName(name)} ${TYPES[type]}`)
        await connection.run(`CREATE TEMP TABLE written (${list.join(', ')})`)
        names = columns
      }
      const appender = await connection.createAppender('written', 'main', 'temp')
      const count = columns[0]?.values.length ?? 0
      for (let from = 0; from < count; from += CHUNK_ROWS) {
        const to = Math.min(count, from + CHUNK_ROWS)
        const chunk = DuckDBDataChunk.create(columns.map(({ type }) => TYPES[type]))
        chunk.setColumns(columns.map((column) => valuesOf(column, from, to)))
        appender.appendDataChunk(chunk)
      }
      appender.closeSync()
      rows += count
    }
    if (names === null) return 0
    const select = names.map(({ name, type }) =>
      type === 'instant' ? `make_timestamptz(${quoteName(name)} * 1000) AS ${quoteName(name)}` : quoteName(name),
    )
    await connection.run(
      `COPY (SELECT ${select.join(', ')} FROM written) TO ${quoteText(draft)} (FORMAT parquet, COMPRESSION zstd)`,
    )
    await rename(draft, path)
    return rows
  } catch (error) {
    throw asDiskFull(error, path)
  } finally {
    await rm(draft, { force: true })
    await connection.run('DROP TABLE IF EXISTS written')
  }
}
