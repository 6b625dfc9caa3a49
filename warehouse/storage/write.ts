import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import type { Row, Table } from '../tables/define.ts'
import type { QueryValues } from './duckdb.ts'
import { asDiskFull, putInPlace } from './files.ts'
import { livePaths, nextNumber, type Partition, partFileName, readPartition } from './layout.ts'
import { quoteName, quoteText } from './sql.ts'

export interface WriteContext {
  connection: DuckDBConnection
  warehouseDir: string
  scratchDir: string
}

const PARQUET = 'FORMAT parquet, COMPRESSION zstd'

/** Columns that are stored in the files: all that are not a partition folder. */
export function storedColumns(table: Table): string[] {
  const folders = new Set(table.partition.map(({ name }) => name))
  return Object.keys(table.columns).filter((name) => !folders.has(name))
}

/** SELECT of the rows of part files: columns as declared and those of the folders. Without files it gives no rows. */
export function selectFiles(table: Table, paths: string[]): string {
  const folders = table.partition.filter(({ name }) => !(name in table.columns)).map(({ name }) => [name, 'VARCHAR'])
  const columns = [...Object.entries(table.columns).map(([name, { type }]) => [name, type]), ...folders] as [
    string,
    string,
  ][]
  if (paths.length === 0)
    return `SELECT ${columns.map(([name, type]) => `NULL::${type} AS ${quoteName(name)}`).join(', ')} WHERE false`
  const list = columns.map(([name, type]) => `${quoteName(name)}::${type} AS ${quoteName(name)}`).join(', ')
  const files = paths.map(quoteText).join(', ')
  const read = `read_parquet([${files}], hive_partitioning = true, hive_types_autocast = false, union_by_name = true)`
  const added = columns.filter(([name]) => table.added?.includes(name))
  if (added.length === 0) return `SELECT ${list} FROM ${read}`
  const none = added.map(([name, type]) => `NULL::${type} AS ${quoteName(name)}`).join(', ')
  return `SELECT ${list} FROM (SELECT * FROM ${read} UNION ALL BY NAME SELECT ${none} WHERE false)`
}

/** Writes rows to a file of JSON lines; returns its path and the SELECT that reads it. */
async function stageRows(
  context: WriteContext,
  table: Table,
  rows: Row<Table>[],
): Promise<{ path: string; select: string }> {
  await mkdir(context.scratchDir, { recursive: true })
  const path = join(context.scratchDir, `rows-${randomBytes(6).toString('hex')}.ndjson`)
  await writeFile(path, rows.map((row) => JSON.stringify(row)).join('\n'))
  const types = Object.entries(table.columns).map(([name, { type }]) => `${quoteName(name)}: ${quoteText(type)}`)
  const select = `SELECT * FROM read_json(${quoteText(path)}, format = 'newline_delimited', columns = {${types.join(', ')}})`
  return { path, select }
}

/** Lands rows from objects. See `landSelect`. */
export async function landRows(context: WriteContext, table: Table, rows: Row<Table>[]): Promise<number> {
  if (rows.length === 0) return 0
  try {
    const { path, select } = await stageRows(context, table, rows)
    try {
      return await landSelect(context, table, select)
    } finally {
      await rm(path, { force: true })
    }
  } catch (error) {
    throw asDiskFull(error)
  }
}

/**
 * Lands the rows of a SELECT whose key is new, each partition atomically; returns how many were new. The caller holds the
 * write lock.
 */
export async function landSelect(
  context: WriteContext,
  table: Table,
  select: string,
  values: QueryValues = {},
): Promise<number> {
  const { connection } = context
  const suffix = randomBytes(6).toString('hex')
  const incoming = `incoming_${suffix}`
  const fresh = `fresh_${suffix}`
  const columns = Object.entries(table.columns).map(
    ([name, { type }]) => `${quoteName(name)}::${type} AS ${quoteName(name)}`,
  )
  const derived = table.partition
    .filter(({ name }) => !(name in table.columns))
    .map(({ name, sql }) => `${sql} AS ${quoteName(name)}`)
  const folders = table.partition.map(({ name }) => quoteName(name)).join(', ')
  try {
    await connection.run(
      `CREATE TEMP TABLE ${incoming} AS SELECT *${derived.map((d) => `, ${d}`).join('')} FROM (SELECT ${columns.join(', ')} FROM (${select}))`,
      values as Record<string, DuckDBValue>,
    )
    const touched = await connection.runAndReadAll(`SELECT DISTINCT ${folders} FROM ${incoming} ORDER BY ALL`)
    const partitions = await Promise.all(
      touched.getRowObjectsJS().map((row) => readPartition(context.warehouseDir, table, row as Record<string, string>)),
    )
    const existing = selectFiles(table, partitions.flatMap(livePaths))
    const key = table.key.map(quoteName)
    const same = key.map((name) => `e.${name} IS NOT DISTINCT FROM i.${name}`).join(' AND ')
    await connection.run(
      `CREATE TEMP TABLE ${fresh} AS SELECT DISTINCT ON (${key.join(', ')}) i.* FROM ${incoming} i ` +
        `ANTI JOIN (SELECT ${key.join(', ')} FROM (${existing})) e ON ${same}`,
    )
    const counted = await connection.runAndReadAll(`SELECT count(*) AS n FROM ${fresh}`)
    const count = Number(counted.getRowObjectsJS()[0]?.n ?? 0)
    if (count > 0) await copyByPartition(context, table, fresh, partitions)
    return count
  } catch (error) {
    throw asDiskFull(error)
  } finally {
    await connection.run(`DROP TABLE IF EXISTS ${incoming}; DROP TABLE IF EXISTS ${fresh}`)
  }
}

/** Writes the new rows to a staging folder, then moves each file into its partition. */
async function copyByPartition(context: WriteContext, table: Table, from: string, partitions: Partition[]) {
  await mkdir(context.scratchDir, { recursive: true })
  const staging = join(context.scratchDir, `staging-${randomBytes(6).toString('hex')}`)
  const folders = table.partition.map(({ name }) => quoteName(name))
  const order = [...folders, ...table.sort.map(quoteName)].join(', ')
  try {
    await context.connection.run(
      `COPY (SELECT * FROM ${from} ORDER BY ${order}) TO ${quoteText(staging)} (${PARQUET}, PARTITION_BY (${folders.join(', ')}))`,
    )
    for (const partition of partitions) {
      const staged = join(
        staging,
        ...table.partition.map(({ name }) => `${name}=${encodeURIComponent(partition.values[name] ?? '')}`),
      )
      const files = await readdir(staged).catch(() => [])
      if (files.length > 0) await mkdir(partition.folder, { recursive: true })
      let number = nextNumber(partition.parts)
      for (const file of files.sort()) {
        await putInPlace(join(staged, file), join(partition.folder, partFileName('p', number)))
        number += 1
      }
    }
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/**
 * Replaces a partition's content by the rows of a SELECT, atomically; the replaced files stay until they are swept. With
 * no rows the partition becomes empty. The caller holds the write lock.
 */
export async function replacePartition(
  context: WriteContext,
  table: Table,
  partition: Partition,
  select: string,
): Promise<void> {
  await mkdir(context.scratchDir, { recursive: true })
  await mkdir(partition.folder, { recursive: true })
  const temporary = join(context.scratchDir, `replace-${randomBytes(6).toString('hex')}.parquet`)
  const columns = storedColumns(table).map(quoteName).join(', ')
  const order = table.sort.map(quoteName).join(', ')
  try {
    await context.connection.run(
      `COPY (SELECT ${columns} FROM (${select}) ORDER BY ${order}) TO ${quoteText(temporary)} (${PARQUET})`,
    )
    await putInPlace(temporary, join(partition.folder, partFileName('c', nextNumber(partition.parts))))
  } catch (error) {
    throw asDiskFull(error)
  } finally {
    await rm(temporary, { force: true })
  }
}
