import { rm, stat, statfs } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { DAY_MS } from '../../config/domain.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import type { Table } from '../tables/define.ts'
import { allTables } from '../tables/index.ts'
import { claimFolder } from './claim.ts'
import { dayKey, type FolderDay, folderDay, unfinishedDays, WHOLE_FOLDER, writeDropped } from './incomplete-days.ts'
import { dayOfMonth, listFolders, type Partition, partitionsOf, readFolder, type TableFolder } from './layout.ts'
import { ownBytes, removeOwnFiles, surveyFolder } from './own-files.ts'
import { type WriteContext, writeMonth } from './write.ts'

export type RetentionClass = 'raw' | 'readings' | 'rollups' | 'forecasts'

/** What is deleted as a whole: a day, or a month of what is not divided by days. */
interface StoredPeriod {
  /** Relative to the data folder. */
  folder: string
  /** End of the day or month, epoch milliseconds. */
  ends_ms: number
  bytes: number
  /** Where the folder holds further days: which one this is. */
  day: { table: Table; values: Partition['values'] } | null
}

/** End of a day (YYYY-MM-DD) or month (YYYY-MM), epoch milliseconds. */
function endOf(period: string): number {
  if (period.length === 10) return Date.parse(`${period}T00:00:00Z`) + DAY_MS
  const [year, month] = period.split('-').map(Number)
  return Date.UTC(year ?? 0, month ?? 0, 1)
}

/** A period whose name is not a day or month, or that has no files, is not ours. */
const isOurs = ({ ends_ms, bytes }: StoredPeriod) => Number.isFinite(ends_ms) && bytes > 0

async function rawDays(dataDir: string): Promise<StoredPeriod[]> {
  const { files } = await surveyFolder(dataDir, 'raw')
  const periods: StoredPeriod[] = []
  for (const folder of new Set(files.map(({ path }) => dirname(path)))) {
    const ends_ms = endOf(folder.slice(folder.indexOf('/date=') + '/date='.length))
    periods.push({ folder, ends_ms, bytes: await ownBytes(dataDir, folder), day: null })
  }
  return periods.filter(isOurs)
}

async function tablePeriods(dataDir: string, retentionClass: RetentionClass): Promise<StoredPeriod[]> {
  const periods: StoredPeriod[] = []
  for (const table of allTables)
    if (table.retention === retentionClass)
      for (const folder of await listFolders(dataPaths(dataDir).warehouse, table))
        periods.push(...(await periodsOf(dataDir, table, folder)))
  return periods.filter(isOurs)
}

/** The days of a folder, each with its own files and an equal share of those that hold several days. */
async function periodsOf(dataDir: string, table: Table, tableFolder: TableFolder): Promise<StoredPeriod[]> {
  const folder = relative(dataDir, tableFolder.folder)
  const partitions = partitionsOf(table, tableFolder)
  const bytes = await ownBytes(dataDir, folder)
  const own = await Promise.all(
    partitions.map(async ({ parts }) => {
      const sizes = parts.map(({ name }) => stat(join(tableFolder.folder, name)).then(({ size }) => size))
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    }),
  )
  const shared = bytes - own.reduce((sum, size) => sum + size, 0)
  return partitions.map(({ values }, index) => ({
    folder,
    ends_ms: endOf(values['date'] ?? values['month'] ?? ''),
    bytes: own[index]! + shared / partitions.length,
    day: values['date'] === undefined ? null : { table, values },
  }))
}

/** The periods to delete: those older than `days`, then the oldest until the rest fits into `maxBytes`. */
export function periodsToDrop<P extends Pick<StoredPeriod, 'ends_ms' | 'bytes'>>(
  periods: readonly P[],
  now: number,
  days: number,
  maxBytes: number,
): P[] {
  const oldestFirst = [...periods].sort((a, b) => a.ends_ms - b.ends_ms)
  let bytes = periods.reduce((sum, period) => sum + period.bytes, 0)
  const drop: P[] = []
  for (const period of oldestFirst) {
    if (period.ends_ms >= now - days * DAY_MS && bytes <= maxBytes) break
    drop.push(period)
    bytes -= period.bytes
  }
  return drop
}

/** Deletes some days of a folder that holds others too. Those in the file of the month go by writing that file anew. */
async function dropDays(context: WriteContext, days: readonly NonNullable<StoredPeriod['day']>[]): Promise<void> {
  const [{ table, values }] = days as [NonNullable<StoredPeriod['day']>]
  const dates = new Set(days.map((day) => day.values['date']))
  const claim = await claimFolder(context.warehouseDir, table, values)
  try {
    const inMonth = partitionsOf(table, claim.folder).filter(({ monthFile }) => monthFile !== null)
    const unchanged = inMonth.filter((day) => !dates.has(day.values['date']))
    if (unchanged.length < inMonth.length)
      await writeMonth(context, table, claim, { unchanged, days: unchanged.map((day) => dayOfMonth(day.values)!) })
  } finally {
    await claim.end()
  }
  const { folder, parts, replaced } = await readFolder(context.warehouseDir, table, values)
  const dropped = new Set(days.map((day) => dayOfMonth(day.values)))
  const own = parts.filter((part) => !part.isMonth && part.days?.some((day) => dropped.has(day)))
  for (const { name } of [...own, ...replaced]) await rm(join(folder, name), { force: true })
}

/** Free bytes on the disk of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const disk = await statfs(folder)
  return disk.bavail * disk.bsize
}

export interface RetentionReport {
  class: RetentionClass
  dropped: number
  bytes_freed: number
  /** Why nothing was deleted by age; null when the clock agrees with the stored days. */
  age_limit_off: string | null
}

/** Stored days must reach this close to the present, before the clock is believed, and days further apart have a gap between them. */
const MAX_GAP_DAYS = 3
/** At least this many of the days before today must hold data. */
const MIN_RECENT_DAYS = 2
/** After a gap, so many days must hold data before those on the other side of it are deleted by age. */
const MIN_DAYS_AFTER_GAP = 14

/**
 * Why `now` must not be used to delete old days: null when the days just before it hold data, and so did all days back to the
 * oldest, or for two weeks. A clock that was set years ahead would otherwise delete everything, as soon as it had made a few
 * days of its own; and whoever did not run the service for a while keeps old days two weeks longer.
 */
export function clockDoubt(periods: readonly Pick<StoredPeriod, 'ends_ms'>[], now: number): string | null {
  if (periods.length === 0) return null
  const today = Math.floor(now / DAY_MS) * DAY_MS
  const ends = [...new Set(periods.map(({ ends_ms }) => ends_ms))].filter((end) => end <= today).sort((a, b) => b - a)
  const doubt = (reason: string) =>
    `the clock says ${new Date(now).toISOString()}, but ${reason}; old days are deleted by age again when the last days hold data`
  const recent = ends.filter((end) => end > today - MAX_GAP_DAYS * DAY_MS)
  if (recent.length < MIN_RECENT_DAYS) {
    const [newest] = ends
    return doubt(
      newest === undefined
        ? 'there is no complete day before it'
        : `the newest complete day before it ended ${new Date(newest).toISOString()}`,
    )
  }
  const unbroken = ends.findIndex((end, at) => end - (ends[at + 1] ?? end) > MAX_GAP_DAYS * DAY_MS) + 1
  if (unbroken === 0 || unbroken >= MIN_DAYS_AFTER_GAP) return null
  return doubt(
    `only ${unbroken} days hold data since a gap that began ${new Date(ends[unbroken] ?? now).toISOString()}, and ${MIN_DAYS_AFTER_GAP} are needed`,
  )
}

/**
 * Deletes days that exceed the age or the bytes of their retention class, oldest days first. When the disk has less than
 * `min_free_bytes` left, raw captures are deleted until that much is free. Nothing is deleted by age while the stored
 * days give reason to doubt the clock. What is deleted is listed before, so that nothing is derived from a part of it when
 * this is killed in between (see `incomplete-days.ts`). `onDropped` is called with each folder before. The caller holds the
 * write lock.
 */
export async function applyRetention(
  context: WriteContext,
  settings: Settings,
  now: number,
  onDropped: (folder: string) => void = () => undefined,
): Promise<RetentionReport[]> {
  const reports: RetentionReport[] = []
  const byClass = {
    raw: await rawDays(settings.data_dir),
    readings: await tablePeriods(settings.data_dir, 'readings'),
    rollups: await tablePeriods(settings.data_dir, 'rollups'),
    forecasts: await tablePeriods(settings.data_dir, 'forecasts'),
  }
  const doubt = clockDoubt([...byClass.raw, ...byClass.readings], now)
  const { warehouseDir } = context
  // What a killed process was deleting is deleted to its end, whatever the limits and the clock say now.
  const unfinished = new Set((await unfinishedDays(warehouseDir)).map(dayKey))
  const dayOf = ({ folder, day }: StoredPeriod): FolderDay =>
    day === null
      ? { folder: relative(warehouseDir, join(settings.data_dir, folder)), day: WHOLE_FOLDER }
      : folderDay(warehouseDir, day.table, day.values)
  const isUnfinished = (period: StoredPeriod) => unfinished.has(dayKey(dayOf(period)))
  const dropped: FolderDay[] = []
  for (const name of ['raw', 'readings', 'rollups', 'forecasts'] as const) {
    const periods = byClass[name]
    let limit = settings[`${name}_bytes`]
    if (name === 'raw') {
      const missing = settings.min_free_bytes - (await freeBytes(settings.data_dir))
      const rawBytes = periods.reduce((sum, period) => sum + period.bytes, 0)
      if (missing > 0) limit = Math.min(limit, Math.max(0, rawBytes - missing))
    }
    const days = doubt === null ? settings[`${name}_days`] : Number.POSITIVE_INFINITY
    const exceeding = new Set(periodsToDrop(periods, now, days, limit))
    const drop = periods.filter((period) => exceeding.has(period) || isUnfinished(period))
    if (name !== 'raw' && drop.length > 0) {
      dropped.push(...drop.map(dayOf))
      await writeDropped(warehouseDir, dropped, false)
    }
    for (const folder of new Set(drop.map((period) => period.folder))) {
      onDropped(folder)
      const dropped = drop.filter((period) => period.folder === folder)
      const isWhole = dropped.length === periods.filter((period) => period.folder === folder).length
      if (isWhole) await removeOwnFiles(settings.data_dir, folder)
      else
        await dropDays(
          context,
          dropped.flatMap(({ day }) => day ?? []),
        )
    }
    const bytes_freed = drop.reduce((sum, { bytes }) => sum + bytes, 0)
    reports.push({ class: name, dropped: drop.length, bytes_freed, age_limit_off: doubt })
  }
  if (dropped.length > 0 || unfinished.size > 0) await writeDropped(warehouseDir, dropped, true)
  return reports
}
