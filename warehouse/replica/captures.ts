import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DAY_MS, isoUtc } from '../../config/domain.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { makeFolder, writeWhole } from '../storage/files.ts'
import { CAPTURE_FILE, listCaptures } from '../storage/raw-captures.ts'
import { innerPath } from './local-files.ts'
import { forEachFew } from './replica.ts'

/** Raw captures have the same path in the bucket as in the data folder: raw/source=…/date=…/<id>.gz */
const CAPTURES = 'raw/'
const DAY = /^raw\/source=[^/]+\/date=(\d{4}-\d\d-\d\d)\/([^/]+)$/

/** Uploads a stored capture. */
export async function uploadCapture(store: ObjectStore, dataDir: string, path: string): Promise<void> {
  await store.put(innerPath(dataDir, path), await readFile(path))
}

const dayIn = (key: string): string | null => {
  const [, day, name] = DAY.exec(key) ?? []
  return day !== undefined && name !== undefined && CAPTURE_FILE.test(name) ? day : null
}

/** All captures of a bucket. */
async function allCaptures(store: ObjectStore): Promise<string[]> {
  return (await store.list(CAPTURES)).map(({ key }) => key).filter((key) => dayIn(key) !== null)
}

/** Fetches captures that a folder lacks. */
async function fetchCaptures(
  store: ObjectStore,
  dataDir: string,
  missing: readonly string[],
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<void> {
  let done = 0
  await forEachFew(missing, async (path) => {
    const found = await store.get(path)
    await makeFolder(dataDir, ...path.split('/').slice(0, -1))
    // A day that was deleted since is past its age.
    if (found) await writeWhole(join(dataDir, path), found.bytes)
    done += 1
    onProgress(done, missing.length)
  })
}

const namesOf = async (dataDir: string, filter: { from?: string; to?: string } = {}) =>
  new Set((await listCaptures(dataDir, filter)).map((path) => innerPath(dataDir, path)))

/** Fetches all captures of a bucket that a folder lacks; returns how many. */
export async function fetchAllCaptures(
  store: ObjectStore,
  dataDir: string,
  onProgress: (done: number, total: number) => void,
): Promise<number> {
  const local = await namesOf(dataDir)
  const missing = (await allCaptures(store)).filter((path) => !local.has(path))
  await fetchCaptures(store, dataDir, missing, onProgress)
  return missing.length
}

/** Uploads all captures of a folder that a bucket lacks; returns how many. */
export async function uploadAllCaptures(
  store: ObjectStore,
  dataDir: string,
  onProgress: (done: number, total: number) => void,
): Promise<number> {
  const remote = new Set(await allCaptures(store))
  const missing = [...(await namesOf(dataDir))].filter((path) => !remote.has(path))
  let done = 0
  await forEachFew(missing, async (path) => {
    await uploadCapture(store, dataDir, join(dataDir, path))
    done += 1
    onProgress(done, missing.length)
  })
  return missing.length
}

/**
 * Makes a folder and a bucket have the same captures of some sources and days that nobody has landed: uploads those of a
 * process that was killed before it could, and fetches those of other machines. Returns how many it fetched.
 */
export async function exchangeCaptures(
  store: ObjectStore,
  dataDir: string,
  {
    sources,
    days,
    isLanded,
  }: { sources: readonly string[]; days: readonly string[]; isLanded: (captureId: string) => boolean },
): Promise<number> {
  const isWanted = (path: string) => dayIn(path) !== null && !isLanded(basename(path, '.gz'))
  const remote = new Set<string>()
  const prefixes = sources.flatMap((source) => days.map((day) => `${CAPTURES}source=${source}/date=${day}/`))
  await forEachFew(prefixes, async (prefix) => {
    for (const { key } of await store.list(prefix)) if (isWanted(key)) remote.add(key)
  })
  const [from, to] = [[...days].sort()[0] ?? '', [...days].sort().at(-1) ?? '']
  const local = await namesOf(dataDir, { from, to })
  await forEachFew(
    [...local].filter((path) => isWanted(path) && !remote.has(path)),
    (path) => uploadCapture(store, dataDir, join(dataDir, path)),
  )
  const missing = [...remote].filter((path) => !local.has(path))
  await fetchCaptures(store, dataDir, missing)
  return missing.length
}

/** The UTC days in which captures can be waiting to be landed: yesterday and today. */
export const recentDays = (now: number) => [isoUtc(now - DAY_MS).slice(0, 10), isoUtc(now).slice(0, 10)]

/** Deletes the captures of the bucket that are older than `days`; returns how many. */
export async function sweepCaptures(store: ObjectStore, now: number, days: number): Promise<number> {
  const oldest = isoUtc(now - days * DAY_MS).slice(0, 10)
  const old = (await store.list(CAPTURES)).map(({ key }) => key).filter((key) => (dayIn(key) ?? oldest) < oldest)
  await forEachFew(old, (key) => store.delete(key))
  return old.length
}
