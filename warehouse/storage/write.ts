import { randomBytes } from 'node:crypto'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
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

/**
 * SELECT of the rows of part files: columns as declared and those of the folders. Without files it gives no rows. Only for a
 * table whose older files lack columns does DuckDB read the schema of every file whenever a statement is prepared.
 */
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
  const read = (options = '') =>
    `read_parquet([${files}], hive_partitioning = true, hive_types_autocast = false${options})`
  const added = columns.filter(([name]) => table.added?.includes(name))
  if (added.length === 0) return `SELECT ${list} FROM ${read()}`
  const none = added.map(([name, type]) => `NULL::${type} AS ${quoteName(name)}`).join(', ')
  return `SELECT ${list} FROM (SELECT * FROM ${read(', union_by_name = true')} UNION ALL BY NAME SELECT ${none} WHERE false)`
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
  const path = join(context.scratchDir, `rows-${randomBytes(6).toString('hex')}.ndjson`)
  await writeFile(path, rows.map(jsonLine).join('\n'))
  const types = Object.entries(table.columns).map(([name, { type }]) => `${quoteName(name)}: ${quoteText(type)}`)
  const select = `SELECT * FROM read_json(${quoteText(path)}, format = 'newline_delimited', columns = {${types.join(', ')}})`
  return { path, select }
}

/** The new rows of a landing: how many, where, and how many of each capture at each fetch of it (see `captureKey`). */
export interface LandedRows {
  rows: number
  /** The partitions that have new files, by folder. */
  partitions: Map<string, Partition['values']>
  /** Only for tables whose rows name a capture and its fetch time. */
  byCapture: Map<string, number>
}

export const noLandedRows = (): LandedRows => ({ rows: 0, partitions: new Map(), byCapture: new Map() })

/** The key of a fetch of a capture in `LandedRows`. */
export const captureKey = (captureId: string, fetchedAtMs: number) => `${captureId} ${fetchedAtMs}`

/** Lands rows from objects. See `landSelect`. */
export async function landRows(
  context: WriteContext,
  table: Table,
  rows: Row<Table>[],
  landed = noLandedRows(),
): Promise<number> {
  if (rows.length === 0) return 0
  try {
    const { path, select } = await stageRows(context, table, rows)
    try {
      return await landSelect(context, table, select, {}, landed)
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
 * Lands the rows of a SELECT whose key is new, each partition atomically; returns how many were new, and adds them to
 * `landed` as each partition is committed. The caller holds the write lock. When another process took over writing in between, the rest is landed anew on top of what that process
 * wrote.
 */
export async function landSelect(
  context: WriteContext,
  table: Table,
  select: string,
  values: QueryValues = {},
  landed = noLandedRows(),
): Promise<number> {
  const { connection } = context
  const incoming = `incoming_${randomBytes(6).toString('hex')}`
  const columns = Object.entries(table.columns).map(
    ([name, { type }]) => `${quoteName(name)}::${type} AS ${quoteName(name)}`,
  )
  try {
    await connection.run(
      `CREATE TEMP TABLE ${incoming} AS ${withFolders(table, `SELECT ${columns.join(', ')} FROM (${select})`)}`,
      values as Record<string, DuckDBValue>,
    )
    for (let attempt = 1; ; attempt += 1) {
      try {
        await landNewRows(context, table, incoming, landed)
        return landed.rows
      } catch (cause) {
        const error = asFenced(cause)
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

/**
 * A landing that makes a partition have this many live files merges them. Every landing reads the files of its partition, and
 * every capture is compared with them: many small files cost more than merging them now and then. A small partition is merged
 * sooner, because that costs little.
 */
const MERGE_FILES = 24
const MERGE_SMALL_FILES = 4
const SMALL_BYTES = 512_000

/** Whether a partition that has just got one more file should be merged. */
async function shouldMerge(partition: Partition): Promise<boolean> {
  const paths = livePaths(partition)
  const files = paths.length + 1
  if (files < MERGE_SMALL_FILES || files >= MERGE_FILES) return files >= MERGE_FILES
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path).catch(() => ({ size: 0 }))).size))
  return sizes.reduce((sum, size) => sum + size, 0) <= SMALL_BYTES
}

/** What the engine says about a file that is no longer there. */
export const isMissingFile = (error: unknown) => /No such file|No files found/.test((error as Error).message)

/** Turns the error of files that another process replaced while this one was stopped into WRITE_FENCED; others pass unchanged. */
export function asFenced(cause: unknown): unknown {
  if (cause instanceof HoldshortError || !isMissingFile(cause)) return cause
  const text = 'another process replaced files while this one was stopped; run it again'
  return new HoldshortError('WRITE_FENCED', text, { cause })
}

/** Merges the live files of a partition into one sorted file. The caller holds the write lock. */
export async function mergeFiles(context: WriteContext, table: Table, values: Partition['values']): Promise<void> {
  await replacePartition(context, table, values, (live) => selectFiles(table, live))
}

/** Claims the partitions of the incoming rows and lands those whose key is new; counts each committed partition in `landed`. */
async function landNewRows(context: WriteContext, table: Table, incoming: string, landed: LandedRows) {
  const { connection } = context
  const fresh = `fresh_${randomBytes(6).toString('hex')}`
  const touched = await connection.runAndReadAll(`SELECT DISTINCT ${folderNames(table)} FROM ${incoming} ORDER BY ALL`)
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
  for (const { partition } of claims)
    if (landed.partitions.has(partition.folder) && (await shouldMerge(partition)))
      await mergeFiles(context, table, partition.values)
}

/** SELECT of the rows of a SELECT with the columns of the folders that are derived from others. */
function withFolders(table: Table, select: string): string {
  const derived = table.partition
    .filter(({ name }) => !(name in table.columns))
    .map(({ name, sql }) => `, ${sql} AS ${quoteName(name)}`)
  return `SELECT *${derived.join('')} FROM (${select})`
}

const folderNames = (table: Table) => table.partition.map(({ name }) => quoteName(name)).join(', ')
const sortNames = (table: Table) => table.sort.map(quoteName).join(', ')

const stagedFolder = (table: Table, { values }: Partition) =>
  join(...table.partition.map(({ name }) => `${name}=${encodeURIComponent(values[name] ?? '')}`))

/** Writes rows, which have the columns of the folders, to a new staging folder with one folder a partition; returns its path. */
async function stagePartitions(context: WriteContext, table: Table, select: string, options = ''): Promise<string> {
  const staging = join(context.scratchDir, `staging-${randomBytes(6).toString('hex')}`)
  await context.connection.run(
    `COPY (${select} ORDER BY ${folderNames(table)}, ${sortNames(table)}) TO ${quoteText(staging)}
     (${PARQUET}, PARTITION_BY (${folderNames(table)})${options})`,
  )
  return staging
}

/** The staged files of a partition; none when it has no rows, and several where DuckDB splits very many rows. */
async function stagedFiles(staging: string, table: Table, partition: Partition): Promise<string[]> {
  const folder = join(staging, stagedFolder(table, partition))
  const files = await readdir(folder).catch(() => [])
  return files.sort().map((file) => join(folder, file))
}

/** How many new rows of a partition have one `captureKey`; the other columns are the partition's folders. */
type NewRowCount = Record<string, unknown> & { capture: string; n: number }

const folderKey = (table: Table, values: Record<string, unknown>) =>
  table.partition.map(({ name }) => String(values[name])).join('/')

/** SQL of `captureKey`; empty where the rows of a table name no fetch of a capture. */
function captureKeySql(table: Table): string {
  const hasCaptures = 'capture_id' in table.columns && 'fetched_at' in table.columns
  return hasCaptures ? "capture_id || ' ' || epoch_ms(fetched_at)" : "''"
}

/** Stages the new rows, then commits each partition's file. */
async function commitByPartition(
  context: WriteContext,
  table: Table,
  from: string,
  claims: Claim[],
  landed: LandedRows,
) {
  const counted = await context.connection.runAndReadAll(
    `SELECT ${folderNames(table)}, ${captureKeySql(table)} AS capture, count(*)::INTEGER AS n FROM ${from} GROUP BY ALL`,
  )
  const counts = counted.getRowObjectsJS() as unknown as NewRowCount[]
  if (counts.length === 0) return
  const countsByFolder = new Map<string, NewRowCount[]>()
  for (const row of counts) {
    const key = folderKey(table, row)
    countsByFolder.set(key, [...(countsByFolder.get(key) ?? []), row])
  }
  const staging = await stagePartitions(context, table, `SELECT * FROM ${from}`)
  try {
    for (const { partition, commit } of claims) {
      const files = await stagedFiles(staging, table, partition)
      if (files.length === 0) continue
      await commit('p', await singleFile(context, table, files))
      landed.partitions.set(partition.folder, partition.values)
      for (const { capture, n } of countsByFolder.get(folderKey(table, partition.values)) ?? []) {
        landed.rows += n
        landed.byCapture.set(capture, (landed.byCapture.get(capture) ?? 0) + n)
      }
    }
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** The one file of a staged partition; several are merged. */
async function singleFile(context: WriteContext, table: Table, files: string[]): Promise<string> {
  const [first] = files
  if (first && files.length === 1) return first
  const merged = join(context.scratchDir, `merged-${randomBytes(6).toString('hex')}.parquet`)
  const list = files.map(quoteText).join(', ')
  await context.connection.run(
    `COPY (SELECT * FROM read_parquet([${list}], hive_partitioning = false) ORDER BY ${sortNames(table)}) TO ${quoteText(merged)} (${PARQUET})`,
  )
  return merged
}

/** Facts about how a file was made, stored in its Parquet metadata. */
export type FileFacts = Record<string, string>

/** The option of COPY that stores facts in the files. */
function factsOption(facts: FileFacts): string {
  const pairs = Object.entries(facts).map(([name, value]) => `${quoteText(name)}: ${quoteText(value)}`)
  return pairs.length > 0 ? `, KV_METADATA {${pairs.join(', ')}}` : ''
}

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
  const temporary = join(context.scratchDir, `replace-${randomBytes(6).toString('hex')}.parquet`)
  const columns = storedColumns(table).map(quoteName).join(', ')
  const claim = await claimPartition(context.warehouseDir, table, values)
  try {
    await context.connection.run(
      `COPY (SELECT ${columns} FROM (${select(livePaths(claim.partition))}) ORDER BY ${sortNames(table)}) TO ${quoteText(temporary)} (${PARQUET}${factsOption(facts)})`,
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
  const columns = Object.keys(table.columns).map(quoteName).join(', ')
  const facts = replacements.flatMap(({ values, facts: own }) =>
    Object.entries(own).map(([name, value]) => [factOf(name, table, values), value]),
  )
  const claims: Claim[] = []
  const notCommitted: Replacement[] = []
  let staging = ''
  try {
    for (const { values } of replacements) claims.push(await claimPartition(context.warehouseDir, table, values))
    const rows = withFolders(table, `SELECT ${columns} FROM (${select})`)
    staging = await stagePartitions(context, table, rows, factsOption(Object.fromEntries(facts)))
    for (const [index, claim] of claims.entries()) {
      const [file, ...more] = await stagedFiles(staging, table, claim.partition)
      if (file && more.length === 0) await claim.commit('c', file)
      else notCommitted.push(...replacements.slice(index, index + 1))
    }
  } catch (error) {
    throw asDiskFull(error)
  } finally {
    await Promise.all(claims.map((claim) => claim.abandon()))
    if (staging) await rm(staging, { recursive: true, force: true })
  }
  // A partition without rows has no staged file, and one with very many has several.
  for (const { values, facts: own } of notCommitted) {
    const isOwn = table.partition.map(
      ({ name, sql }) => `${name in table.columns ? quoteName(name) : sql} = ${quoteText(values[name] ?? '')}`,
    )
    await replacePartition(context, table, values, () => `SELECT * FROM (${select}) WHERE ${isOwn.join(' AND ')}`, own)
  }
}

/** The facts that files were written with, by path; empty for files without any. Files never change, so they are cached. */
const knownFacts = new LRUCache<string, FileFacts>({ max: 20_000 })

/** Reads the facts of files. */
export async function readFileFacts(context: WriteContext, paths: string[]): Promise<Map<string, FileFacts>> {
  const unknown = paths.filter((path) => !knownFacts.has(path))
  if (unknown.length > 0) {
    const reader = await context.connection.runAndReadAll(
      `SELECT file_name, decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata([${unknown.map(quoteText).join(', ')}])
       WHERE key NOT IN ('ARROW:schema', 'geo')`,
    )
    const read = new Map(unknown.map((path): [string, FileFacts] => [path, {}]))
    for (const row of reader.getRowObjectsJS()) {
      const facts = read.get(String(row['file_name']))
      if (facts) facts[String(row['key'])] = String(row['value'])
    }
    for (const [path, facts] of read) knownFacts.set(path, facts)
  }
  return new Map(paths.map((path) => [path, knownFacts.get(path) ?? {}]))
}
