import { basename, dirname, join, relative } from 'node:path'
import { z } from 'zod'
import type { Table } from '../tables/define.ts'
import { writeWhole } from './files.ts'
import { dayOfMonth, partFiles, partitionFolder } from './layout.ts'
import { readOrdinaryText } from './ordinary-file.ts'
import { quarantinedFiles } from './quarantined.ts'

/** A day of a folder of the warehouse, by its number in the month, or the whole folder. */
export interface FolderDay {
  /** Relative to the warehouse. */
  folder: string
  day: number
}

/** In place of a day: the folder is not divided by days. */
export const WHOLE_FOLDER = 0

const Dropped = z.strictObject({
  days: z.array(z.strictObject({ folder: z.string(), day: z.int() })),
  /** Whether all of them are deleted. */
  is_done: z.boolean(),
})

/**
 * The last days that retention deleted. The list is written before it begins: who is killed in between leaves days of which some files
 * are gone. It stays afterwards, so that nobody takes the files for lost who had verified them.
 */
const listPath = (warehouseDir: string) => join(warehouseDir, 'dropped.json')

/** The days that retention deleted last; without a readable list there are none. */
export async function readDropped(warehouseDir: string): Promise<z.infer<typeof Dropped>> {
  try {
    return Dropped.parse(JSON.parse(await readOrdinaryText(listPath(warehouseDir))))
  } catch {
    return { days: [], is_done: true }
  }
}

/** The days that retention has begun to delete and not finished. */
export async function unfinishedDays(warehouseDir: string): Promise<FolderDay[]> {
  const { days, is_done } = await readDropped(warehouseDir)
  return is_done ? [] : days
}

/** Says that retention begins to delete days, or has deleted them. */
export const writeDropped = (warehouseDir: string, days: readonly FolderDay[], is_done: boolean): Promise<void> =>
  writeWhole(listPath(warehouseDir), JSON.stringify({ days, is_done }))

export const folderDay = (warehouseDir: string, table: Table, values: Record<string, string>): FolderDay => ({
  folder: relative(warehouseDir, partitionFolder(warehouseDir, table, values)),
  day: dayOfMonth(values) ?? WHOLE_FOLDER,
})

/** The text by which days are compared. */
export const dayKey = ({ folder, day }: FolderDay): string => `${folder} ${day}`

/**
 * Tells the days of which some rows are gone, because a file of them is in quarantine or retention was killed while it deleted them:
 * what was derived from all of their rows is not to be derived from the rest.
 */
export async function incompleteDays(
  warehouseDir: string,
): Promise<(table: Table, values: Record<string, string>) => boolean> {
  const quarantined = (await quarantinedFiles(dirname(warehouseDir))).flatMap((path) => {
    const [part] = partFiles([basename(path)])
    // The file of a table that is not divided by days has none.
    return (part?.days ?? []).map((day) => dayKey({ folder: dirname(path), day }))
  })
  const keys = new Set([...quarantined, ...(await unfinishedDays(warehouseDir)).map(dayKey)])
  return (table, values) => keys.size > 0 && keys.has(dayKey(folderDay(warehouseDir, table, values)))
}
