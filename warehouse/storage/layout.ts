import { renameSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Table } from '../tables/define.ts'

/**
 * The files of a table: <warehouse>/<table>/<name>=<value>/…/{p|c}-<number>-<digest>.parquet
 *
 * A `p` file adds rows; a `c` file replaces all files of its folder with a number up to its own. One new `c` file so
 * replaces a folder's content, and a crash at any instant leaves either the old content or the new. The digest tells
 * whether the file is still the one that was written; files of earlier releases have none.
 *
 * What was replaced is renamed at once (`….replaced`), so that whoever reads all `*.parquet` files of a folder reads what the
 * view of the table reads. It stays for a while for those who had it in their list.
 */
export const PART_FILE = /^([pc])-(\d{8})(?:-([0-9a-f]{16}))?\.parquet$/
export const REPLACED_FILE = /^([pc])-(\d{8})(?:-([0-9a-f]{16}))?\.replaced$/

export interface PartFile {
  name: string
  kind: 'p' | 'c'
  number: number
  /** The first 16 hexadecimal digits of its SHA-256; null in files of earlier releases. */
  digest: string | null
}

export function partFileName(kind: PartFile['kind'], number: number, digest: PartFile['digest']): string {
  return `${kind}-${String(number).padStart(8, '0')}${digest === null ? '' : `-${digest}`}.parquet`
}

/** Part files among the names of a folder, in order of their number; with the pattern of replaced files, those. */
export function partFiles(names: string[], pattern = PART_FILE): PartFile[] {
  const parts: PartFile[] = []
  for (const name of names) {
    const match = pattern.exec(name)
    if (match) parts.push({ name, kind: match[1] as 'p' | 'c', number: Number(match[2]), digest: match[3] ?? null })
  }
  return parts.sort((a, b) => a.number - b.number)
}

/** Splits a folder's part files into the live ones and those that a `c` file has replaced. */
export function liveAndReplaced(parts: PartFile[]): { live: PartFile[]; replaced: PartFile[] } {
  const base = Math.max(0, ...parts.filter((part) => part.kind === 'c').map((part) => part.number))
  const isLive = (part: PartFile) => part.number > base || (part.kind === 'c' && part.number === base)
  return { live: parts.filter(isLive), replaced: parts.filter((part) => !isLive(part)) }
}

export interface Partition {
  /** Folder, absolute. */
  folder: string
  /** e.g. {kind: 'security', date: '2026-11-21'} */
  values: Record<string, string>
  parts: PartFile[]
  /** Files that were replaced and renamed, until they are swept. */
  replaced: PartFile[]
}

/** The path of a part file after it was replaced. */
export const replacedPath = (path: string) => path.replace(/\.parquet$/, '.replaced')

/**
 * Renames what a folder's newest `c` file replaced, so that nobody reads it beside that file. Without a pause in between: the
 * caller does it in the turn in which it commits. Whoever finds such files left by a crash may do it at any time, because what
 * was replaced stays so.
 */
export function hideReplaced({ folder, parts }: Pick<Partition, 'folder' | 'parts'>): void {
  for (const { name } of liveAndReplaced(parts).replaced) {
    try {
      renameSync(join(folder, name), replacedPath(join(folder, name)))
    } catch {
      // Another process was faster, or the disk can only be read: its readers use the views.
    }
  }
}

export function tableFolder(warehouseDir: string, table: Table): string {
  return join(warehouseDir, table.name)
}

export function partitionFolder(warehouseDir: string, table: Table, values: Record<string, string>): string {
  return join(
    tableFolder(warehouseDir, table),
    ...table.partition.map(({ name }) => `${name}=${encodeURIComponent(values[name] ?? '')}`),
  )
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

function decodedValue(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** All partitions of a table that exist on disk, in order of their folders. */
export async function listPartitions(warehouseDir: string, table: Table): Promise<Partition[]> {
  let level: { folder: string; values: Record<string, string> }[] = [
    { folder: tableFolder(warehouseDir, table), values: {} },
  ]
  for (const { name } of table.partition) {
    const nextLevel: typeof level = []
    for (const { folder, values } of level) {
      for (const entry of (await namesIn(folder)).sort()) {
        if (!entry.startsWith(`${name}=`)) continue
        const value = decodedValue(entry.slice(name.length + 1))
        // A folder that a person made is no partition.
        if (value === null) continue
        nextLevel.push({ folder: join(folder, entry), values: { ...values, [name]: value } })
      }
    }
    level = nextLevel
  }
  return Promise.all(level.map(async ({ folder, values }) => partitionOf(folder, values, await namesIn(folder))))
}

function partitionOf(folder: string, values: Partition['values'], names: string[]): Partition {
  return { folder, values, parts: partFiles(names), replaced: partFiles(names, REPLACED_FILE) }
}

/** One partition; it need not exist. */
export async function readPartition(
  warehouseDir: string,
  table: Table,
  values: Record<string, string>,
): Promise<Partition> {
  const folder = partitionFolder(warehouseDir, table, values)
  return partitionOf(folder, values, await namesIn(folder))
}

/** Absolute paths of the live files. */
export function livePaths(partition: Partition): string[] {
  return liveAndReplaced(partition.parts).live.map((part) => join(partition.folder, part.name))
}
