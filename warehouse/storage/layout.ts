import { renameSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Table } from '../tables/define.ts'

/**
 * The files of a table: <warehouse>/<table>/<name>=<value>/…/{p|c}-<number>[-<days>]-<digest>.parquet
 *
 * A `p` file adds rows; a `c` file replaces all files of its partition with a number up to its own. One new `c` file so
 * replaces a partition's content, and a crash at any instant leaves either the old content or the new. The digest tells
 * whether the file is still the one that was written; files of earlier releases have none.
 *
 * A table that is divided by days has a folder for each month. A file of one day has it in its name (`d05`). The file of the
 * month holds several days (`m0000001f`: bit 0 is the first day) and replaces what was there of them with a lower number;
 * rows of these days that arrive later are in files of their day beside it.
 *
 * What was replaced is renamed at once (`….replaced`), so that whoever reads all `*.parquet` files of a folder reads what the
 * view of the table reads. It stays for a while for those who had it in their list.
 */
const PART_NAME = /^([pc])-(\d{8})(?:-d(\d\d)|-m([0-9a-f]{8}))?(?:-([0-9a-f]{16}))?/
export const PART_FILE = new RegExp(`${PART_NAME.source}\\.parquet$`)
export const REPLACED_FILE = new RegExp(`${PART_NAME.source}\\.replaced$`)

export interface PartFile {
  name: string
  kind: 'p' | 'c'
  number: number
  /** The first 16 hexadecimal digits of its SHA-256; null in files of earlier releases. */
  digest: string | null
  /** The days of the month that it has rows of, ascending; null in a table that is not divided by days. */
  days: readonly number[] | null
  /** Whether it is the file of a month; false for one that belongs to one day. */
  isMonth: boolean
}

/** The days of a file, as part of its name: a day, the days of a month's file, or neither. */
export type DaysOfFile = { day: number } | { month: readonly number[] } | null

const bitsOf = (days: readonly number[]) => days.reduce((bits, day) => bits + 2 ** (day - 1), 0)
const daysOfBits = (bits: number) =>
  Array.from({ length: 31 }, (_, k) => k + 1).filter((day) => (bits / 2 ** (day - 1)) & 1)

function daysInName(days: DaysOfFile): string {
  if (days === null) return ''
  if ('day' in days) return `-d${String(days.day).padStart(2, '0')}`
  return `-m${bitsOf(days.month).toString(16).padStart(8, '0')}`
}

export function partFileName(
  kind: PartFile['kind'],
  number: number,
  digest: PartFile['digest'],
  days: DaysOfFile = null,
): string {
  return `${kind}-${String(number).padStart(8, '0')}${daysInName(days)}${digest === null ? '' : `-${digest}`}.parquet`
}

/** Part files among the names of a folder, in order of their number; with the pattern of replaced files, those. */
export function partFiles(names: string[], pattern = PART_FILE): PartFile[] {
  const parts: PartFile[] = []
  for (const name of names) {
    const match = pattern.exec(name)
    if (!match) continue
    const [, kind, number, day, month, digest] = match
    parts.push({
      name,
      kind: kind as PartFile['kind'],
      number: Number(number),
      digest: digest ?? null,
      days: day !== undefined ? [Number(day)] : month !== undefined ? daysOfBits(Number.parseInt(month, 16)) : null,
      isMonth: month !== undefined,
    })
  }
  return parts.sort((a, b) => a.number - b.number)
}

/** Whether a `c` file holds everything that another file of its folder is about, whichever is the newer. */
function covers(file: PartFile, part: PartFile): boolean {
  if (file.isMonth && part.isMonth) return true
  if (part.isMonth) return false
  const [day] = part.days ?? []
  return day === undefined ? file.days === null : file.days?.includes(day) === true
}

/** Whether a file replaces another one of its folder. */
function replaces(file: PartFile, part: PartFile): boolean {
  if (file.kind !== 'c' || file === part || !covers(file, part)) return false
  return file.number > part.number || (file.number === part.number && part.kind === 'p' && !file.isMonth)
}

/** Whether a part was replaced by one of the files of its folder. */
export const isReplacedBy = (part: PartFile, others: readonly PartFile[]) =>
  others.some((other) => replaces(other, part))

/** Splits a folder's part files into the live ones and those that a `c` file has replaced. */
export function liveAndReplaced(parts: readonly PartFile[]): { live: PartFile[]; replaced: PartFile[] } {
  const replacing = parts.filter(({ kind }) => kind === 'c')
  const live = parts.filter((part) => !isReplacedBy(part, replacing))
  return { live, replaced: parts.filter((part) => !live.includes(part)) }
}

/** A folder of a table: a month, or a month of one value of a column. */
export interface TableFolder {
  /** Absolute. */
  folder: string
  /** e.g. {kind: 'security', month: '2026-11'} */
  values: Record<string, string>
  /** All files that a glob finds; those that were replaced among them are hidden as soon as they are seen. */
  parts: PartFile[]
  /** Files that were replaced and renamed, until they are swept. */
  replaced: PartFile[]
}

/** What is written, replaced and derived from as a whole: a day of a table, or a folder of one that is not divided by days. */
export interface Partition {
  /** Folder, absolute; the days of a month share it. */
  folder: string
  /** e.g. {kind: 'security', date: '2026-11-21'} */
  values: Record<string, string>
  /** The live files that hold rows of this partition only. */
  parts: PartFile[]
  /** The live file of the month, if it has rows of this day. */
  monthFile: PartFile | null
}

/** The path of a part file after it was replaced. */
export const replacedPath = (path: string) => path.replace(/\.parquet$/, '.replaced')

/**
 * Renames what the newest `c` files of a folder replaced, so that nobody reads it beside them. Without a pause in between: the
 * caller does it in the turn in which it commits. Whoever finds such files left by a crash may do it at any time, because what
 * was replaced stays so.
 */
export function hideReplaced({ folder, parts }: Pick<TableFolder, 'folder' | 'parts'>): void {
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

/** Whether the rows of a table are divided by days. */
export const hasDays = (table: Table) => table.partition.some(({ name }) => name === 'date')

/** The names of a table's folders, outermost first: days share the folder of their month. */
export const folderColumns = (table: Table): string[] =>
  table.partition.map(({ name }) => (name === 'date' ? 'month' : name))

/** The values of a folder by those of one of its partitions. */
function folderValues(table: Table, values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    folderColumns(table).map((name) => [
      name,
      values[name] ?? (name === 'month' ? (values['date'] ?? '').slice(0, 7) : ''),
    ]),
  )
}

/** The day of the month of a partition's values; null in a table that is not divided by days. */
export const dayOfMonth = (values: Record<string, string>): number | null =>
  values['date'] === undefined ? null : Number(values['date'].slice(8, 10))

export function partitionFolder(warehouseDir: string, table: Table, values: Record<string, string>): string {
  const names = Object.entries(folderValues(table, values)).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  )
  return join(tableFolder(warehouseDir, table), ...names)
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

/** All folders below one whose names are those columns with a value, in order. */
export async function hiveFolders(
  root: string,
  columns: readonly string[],
): Promise<{ folder: string; values: Record<string, string> }[]> {
  let level: { folder: string; values: Record<string, string> }[] = [{ folder: root, values: {} }]
  for (const name of columns) {
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
  return level
}

/** All folders of a table that exist on disk, in order. */
export async function listFolders(warehouseDir: string, table: Table): Promise<TableFolder[]> {
  const folders = await hiveFolders(tableFolder(warehouseDir, table), folderColumns(table))
  return Promise.all(folders.map(({ folder, values }) => folderAt(folder, values)))
}

async function folderAt(folder: string, values: TableFolder['values']): Promise<TableFolder> {
  const names = await namesIn(folder)
  return { folder, values, parts: partFiles(names), replaced: partFiles(names, REPLACED_FILE) }
}

/** The folder of a partition, by the values of the partition or of the folder; it need not exist. */
export function readFolder(warehouseDir: string, table: Table, values: Record<string, string>): Promise<TableFolder> {
  return folderAt(partitionFolder(warehouseDir, table, values), folderValues(table, values))
}

/** The partitions of a folder that have files, in order: its days, or itself. */
export function partitionsOf(table: Table, { folder, values, parts }: TableFolder): Partition[] {
  const { live } = liveAndReplaced(parts)
  if (!hasDays(table)) return [{ folder, values, parts: live.filter(({ days }) => days === null), monthFile: null }]
  const { month = '', ...others } = values
  const monthFile = live.find(({ isMonth }) => isMonth) ?? null
  const days = new Set(live.flatMap((part) => part.days ?? []))
  return [...days]
    .sort((a, b) => a - b)
    .map((day) => ({
      folder,
      values: { ...others, date: `${month}-${String(day).padStart(2, '0')}` },
      parts: live.filter((part) => !part.isMonth && part.days?.includes(day)),
      monthFile: monthFile?.days?.includes(day) ? monthFile : null,
    }))
}

/** The partition of a folder with these values; it need not have files. */
export function partitionIn(table: Table, folder: TableFolder, values: Record<string, string>): Partition {
  const day = dayOfMonth(values)
  const found = partitionsOf(table, folder).find((partition) => dayOfMonth(partition.values) === day)
  return found ?? { folder: folder.folder, values, parts: [], monthFile: null }
}

/** All partitions of a table that have files on disk, in order. */
export async function listPartitions(warehouseDir: string, table: Table): Promise<Partition[]> {
  return (await listFolders(warehouseDir, table)).flatMap((folder) => partitionsOf(table, folder))
}

/** One partition; it need not exist. */
export async function readPartition(
  warehouseDir: string,
  table: Table,
  values: Record<string, string>,
): Promise<Partition> {
  return partitionIn(table, await readFolder(warehouseDir, table, values), values)
}

/** The live files that hold the rows of a partition; the file of a month holds those of other days too. */
export const filesOf = ({ parts, monthFile }: Partition): PartFile[] => (monthFile ? [monthFile, ...parts] : parts)

/** Absolute paths of the live files that hold the rows of partitions, each once. */
export function livePaths(partitions: readonly Partition[]): string[] {
  return [...new Set(partitions.flatMap((partition) => pathsIn(partition.folder, filesOf(partition))))]
}

/** Absolute paths of the live files of a folder. */
export const livePathsIn = ({ folder, parts }: TableFolder): string[] => pathsIn(folder, liveAndReplaced(parts).live)

const pathsIn = (folder: string, parts: readonly PartFile[]) => parts.map(({ name }) => join(folder, name))
