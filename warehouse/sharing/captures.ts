import { readFile } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { DAY_MS, utcDayOf } from '../../config/vocabulary.ts'
import type { ObjectStore } from '../objects/s3.ts'
import { makeFolder, writeWhole } from '../storage/files.ts'
import { CAPTURE_FILE, listCaptures } from '../storage/raw-captures.ts'
import { forEachFew } from './published-files.ts'

/** Raw captures have the same path in the bucket as in the data folder: raw/source=…/date=…/<id>.gz */
const CAPTURES = 'raw/'
const DAY = /^raw\/source=[^/]+\/date=(\d{4}-\d\d-\d\d)\/([^/]+)$/

const innerPath = (dataDir: string, path: string) => relative(dataDir, path).split(sep).join('/')

/** Uploads a stored capture. */
export async function uploadCapture(store: ObjectStore, dataDir: string, path: string): Promise<void> {
  await store.put(innerPath(dataDir, path), await readFile(path))
}

const dayIn = (key: string): string | null => {
  const [, day, name] = DAY.exec(key) ?? []
  return day !== undefined && name !== undefined && CAPTURE_FILE.test(name) ? day : null
}

/** The captures to exchange: those of some sources and days that are not excluded. */
export interface CaptureFilter {
  sources: readonly string[]
  days: readonly string[]
  isExcluded?: (captureId: string) => boolean
}

/**
 * Makes a folder and a bucket have the same captures: uploads those of a process that was killed before it could, and fetches those
 * of other machines. Returns how many it fetched.
 */
export async function exchangeCaptures(
  store: ObjectStore,
  dataDir: string,
  { sources, days, isExcluded = () => false }: CaptureFilter,
): Promise<number> {
  const isWanted = (path: string) => dayIn(path) !== null && !isExcluded(basename(path, '.gz'))
  const remote = new Set<string>()
  const prefixes = sources.flatMap((source) => days.map((day) => `${CAPTURES}source=${source}/date=${day}/`))
  await forEachFew(prefixes, async (prefix) => {
    for (const { key } of await store.list(prefix)) if (isWanted(key)) remote.add(key)
  })
  const sorted = [...days].sort()
  const found = await listCaptures(dataDir, { from: sorted[0] ?? '', to: sorted.at(-1) ?? '' })
  const local = new Set(found.map((path) => innerPath(dataDir, path)))
  await forEachFew(
    [...local].filter((path) => isWanted(path) && !remote.has(path)),
    (path) => uploadCapture(store, dataDir, join(dataDir, path)),
  )
  const missing = [...remote].filter((path) => !local.has(path))
  await forEachFew(missing, async (path) => {
    const bytes = await store.get(path)
    await makeFolder(dataDir, ...path.split('/').slice(0, -1))
    // A day that was deleted since is past its age.
    if (bytes) await writeWhole(join(dataDir, path), bytes)
  })
  return missing.length
}

/** The UTC days in which captures can be waiting to be landed: yesterday and today. */
export const recentDays = (now: number) => [utcDayOf(now - DAY_MS), utcDayOf(now)]

/** Deletes the captures of the bucket that are older than `days`; returns how many. */
export async function sweepCaptures(store: ObjectStore, now: number, days: number): Promise<number> {
  const oldest = utcDayOf(now - days * DAY_MS)
  const old = (await store.list(CAPTURES)).map(({ key }) => key).filter((key) => (dayIn(key) ?? oldest) < oldest)
  await forEachFew(old, (key) => store.delete(key))
  return old.length
}
