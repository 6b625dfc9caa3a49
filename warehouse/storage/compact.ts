import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '../../config/domain.ts'
import type { Table } from '../tables/define.ts'
import { allTables } from '../tables/index.ts'
import { claimFolder } from './claim.ts'
import {
  dayOfMonth,
  hasDays,
  hideReplaced,
  isReplacedBy,
  listFolders,
  type Partition,
  partitionsOf,
  type TableFolder,
} from './layout.ts'
import { mergeFiles, type WriteContext, writeMonth } from './write.ts'

/** Replaced files are retained this long for readers that listed them before they were replaced and renamed. */
export const SWEEP_GRACE_MS = 600_000

/** Readings, and what is derived from them, arrive on their day or the day after it: then a day is hardly replaced any more. */
const SETTLED_DAYS = 2
/** So many days of a month are merged into its file at once, so that the file is not written anew for each day. */
const DAYS_AT_ONCE = 3

/**
 * Merges the files of each partition that has at least `minFiles` into one sorted file, by default until every partition is one
 * file; and merges the settled days of each month into one file. Returns how many files it made.
 */
export async function compactTables(context: WriteContext, minFiles = 2): Promise<number> {
  let made = 0
  for (const table of allTables) {
    const folders = await listFolders(context.warehouseDir, table)
    const listed = folders.map((folder) => ({ folder, partitions: partitionsOf(table, folder) }))
    const newest = newestDay(listed.flatMap(({ partitions }) => partitions))
    for (const { folder, partitions } of listed) {
      hideReplaced(folder)
      const many = partitions.filter(({ parts }) => parts.length >= minFiles)
      for (const { values } of many) await mergeFiles(context, table, values)
      // A day that was merged just now is derived from once more before it becomes part of the month.
      const settled = partitions.filter((day) => !many.includes(day) && isSettled(table, day, newest))
      const isOver =
        settled.length === partitions.filter(({ parts }) => parts.length > 0).length &&
        monthOf(folder) < newest.slice(0, 7)
      const isMonthMade = settled.length >= (isOver ? 1 : DAYS_AT_ONCE)
      if (isMonthMade) await mergeDays(context, table, folder, settled)
      made += many.length + Number(isMonthMade)
    }
  }
  return made
}

/** The newest of some days; empty without one. What is settled is judged by the rows, because clocks may be wrong. */
function newestDay(partitions: readonly Partition[]): string {
  const dates = partitions.map(({ values }) => values['date'] ?? '')
  return dates.sort().at(-1) ?? ''
}

/** Whether a day is one file that will hardly be replaced any more. */
const isSettled = (table: Table, { values, parts }: Partition, newest: string) =>
  hasDays(table) && parts.length === 1 && Date.parse(values['date'] ?? '') <= Date.parse(newest) - SETTLED_DAYS * DAY_MS

const monthOf = ({ values }: TableFolder) => values['month'] ?? ''

/** Merges days of a month into its file. */
async function mergeDays(
  context: WriteContext,
  table: Table,
  folder: TableFolder,
  settled: readonly Partition[],
): Promise<void> {
  const claim = await claimFolder(context.warehouseDir, table, folder.values)
  try {
    const names = new Set(settled.map(({ values }) => values['date']))
    const inMonth = partitionsOf(table, claim.folder).filter(
      ({ values, monthFile }) => monthFile !== null || names.has(values['date']),
    )
    const days = inMonth.map(({ values }) => dayOfMonth(values)!)
    await writeMonth(context, table, claim, { unchanged: inMonth, days })
  } finally {
    await claim.end()
  }
}

/** Deletes files that were replaced more than `graceMs` before `now` (epoch ms); returns how many. */
export async function sweepReplaced(context: WriteContext, now: number, graceMs = SWEEP_GRACE_MS): Promise<number> {
  let swept = 0
  for (const table of allTables) {
    for (const { folder, parts, replaced } of await listFolders(context.warehouseDir, table)) {
      if (replaced.length === 0) continue
      const written = await Promise.all(
        [...parts, ...replaced]
          .filter(({ kind }) => kind === 'c')
          .map(async (part) => ({ part, at: (await stat(join(folder, part.name))).mtimeMs })),
      )
      const old = written.filter(({ at }) => at <= now - graceMs).map(({ part }) => part)
      for (const part of replaced) {
        if (!isReplacedBy(part, old)) continue
        await rm(join(folder, part.name), { force: true })
        swept += 1
      }
    }
  }
  return swept
}
