import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { LRUCache } from 'lru-cache'
import { HoldshortError } from '../../config/errors.ts'
import { withCleanTexts } from '../../config/outside-text.ts'
import type { Row, Table } from '../tables/define.ts'
import { type Claim, claimPartition } from './claim.ts'
import type { QueryValues } from './duckdb.ts'
import { asDiskFull } from './files.ts'
import { livePaths, type Partition } from './layout.ts'
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

/** DuckDB reads no JSON with half a surrogate pair or a NUL, and one such row must not keep the others from landing. */
const UNREADABLE = /\\u(d[89a-f]|0000)/

function jsonLine(row: object): string {
  const line = JSON.stringify(row)
  return UNREADABLE.test(line) ? JSON.stringify(withCleanTexts(row)) : line
}

/** Writes rows to a file of JSON lines; returns its path and the SELECT that reads it. */
async function stageRows(
  context: WriteContext,
  table: Table,
  rows: Row<Table>[],
): Promise<{ path: string; select: string }> {
  await mkdir(context.scratchDir, { recursive: true })
  const path = join(context.scratchDir, `rows-${randomBytes(6).toString('hex')}.ndjson`)
  await writeFile(path, rows.map(jsonLine).join('\n'))
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

/** A landing that another writer took over from starts again this often. */
const MAX_LANDING_ATTEMPTS = 5
const MAX_RETRY_PAUSE_MS = 200

/**
 * Lands the rows of a SELECT whose key is new, each partition atomically; returns how many were new. The caller holds the
 * write lock. When another process took over writing in between, the rest is landed anew on top of what that process
 * wrote.
 */
export async function landSelect(
  context: WriteContext,
  table: Table,
  select: string,
  values: QueryValues = {},
): Promise<number> {
  const { connection } = context
  const incoming = `incoming_${randomBytes(6).toString('hex')}`
  const columns = Object.entries(table.columns).map(
    ([name, { type }]) => `${quoteName(name)}::${type} AS ${quoteName(name)}`,
  )
  const derived = table.partition
    .filter(({ name }) => !(name in table.columns))
    .map(({ name, sql }) => `${sql} AS ${quoteName(name)}`)
  try {
    await connection.run(
      `CREATE TEMP TABLE ${incoming} AS SELECT *${derived.map((d) => `, ${d}`).join('')} FROM (SELECT ${columns.join(', ')} FROM (${select}))`,
      values as Record<string, DuckDBValue>,
    )
    const landed = { rows: 0 }
    for (let attempt = 1; ; attempt += 1) {
      try {
        await landNewRows(context, table, incoming, landed)
        return landed.rows
      } catch (error) {
        const isFenced = error instanceof HoldshortError && error.code === 'WRITE_FENCED'
        if (!isFenced || attempt === MAX_LANDING_ATTEMPTS) throw error
        await sleep(Math.random() * MAX_RETRY_PAUSE_MS * attempt)
      }
    }
  } catch (error) {
    throw asDiskFull(error)
  } finally {
    await connection.run(`DROP TABLE IF EXISTS ${incoming}`)
  }
}

/** Claims the partitions of the incoming rows and lands those whose key is new; counts each committed partition in `landed`. */
async function landNewRows(context: WriteContext, table: Table, incoming: string, landed: { rows: number }) {
  const { connection } = context
  const fresh = `fresh_${randomBytes(6).toString('hex')}`
  const folders = table.partition.map(({ name }) => quoteName(name)).join(', ')
  const touched = await connection.runAndReadAll(`SELECT DISTINCT ${folders} FROM ${incoming} ORDER BY ALL`)
  const claims: Claim[] = []
  try {
    for (const row of touched.getRowObjectsJS())
      claims.push(await claimPartition(context.warehouseDir, table, row as Record<string, string>))
    const existing = selectFiles(
      table,
      claims.flatMap(({ partition }) => livePaths(partition)),
    )
    const key = table.key.map(quoteName)
    const same = key.map((name) => `e.${name} IS NOT DISTINCT FROM i.${name}`).join(' AND ')
    await connection.run(
      `CREATE TEMP TABLE ${fresh} AS SELECT DISTINCT ON (${key.join(', ')}) i.* FROM ${incoming} i ` +
        `ANTI JOIN (SELECT ${key.join(', ')} FROM (${existing})) e ON ${same}`,
    )
    await commitByPartition(context, table, fresh, claims, landed)
  } finally {
    await Promise.all(claims.map((claim) => claim.abandon()))
    await connection.run(`DROP TABLE IF EXISTS ${fresh}`)
  }
}

/** Writes the new rows to a staging folder, one folder a partition, then commits each partition's file. */
async function commitByPartition(
  context: WriteContext,
  table: Table,
  from: string,
  claims: Claim[],
  landed: { rows: number },
) {
  await mkdir(context.scratchDir, { recursive: true })
  const staging = join(context.scratchDir, `staging-${randomBytes(6).toString('hex')}`)
  const folders = table.partition.map(({ name }) => quoteName(name)).join(', ')
  const sort = table.sort.map(quoteName).join(', ')
  const counted = await context.connection.runAndReadAll(`SELECT ${folders}, count(*) AS n FROM ${from} GROUP BY ALL`)
  const counts = counted.getRowObjectsJS()
  if (counts.length === 0) return
  try {
    await context.connection.run(
      `COPY (SELECT * FROM ${from} ORDER BY ${folders}, ${sort}) TO ${quoteText(staging)} (${PARQUET}, PARTITION_BY (${folders}))`,
    )
    for (const { partition, commit } of claims) {
      const isOfPartition = (row: Record<string, unknown>) =>
        table.partition.every(({ name }) => String(row[name]) === partition.values[name])
      const rows = Number(counts.find(isOfPartition)?.['n'] ?? 0)
      if (rows === 0) continue
      const staged = join(staging, stagedFolder(table, partition))
      await commit('p', await singleFile(context, staged, sort))
      landed.rows += rows
    }
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** The one file of a staged partition; several, as DuckDB writes for many rows, are merged. */
async function singleFile(context: WriteContext, staged: string, sort: string): Promise<string> {
  const files = (await readdir(staged)).sort().map((file) => join(staged, file))
  const [first] = files
  if (first && files.length === 1) return first
  const merged = join(staged, 'merged')
  const list = files.map(quoteText).join(', ')
  await context.connection.run(
    `COPY (SELECT * FROM read_parquet([${list}], hive_partitioning = false) ORDER BY ${sort}) TO ${quoteText(merged)} (${PARQUET})`,
  )
  return merged
}

/** Facts about how a file was made, stored in its Parquet metadata. */
export type FileFacts = Record<string, string>

/**
 * Replaces a partition's content by the rows of a SELECT, atomically; the replaced files stay until they are swept. With
 * no rows the partition becomes empty. `select` gets the live files as of the claim. The caller holds the write lock.
 * @throws HoldshortError WRITE_FENCED when another process took over writing; nothing was replaced.
 */
export async function replacePartition(
  context: WriteContext,
  table: Table,
  values: Record<string, string>,
  select: (livePaths: string[]) => string,
  facts: FileFacts = {},
): Promise<void> {
  await mkdir(context.scratchDir, { recursive: true })
  const temporary = join(context.scratchDir, `replace-${randomBytes(6).toString('hex')}.parquet`)
  const columns = storedColumns(table).map(quoteName).join(', ')
  const order = table.sort.map(quoteName).join(', ')
  const pairs = Object.entries(facts).map(([name, value]) => `${name}: ${quoteText(value)}`)
  const metadata = pairs.length > 0 ? `, KV_METADATA {${pairs.join(', ')}}` : ''
  const claim = await claimPartition(context.warehouseDir, table, values)
  try {
    await context.connection.run(
      `COPY (SELECT ${columns} FROM (${select(livePaths(claim.partition))}) ORDER BY ${order}) TO ${quoteText(temporary)} (${PARQUET}${metadata})`,
    )
    await claim.commit('c', temporary)
  } catch (error) {
    throw asDiskFull(error)
  } finally {
    await claim.abandon()
    await rm(temporary, { force: true })
  }
}

/** A partition that is replaced, with the facts of its new file. */
export interface Replacement {
  values: Record<string, string>
  facts: FileFacts
}

/** The name of a fact in a file that was written together with the files of other partitions. */
export const factOf = (name: string, table: Table, values: Record<string, string>) =>
  `${name}@${table.partition.map((folder) => values[folder.name]).join('/')}`

/**
 * Replaces several partitions by the rows of one SELECT, each atomically; much faster than one by one. The rows must all
 * belong to these partitions. The caller holds the write lock.
 * @throws HoldshortError WRITE_FENCED when another process took over writing; some partitions may be replaced already.
 */
export async function replacePartitions(
  context: WriteContext,
  table: Table,
  replacements: readonly Replacement[],
  select: string,
): Promise<void> {
  await mkdir(context.scratchDir, { recursive: true })
  const staging = join(context.scratchDir, `replace-${randomBytes(6).toString('hex')}`)
  const derived = table.partition
    .filter(({ name }) => !(name in table.columns))
    .map(({ name, sql }) => `, ${sql} AS ${quoteName(name)}`)
  const columns = Object.keys(table.columns).map(quoteName).join(', ')
  const folders = table.partition.map(({ name }) => quoteName(name)).join(', ')
  const sort = table.sort.map(quoteName).join(', ')
  const pairs = replacements.flatMap(({ values, facts }) =>
    Object.entries(facts).map(([name, value]) => `${quoteText(factOf(name, table, values))}: ${quoteText(value)}`),
  )
  const claims: Claim[] = []
  const empty: Replacement[] = []
  try {
    for (const { values } of replacements) claims.push(await claimPartition(context.warehouseDir, table, values))
    await context.connection.run(
      `COPY (SELECT ${columns}${derived.join('')} FROM (${select}) ORDER BY ${folders}, ${sort}) TO ${quoteText(staging)}
       (${PARQUET}, PARTITION_BY (${folders}), KV_METADATA {${pairs.join(', ')}})`,
    )
    for (const [index, claim] of claims.entries()) {
      const staged = join(staging, stagedFolder(table, claim.partition))
      const files = await readdir(staged).catch(() => [])
      const [file] = files
      if (file && files.length === 1) await claim.commit('c', join(staged, file))
      else empty.push(...replacements.slice(index, index + 1))
    }
  } catch (error) {
    throw asDiskFull(error)
  } finally {
    await Promise.all(claims.map((claim) => claim.abandon()))
    await rm(staging, { recursive: true, force: true })
  }
  // DuckDB writes no file for a partition without rows, and several for one with very many.
  for (const { values, facts } of empty) {
    const own = table.partition.map(
      ({ name, sql }) => `${name in table.columns ? quoteName(name) : sql} = ${quoteText(values[name] ?? '')}`,
    )
    await replacePartition(context, table, values, () => `SELECT * FROM (${select}) WHERE ${own.join(' AND ')}`, facts)
  }
}

const stagedFolder = (table: Table, { values }: Partition) =>
  join(...table.partition.map(({ name }) => `${name}=${encodeURIComponent(values[name] ?? '')}`))

/** The facts that files were written with, by path; empty for files without any. Files never change, so they are cached. */
const knownFacts = new LRUCache<string, FileFacts>({ max: 20_000 })

/** Reads the facts of files. */
export async function readFileFacts(context: WriteContext, paths: string[]): Promise<Map<string, FileFacts>> {
  const unknown = paths.filter((path) => !knownFacts.has(path))
  if (unknown.length > 0) {
    for (const path of unknown) knownFacts.set(path, {})
    const reader = await context.connection.runAndReadAll(
      `SELECT file_name, decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata([${unknown.map(quoteText).join(', ')}])
       WHERE key NOT IN ('ARROW:schema', 'geo')`,
    )
    for (const row of reader.getRowObjectsJS()) {
      const facts = knownFacts.get(String(row['file_name']))
      if (facts) facts[String(row['key'])] = String(row['value'])
    }
  }
  return new Map(paths.map((path) => [path, knownFacts.get(path) ?? {}]))
}
