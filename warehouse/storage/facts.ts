import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { LRUCache } from 'lru-cache'
import type { Table } from '../tables/define.ts'
import { filesOf, type Partition, partFileName } from './layout.ts'
import { quoteText } from './sql.ts'

/** Facts about how a file was made, stored in its Parquet metadata. */
export type FileFacts = Record<string, string>

/** The option of COPY that stores facts in the files. */
export function factsOption(facts: FileFacts): string {
  const pairs = Object.entries(facts).map(([name, value]) => `${quoteText(name)}: ${quoteText(value)}`)
  return pairs.length > 0 ? `, KV_METADATA {${pairs.join(', ')}}` : ''
}

/** What ends the names of a partition's facts in a file that holds several partitions, or was written with their files. */
const suffixOf = (table: Table, values: Record<string, string>) =>
  `@${table.partition.map(({ name }) => values[name]).join('/')}`

/** The facts of a partition, named for a file that holds several or was written with theirs. */
export function factsOf(facts: FileFacts, table: Table, values: Record<string, string>): FileFacts {
  const suffix = suffixOf(table, values)
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name + suffix, value]))
}

/** The facts that files were written with, by path; empty for files without any. Files never change, so they are cached. */
const knownFacts = new LRUCache<string, FileFacts>({ max: 20_000 })

/** Reads the facts of files. */
export async function readFileFacts(
  { connection }: { connection: DuckDBConnection },
  paths: string[],
): Promise<Map<string, FileFacts>> {
  const unknown = paths.filter((path) => !knownFacts.has(path))
  if (unknown.length > 0) {
    const reader = await connection.runAndReadAll(
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

/**
 * The facts of a partition that is one file, or that is wholly in the file of its month; none for a partition of several files,
 * because what was derived from one of them is not derived from all.
 */
export async function partitionFacts(
  context: { connection: DuckDBConnection },
  table: Table,
  partition: Partition,
): Promise<FileFacts> {
  const [file, ...others] = filesOf(partition)
  if (!file || others.length > 0) return {}
  const path = join(partition.folder, file.name)
  const all = (await readFileFacts(context, [path])).get(path) ?? {}
  const suffix = suffixOf(table, partition.values)
  const own = Object.entries(all).flatMap(([name, value]): [string, string][] => {
    if (name.endsWith(suffix)) return [[name.slice(0, -suffix.length), value]]
    return name.includes('@') ? [] : [[name, value]]
  })
  return Object.fromEntries(own)
}

/** The name of the fact of a month's file that says what a day's content was before it became part of it. */
const CONTENT = 'content'

const digestOf = (names: readonly string[]) => createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 16)

/**
 * A digest of a partition's live files: what is derived from the partition is current while this stays the same. It also stays
 * the same when a day becomes part of the file of its month.
 */
export async function contentDigest(
  context: { connection: DuckDBConnection },
  table: Table,
  partition: Partition,
): Promise<string> {
  const names = partition.parts.map(({ kind, number, digest }) => partFileName(kind, number, digest))
  if (partition.monthFile === null) return digestOf(names)
  const inMonth = await partitionFacts(context, table, { ...partition, parts: [] })
  const content = inMonth[CONTENT] ?? basename(partition.monthFile.name)
  return names.length === 0 ? content : digestOf([content, ...names])
}

/** The facts of a partition for the file of the month that it becomes part of, as it is. */
export async function factsInMonth(
  context: { connection: DuckDBConnection },
  table: Table,
  partition: Partition,
): Promise<FileFacts> {
  const facts = {
    ...(await partitionFacts(context, table, partition)),
    [CONTENT]: await contentDigest(context, table, partition),
  }
  return factsOf(facts, table, partition.values)
}

/** The facts of a day that is written anew into the file of its month. */
export const newFactsInMonth = (
  facts: FileFacts,
  table: Table,
  values: Record<string, string>,
  content: string,
): FileFacts => factsOf({ ...facts, [CONTENT]: content }, table, values)
