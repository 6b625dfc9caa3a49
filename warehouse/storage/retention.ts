import { statfs } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { DAY_MS } from '../../config/domain.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { allTables } from '../tables/index.ts'
import { listPartitions } from './layout.ts'
import { ownBytes, removeOwnFiles, surveyFolder } from './own-files.ts'

export type RetentionClass = 'raw' | 'readings' | 'rollups' | 'forecasts'

interface DayFolder {
  /** Relative to the data folder. */
  folder: string
  /** End of the day or month, epoch milliseconds. */
  ends_ms: number
  bytes: number
}

/** End of a day (YYYY-MM-DD) or month (YYYY-MM), epoch milliseconds. */
function endOf(period: string): number {
  if (period.length === 10) return Date.parse(`${period}T00:00:00Z`) + DAY_MS
  const [year, month] = period.split('-').map(Number)
  return Date.UTC(year ?? 0, month ?? 0, 1)
}

/** The folders that hold files of ours, with the end of their day or month; a folder of any other name is not ours. */
async function dayFolders(dataDir: string, periods: Map<string, string>): Promise<DayFolder[]> {
  const folders: DayFolder[] = []
  for (const [folder, period] of periods) {
    const ends_ms = endOf(period)
    const bytes = await ownBytes(dataDir, folder)
    if (Number.isFinite(ends_ms) && bytes > 0) folders.push({ folder, ends_ms, bytes })
  }
  return folders
}

async function rawFolders(dataDir: string): Promise<DayFolder[]> {
  const { files } = await surveyFolder(dataDir, 'raw')
  const days = files.map(({ path }) => dirname(path))
  return dayFolders(dataDir, new Map(days.map((day) => [day, day.slice(day.indexOf('/date=') + '/date='.length)])))
}

async function tableFolders(dataDir: string, retentionClass: RetentionClass): Promise<DayFolder[]> {
  const { warehouse } = dataPaths(dataDir)
  const periods = new Map<string, string>()
  for (const table of allTables) {
    if (table.retention !== retentionClass) continue
    for (const { folder, values } of await listPartitions(warehouse, table))
      periods.set(relative(dataDir, folder), values['date'] ?? values['month'] ?? '')
  }
  return dayFolders(dataDir, periods)
}

/** The folders to delete: those older than `days`, then the oldest until the rest fits into `maxBytes`. */
export function foldersToDrop(folders: DayFolder[], now: number, days: number, maxBytes: number): DayFolder[] {
  const oldestFirst = [...folders].sort((a, b) => a.ends_ms - b.ends_ms)
  let bytes = folders.reduce((sum, folder) => sum + folder.bytes, 0)
  const drop: DayFolder[] = []
  for (const folder of oldestFirst) {
    if (folder.ends_ms >= now - days * DAY_MS && bytes <= maxBytes) break
    drop.push(folder)
    bytes -= folder.bytes
  }
  return drop
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
export function clockDoubt(folders: readonly Pick<DayFolder, 'ends_ms'>[], now: number): string | null {
  if (folders.length === 0) return null
  const today = Math.floor(now / DAY_MS) * DAY_MS
  const ends = [...new Set(folders.map(({ ends_ms }) => ends_ms))].filter((end) => end <= today).sort((a, b) => b - a)
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
 * days give reason to doubt the clock. `onDropped` is called with each folder before. The caller holds the write lock.
 */
export async function applyRetention(
  settings: Settings,
  now: number,
  onDropped: (folder: string) => void = () => undefined,
): Promise<RetentionReport[]> {
  const reports: RetentionReport[] = []
  const byClass = {
    raw: await rawFolders(settings.data_dir),
    readings: await tableFolders(settings.data_dir, 'readings'),
    rollups: await tableFolders(settings.data_dir, 'rollups'),
    forecasts: await tableFolders(settings.data_dir, 'forecasts'),
  }
  const doubt = clockDoubt([...byClass.raw, ...byClass.readings], now)
  for (const name of ['raw', 'readings', 'rollups', 'forecasts'] as const) {
    const folders = byClass[name]
    let limit = settings[`${name}_bytes`]
    if (name === 'raw') {
      const missing = settings.min_free_bytes - (await freeBytes(settings.data_dir))
      const rawBytes = folders.reduce((sum, folder) => sum + folder.bytes, 0)
      if (missing > 0) limit = Math.min(limit, Math.max(0, rawBytes - missing))
    }
    const days = doubt === null ? settings[`${name}_days`] : Number.POSITIVE_INFINITY
    const drop = foldersToDrop(folders, now, days, limit)
    for (const { folder } of drop) {
      onDropped(folder)
      await removeOwnFiles(settings.data_dir, folder)
    }
    const bytes_freed = drop.reduce((sum, { bytes }) => sum + bytes, 0)
    reports.push({ class: name, dropped: drop.length, bytes_freed, age_limit_off: doubt })
  }
  return reports
}
