import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Settings } from '../../config/settings.ts'
import { DAY_MS, utcDayOf } from '../../config/vocabulary.ts'
import type { Table } from '../tables/define.ts'
import { allTables } from '../tables/index.ts'
import { readings } from '../tables/readings.ts'
import { usedBytes } from './housekeeping.ts'
import { ownBytes, removeOwnFiles, surveyFolder } from './own-files.ts'
import { keepDerived } from './rollup.ts'
import type { Warehouse } from './warehouse.ts'
import { deleteUntil } from './write.ts'

export type RetentionClass = 'raw' | Table['retention']

/** A day of something that is kept for some time. */
interface StoredPeriod {
  /** End of the day, epoch milliseconds. */
  ends_ms: number
  bytes: number
}

interface CaptureDay extends StoredPeriod {
  /** Relative to the data folder. */
  folder: string
}

/** End of a day (YYYY-MM-DD), epoch milliseconds. */
const endOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) + DAY_MS

async function captureDays(dataDir: string): Promise<CaptureDay[]> {
  const { files } = await surveyFolder(dataDir, 'raw')
  const days: CaptureDay[] = []
  for (const folder of new Set(files.map(({ path }) => dirname(path)))) {
    const ends_ms = endOf(folder.slice(folder.indexOf('/date=') + '/date='.length))
    days.push({ folder, ends_ms, bytes: await ownBytes(dataDir, folder) })
  }
  // A folder whose name is not a day, or that has no files of ours, is not ours.
  return days.filter(({ ends_ms, bytes }) => Number.isFinite(ends_ms) && bytes > 0)
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

/** The free space of a disk. */
export interface FreeSpace {
  bytes: number
  /** Files that can still be made; null if the file system sets no limit. */
  files: number | null
}

/** The free space on the disk of a folder. */
export async function freeSpace(folder: string): Promise<FreeSpace> {
  const { bavail, bsize, files, ffree } = await statfs(folder)
  return { bytes: bavail * bsize, files: files === 0 ? null : ffree }
}

export interface RetentionReport {
  class: RetentionClass
  /** Days of captures, or rows of tables. */
  dropped: number
  bytes_freed: number
  /** Why nothing was deleted by age; null when the clock agrees with the stored days. */
  age_limit_off: string | null
}

/** Stored days must reach this close to the present, before the clock is believed, and days further apart have a gap between them. */
const MAX_GAP_DAYS = 3
/** At least this many of the days before today must hold data. */
const MIN_RECENT_DAYS = 2
/** After a gap, this many days must hold data before those on the other side of it are deleted by age. */
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
  const unbroken = ends.findIndex((end, index) => end - (ends[index + 1] ?? end) > MAX_GAP_DAYS * DAY_MS) + 1
  if (unbroken === 0 || unbroken >= MIN_DAYS_AFTER_GAP) return null
  return doubt(
    `only ${unbroken} days hold data since a gap that began ${new Date(ends[unbroken] ?? now).toISOString()}, and ${MIN_DAYS_AFTER_GAP} are needed`,
  )
}

/** The last day (YYYY-MM-DD) whose rows are deleted by age: a day goes once it has ended longer ago than the limit of its class. */
export const lastDateDeleted = (settings: Settings, retention: Table['retention'], now: number): string =>
  utcDayOf(now - (settings[`${retention}_days`] + 1) * DAY_MS - 1)

/** The rows that go first when the file exceeds its limit: those that are large and summarised by others. */
const DELETED_FIRST = ['readings', 'forecasts', 'rollups'] as const satisfies readonly Table['retention'][]

const tablesOf = (retention: Table['retention']) => allTables.filter((table) => table.retention === retention)

/** Deletes the rows of tables up to a day, that day included; returns how many. */
async function deleteRows(warehouse: Warehouse, tables: readonly Table[], lastDate: string): Promise<number> {
  let rows = 0
  for (const table of tables)
    rows += await warehouse.write(async (context) => {
      if (table === readings) await keepDerived(context, lastDate)
      return deleteUntil(context, table, lastDate)
    })
  return rows
}

/** Deletes the oldest days of one class after another until the file is not larger than its limit; returns rows by class. */
async function deleteOverflow(warehouse: Warehouse, maxBytes: number): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {}
  for (const retention of DELETED_FIRST) {
    const tables = tablesOf(retention)
    for (;;) {
      const used = await usedBytes(warehouse)
      if (used === null || used <= maxBytes) return deleted
      const days = await Promise.all(tables.map((table) => warehouse.dayChanges(table)))
      const dates = [...new Set(days.flat().map(({ date }) => date))].sort()
      const spare = dates.length - MIN_RECENT_DAYS
      if (spare <= 0) break
      const count = Math.min(spare, Math.max(1, Math.floor((dates.length * (used - maxBytes)) / used)))
      deleted[retention] = (deleted[retention] ?? 0) + (await deleteRows(warehouse, tables, dates[count - 1]!))
      await warehouse.checkpoint()
    }
  }
  return deleted
}

/**
 * Deletes what exceeds the age of its class, then the oldest captures and rows until both are within their bytes. It deletes
 * nothing by age while the stored days cast doubt on the clock, and nothing because other files have filled the disk.
 */
export async function applyRetention(
  warehouse: Warehouse,
  settings: Settings,
  now: number,
): Promise<RetentionReport[]> {
  const captures = await captureDays(settings.data_dir)
  const read = (await warehouse.dayChanges(readings)).map(({ date }) => ({ ends_ms: endOf(date) }))
  const doubt = clockDoubt([...captures, ...read], now)
  const limitOf = (days: number) => (doubt === null ? days : Number.POSITIVE_INFINITY)
  const dropped = periodsToDrop(captures, now, limitOf(settings.raw_days), settings.raw_bytes)
  for (const { folder } of dropped) await removeOwnFiles(settings.data_dir, folder)
  const reports: RetentionReport[] = [
    {
      class: 'raw',
      dropped: dropped.length,
      bytes_freed: dropped.reduce((sum, { bytes }) => sum + bytes, 0),
      age_limit_off: doubt,
    },
  ]
  const before = await usedBytes(warehouse)
  const byAge: Record<string, number> = {}
  if (doubt === null)
    for (const retention of DELETED_FIRST) {
      const lastDate = lastDateDeleted(settings, retention, now)
      byAge[retention] = await deleteRows(warehouse, tablesOf(retention), lastDate)
    }
  await warehouse.checkpoint()
  const bySize = await deleteOverflow(warehouse, settings.warehouse_bytes)
  const freed = Math.max(0, (before ?? 0) - ((await usedBytes(warehouse)) ?? 0))
  for (const retention of DELETED_FIRST)
    reports.push({
      class: retention,
      dropped: (byAge[retention] ?? 0) + (bySize[retention] ?? 0),
      bytes_freed: retention === 'readings' ? freed : 0,
      age_limit_off: doubt,
    })
  return reports
}
