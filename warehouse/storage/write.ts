import { randomBytes } from 'node:crypto'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { HoldshortError } from '../../config/errors.ts'
import { withCleanTexts } from '../../config/outside-text.ts'
import type { Row, Table } from '../tables/define.ts'
import { type Claim, claimFolder } from './claim.ts'
import type { QueryValues } from './duckdb.ts'
import { type FileFacts, factsInMonth, factsOf, factsOption, newFactsInMonth } from './facts.ts'
import { asDiskFull } from './files.ts'
import {
  type DaysOfFile,
  dayOfMonth,
  folderColumns,
  livePaths,
  type Partition,
  partitionFolder,
  partitionIn,
  partitionsOf,
} from './layout.ts'
import { quoteName, quoteText } from './sql.ts'

export interface WriteContext {
  connection: DuckDBConnection
  warehouseDir: string
  scratchDir: string
}

const PARQUET = 'FORMAT parquet, COMPRESSION zstd'

/** What divides the rows of a table and is no column of it, but derived from an instant. */
const derivedPartitions = (table: Table) => table.partition.filter(({ name }) => !(name in table.columns))

/** Columns that are stored in the files: all that are not a partition folder. */
export function storedColumns(table: Table): string[] {
  const folders = new Set(table.partition.map(({ name }) => name))
  return Object.keys(table.columns).filter((name) => !folders.has(name))
}

/**
 * SELECT of the rows of part files: columns as declared, and the day or month. Without files it gives no rows. Only for a
 * table whose older files lack columns does DuckDB read the schema of every file whenever a statement is prepared.
 */
export function selectFiles(table: Table, paths: string[]): string {
  const derived = derivedPartitions(table)
  const columns = Object.entries(table.columns).map(([name, { type }]): [string, string] => [name, type])
  if (paths.length === 0) {
    const empty = [...columns, ...derived.map(({ name }) => [name, 'VARCHAR'])]
    return `SELECT ${empty.map(([name, type]) => `NULL::${type} AS ${quoteName(name!)}`).join(', ')} WHERE false`
  }
  const folders = folderColumns(table)
  const list = [
    ...columns.map(([name, type]) => `${quoteName(name)}::${type} AS ${quoteName(name)}`),
    // The name of a folder tells the engine which files it need not open.
    ...derived.map(({ name, sql }) => `${folders.includes(name) ? quoteName(name) : sql} AS ${quoteName(name)}`),
  ].join(', ')
  const files = paths.map(quoteText).join(', ')
  const read = (options = '') =>
    `read_parquet([${files}], hive_partitioning = true, hive_types_autocast = false${options})`
  const added = columns.filter(([name]) => table.added?.includes(name))
  if (added.length === 0) return `SELECT ${list} FROM ${read()}`
  const none = added.map(([name, type]) => `NULL::${type} AS ${quoteName(name)}`).join(', ')
  return `SELECT ${list} FROM (SELECT * FROM ${read(', union_by_name = true')} UNION ALL BY NAME SELECT ${none} WHERE false)`
}

/** SQL condition: a row belongs to one of these partitions, of which one at least is in the file of its month. */
function isOfPartitions(table: Table, partitions: readonly Partition[]): string {
  const names = table.partition.map(({ name }) => quoteName(name)).join(', ')
  const rows = partitions.map(
    ({ values }) => `(${table.partition.map(({ name }) => quoteText(values[name] ?? '')).join(', ')})`,
  )
  const dates = partitions.map(({ values }) => values['date'] ?? '').sort()
  const instant = quoteName(table.partition.find(({ name }) => name === 'date')?.instant ?? '')
  // The engine compares an instant with the statistics of a file, and so need not open most of them.
  return `${instant} >= TIMESTAMPTZ ${quoteText(`${dates[0]} 00:00:00Z`)}
    AND ${instant} < TIMESTAMPTZ ${quoteText(`${dates.at(-1)} 00:00:00Z`)} + INTERVAL 1 DAY AND (${names}) IN (${rows.join(', ')})`
}

/** SELECT of the rows of partitions, with the columns of `selectFiles`; `paths` are their files or links to them. */
export function selectPartitions(
  table: Table,
  partitions: readonly Partition[],
  paths: string[] = livePaths(partitions),
): string {
  const rows = selectFiles(table, paths)
  if (partitions.every(({ monthFile }) => monthFile === null)) return rows
  return `SELECT * FROM (${rows}) WHERE ${isOfPartitions(table, partitions)}`
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
  /** The folders that have new files, with the values of one of their partitions. */
  folders: Map<string, Partition['values']>
  /** Only for tables whose rows name a capture and its fetch time. */
  byCapture: Map<string, number>
}

export const noLandedRows = (): LandedRows => ({ rows: 0, folders: new Map(), byCapture: new Map() })

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
async function shouldMerge({ folder, parts }: Partition): Promise<boolean> {
  const files = parts.length + 1
  if (files < MERGE_SMALL_FILES || files >= MERGE_FILES) return files >= MERGE_FILES
  const paths = parts.map(({ name }) => join(folder, name))
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

/** Merges the files that hold rows of one partition only into one sorted file. The caller holds the write lock. */
export async function mergeFiles(context: WriteContext, table: Table, values: Partition['values']): Promise<void> {
  const claim = await claimFolder(context.warehouseDir, table, values)
  try {
    const own = { ...partitionIn(table, claim.folder, values), monthFile: null }
    await commitRows(context, table, claim, selectPartitions(table, [own]), daysInName(values))
  } finally {
    await claim.end()
  }
}

const daysInName = (values: Partition['values']): DaysOfFile => {
  const day = dayOfMonth(values)
  return day === null ? null : { day }
}

/** Claims the folders of the incoming rows and lands those whose key is new; counts each committed partition in `landed`. */
async function landNewRows(context: WriteContext, table: Table, incoming: string, landed: LandedRows) {
  const { connection } = context
  const fresh = `fresh_${randomBytes(6).toString('hex')}`
  const read = await connection.runAndReadAll(`SELECT DISTINCT ${partitionNames(table)} FROM ${incoming} ORDER BY ALL`)
  const claims = await claimFolders(context, table, read.getRowObjectsJS() as Record<string, string>[])
  let changed: Partition[] = []
  try {
    const existing = selectPartitions(
      table,
      claims.flatMap(({ partitions }) => partitions),
    )
    const key = table.key.map(quoteName)
    const same = key.map((name) => `e.${name} IS NOT DISTINCT FROM i.${name}`).join(' AND ')
    await connection.run(
      `CREATE TEMP TABLE ${fresh} AS SELECT DISTINCT ON (${key.join(', ')}) i.* FROM ${incoming} i ` +
        `ANTI JOIN (SELECT ${key.join(', ')} FROM (${existing})) e ON ${same}`,
    )
    changed = await commitNewRows(context, table, fresh, claims, landed)
  } finally {
    await endAll(claims)
    await connection.run(`DROP TABLE IF EXISTS ${fresh}`)
  }
  for (const partition of changed) if (await shouldMerge(partition)) await mergeFiles(context, table, partition.values)
}

/** The claim of a folder, and the partitions of it that are to be written. */
interface FolderClaim {
  claim: Claim
  partitions: Partition[]
}

/** Claims the folders of partitions, each once, and reads the partitions. When one fails, those before it are given up. */
async function claimFolders(
  { warehouseDir }: WriteContext,
  table: Table,
  partitions: readonly Partition['values'][],
): Promise<FolderClaim[]> {
  const byFolder = new Map<string, Partition['values'][]>()
  for (const values of partitions) {
    const folder = partitionFolder(warehouseDir, table, values)
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), values])
  }
  const claims: FolderClaim[] = []
  try {
    for (const [first, ...others] of byFolder.values()) {
      const claim = await claimFolder(warehouseDir, table, first!)
      claims.push({
        claim,
        partitions: [first!, ...others].map((values) => partitionIn(table, claim.folder, values)),
      })
    }
  } catch (error) {
    await endAll(claims)
    throw error
  }
  return claims
}

const endAll = (claims: readonly FolderClaim[]) => Promise.all(claims.map(({ claim }) => claim.end()))

/** SELECT of the rows of a SELECT with the day or month that is derived from an instant. */
function withFolders(table: Table, select: string): string {
  const derived = derivedPartitions(table).map(({ name, sql }) => `, ${sql} AS ${quoteName(name)}`)
  return `SELECT *${derived.join('')} FROM (${select})`
}

const partitionNames = (table: Table) => table.partition.map(({ name }) => quoteName(name)).join(', ')
const sortNames = (table: Table) => table.sort.map(quoteName).join(', ')

const stagedFolder = (table: Table, { values }: Partition) =>
  join(...table.partition.map(({ name }) => `${name}=${encodeURIComponent(values[name] ?? '')}`))

/** Writes rows, which have the columns of the partitions, to a new staging folder with one folder a partition; returns its path. */
async function stagePartitions(context: WriteContext, table: Table, select: string, options = ''): Promise<string> {
  const staging = join(context.scratchDir, `staging-${randomBytes(6).toString('hex')}`)
  await context.connection.run(
    `COPY (${select} ORDER BY ${partitionNames(table)}, ${sortNames(table)}) TO ${quoteText(staging)}
     (${PARQUET}, PARTITION_BY (${partitionNames(table)})${options})`,
  )
  return staging
}

/** The staged files of a partition; none when it has no rows, and several where DuckDB splits very many rows. */
async function stagedFiles(staging: string, table: Table, partition: Partition): Promise<string[]> {
  const folder = join(staging, stagedFolder(table, partition))
  const files = await readdir(folder).catch(() => [])
  return files.sort().map((file) => join(folder, file))
}

/** How many new rows of a partition have one `captureKey`; the other columns are the partition's. */
type NewRowCount = Record<string, unknown> & { capture: string; n: number }

const partitionKey = (table: Table, values: Record<string, unknown>) =>
  table.partition.map(({ name }) => String(values[name])).join('/')

/** SQL of `captureKey`; empty where the rows of a table name no fetch of a capture. */
function captureKeySql(table: Table): string {
  const hasCaptures = 'capture_id' in table.columns && 'fetched_at' in table.columns
  return hasCaptures ? "capture_id || ' ' || epoch_ms(fetched_at)" : "''"
}

/** Stages the new rows, then commits each partition's file; returns the partitions that got one, as they were before. */
async function commitNewRows(
  context: WriteContext,
  table: Table,
  from: string,
  claims: readonly FolderClaim[],
  landed: LandedRows,
): Promise<Partition[]> {
  const counted = await context.connection.runAndReadAll(
    `SELECT ${partitionNames(table)}, ${captureKeySql(table)} AS capture, count(*)::INTEGER AS n FROM ${from} GROUP BY ALL`,
  )
  const counts = counted.getRowObjectsJS() as unknown as NewRowCount[]
  if (counts.length === 0) return []
  const countsByPartition = new Map<string, NewRowCount[]>()
  for (const row of counts) {
    const key = partitionKey(table, row)
    countsByPartition.set(key, [...(countsByPartition.get(key) ?? []), row])
  }
  const changed: Partition[] = []
  const staging = await stagePartitions(context, table, `SELECT * FROM ${from}`)
  try {
    for (const { claim, partitions } of claims) {
      for (const partition of partitions) {
        const files = await stagedFiles(staging, table, partition)
        if (files.length === 0) continue
        await claim.commit('p', await singleFile(context, table, files), daysInName(partition.values))
        changed.push(partition)
        landed.folders.set(partition.folder, partition.values)
        for (const { capture, n } of countsByPartition.get(partitionKey(table, partition.values)) ?? []) {
          landed.rows += n
          landed.byCapture.set(capture, (landed.byCapture.get(capture) ?? 0) + n)
        }
      }
    }
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
  return changed
}

/** The one file of a staged partition; several are merged. */
async function singleFile(context: WriteContext, table: Table, files: string[]): Promise<string> {
  const [first] = files
  if (first && files.length === 1) return first
  const merged = scratchFile(context)
  await writeSorted(context, table, selectStaged(table, files), merged)
  return merged
}

const scratchFile = ({ scratchDir }: WriteContext) => join(scratchDir, `part-${randomBytes(6).toString('hex')}.parquet`)

/** Writes the stored columns of a SELECT to a file, in the order of the table. */
async function writeSorted(
  { connection }: WriteContext,
  table: Table,
  select: string,
  path: string,
  facts: FileFacts = {},
): Promise<void> {
  const columns = storedColumns(table).map(quoteName).join(', ')
  await connection.run(
    `COPY (SELECT ${columns} FROM (${select}) ORDER BY ${sortNames(table)}) TO ${quoteText(path)} (${PARQUET}${factsOption(facts)})`,
  )
}

/** Writes the rows of a SELECT as one sorted file and commits it as what replaces these days, or the partition. */
async function commitRows(
  context: WriteContext,
  table: Table,
  claim: Claim,
  select: string,
  days: DaysOfFile,
  facts: FileFacts = {},
): Promise<void> {
  const temporary = scratchFile(context)
  try {
    await writeSorted(context, table, select, temporary, facts)
    await claim.commit('c', temporary, days)
  } catch (error) {
    throw asDiskFull(error)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** A partition that is replaced, with the facts of its new content. */
export interface Replacement {
  values: Record<string, string>
  facts: FileFacts
}

/**
 * Replaces a partition's content by the rows of a SELECT, atomically; the replaced files stay until they are swept. With
 * no rows the partition becomes empty. `select` gets the SELECT of its rows as of the claim. The caller holds the write lock.
 * @throws HoldshortError WRITE_FENCED when another process took over writing; nothing was replaced.
 */
export async function replacePartition(
  context: WriteContext,
  table: Table,
  values: Record<string, string>,
  select: (current: string) => string,
  facts: FileFacts = {},
): Promise<void> {
  const claim = await claimFolder(context.warehouseDir, table, values)
  try {
    const partition = partitionIn(table, claim.folder, values)
    const rows = select(selectPartitions(table, [partition]))
    if (partition.monthFile === null) await commitRows(context, table, claim, rows, daysInName(values), facts)
    else await replaceInMonth(context, table, claim, [{ values, facts }], rows)
  } finally {
    await claim.end()
  }
}

/**
 * Replaces several partitions by the rows of one SELECT, each atomically; much faster than one by one. The rows must all
 * belong to these partitions. `select` gets the SELECT of their rows as of the claims. The caller holds the write lock.
 * @throws HoldshortError WRITE_FENCED when another process took over writing; some partitions may be replaced already.
 */
export async function replacePartitions(
  context: WriteContext,
  table: Table,
  replacements: readonly Replacement[],
  select: (current: string) => string,
): Promise<void> {
  const columns = Object.keys(table.columns).map(quoteName).join(', ')
  const facts = replacements.map(({ values, facts: own }) => factsOf(own, table, values))
  const claims = await claimFolders(
    context,
    table,
    replacements.map(({ values }) => values),
  )
  let staging = ''
  try {
    const current = selectPartitions(
      table,
      claims.flatMap(({ partitions }) => partitions),
    )
    const rows = withFolders(table, `SELECT ${columns} FROM (${select(current)})`)
    staging = await stagePartitions(context, table, rows, factsOption(Object.assign({}, ...facts)))
    const factsByPartition = new Map(replacements.map(({ values, facts: own }) => [partitionKey(table, values), own]))
    const factsFor = ({ values }: Partition) => factsByPartition.get(partitionKey(table, values)) ?? {}
    for (const { claim, partitions } of claims) {
      for (const partition of partitions.filter(({ monthFile }) => monthFile === null)) {
        const [file, ...others] = await stagedFiles(staging, table, partition)
        const days = daysInName(partition.values)
        if (file && others.length === 0) await claim.commit('c', file, days)
        // A partition without rows has no staged file, and one with very many has several.
        else {
          const rowsOfAll = selectStaged(table, file ? [file, ...others] : [])
          await commitRows(context, table, claim, rowsOfAll, days, factsFor(partition))
        }
      }
      const inMonth = partitions.filter(({ monthFile }) => monthFile !== null)
      if (inMonth.length === 0) continue
      const files = await Promise.all(inMonth.map((partition) => stagedFiles(staging, table, partition)))
      const anew = inMonth.map((partition) => ({ values: partition.values, facts: factsFor(partition) }))
      await replaceInMonth(context, table, claim, anew, selectStaged(table, files.flat()))
    }
  } catch (error) {
    throw asDiskFull(error)
  } finally {
    await endAll(claims)
    if (staging) await rm(staging, { recursive: true, force: true })
  }
}

/** SELECT of the rows of staged files. */
function selectStaged(table: Table, files: string[]): string {
  if (files.length === 0) return selectFiles(table, [])
  return `SELECT * FROM read_parquet([${files.map(quoteText).join(', ')}], hive_partitioning = false)`
}

/** Writes the file of a month anew, with other rows for some of its days. */
async function replaceInMonth(
  context: WriteContext,
  table: Table,
  claim: Claim,
  replacements: readonly Replacement[],
  rows: string,
): Promise<void> {
  const inMonth = partitionsOf(table, claim.folder).filter(({ monthFile }) => monthFile !== null)
  const days = inMonth.map(({ values }) => dayOfMonth(values)!)
  const replaced = new Set(replacements.map(({ values }) => dayOfMonth(values)!))
  const others = inMonth.filter(({ values }) => !replaced.has(dayOfMonth(values)!))
  const facts = replacements.map((replacement) =>
    newFactsInMonth(replacement.facts, table, replacement.values, randomBytes(8).toString('hex')),
  )
  await writeMonth(context, table, claim, { unchanged: others, days, rows, facts: Object.assign({}, ...facts) })
}

/** What the file of a month is made of. */
export interface MonthContent {
  /** The days whose rows stay as they are. */
  unchanged: readonly Partition[]
  /** All days of the file; what there is of them in the folder is replaced by it. */
  days: readonly number[]
  /** SELECT of the rows of its other days, and their facts. */
  rows?: string
  facts?: FileFacts
}

/** Writes the file of a month; it replaces the earlier one, and all files of its days. */
export async function writeMonth(
  context: WriteContext,
  table: Table,
  claim: Claim,
  { unchanged, days, rows, facts = {} }: MonthContent,
): Promise<void> {
  const ofUnchanged = await Promise.all(unchanged.map((partition) => factsInMonth(context, table, partition)))
  const stored = storedColumns(table).map(quoteName).join(', ')
  const selects = [selectPartitions(table, unchanged), rows ?? selectFiles(table, [])]
  const all = selects.map((select) => `SELECT ${stored} FROM (${select})`).join(' UNION ALL BY NAME ')
  await commitRows(context, table, claim, all, { month: days }, Object.assign({}, ...ofUnchanged, facts))
}
