import { accessSync, constants, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'libsql'
import { z } from 'zod'
import { HoldshortError } from '../../config/errors.ts'
import { keepOwner, makeFolder } from './files.ts'
import { readOrdinaryText } from './ordinary-file.ts'

/**
 * Locks between processes: SQLite locks an empty file, and the kernel frees it when the process ends, however it ends. No clock
 * and no process id decides. A file beside it names the holder for people; nothing else depends on that file. No other code of
 * this process may open a lock file: closing it would end SQLite's lock.
 */
const LockHolder = z.object({
  pid: z.int(),
  host: z.string(),
  /** The command of the process, e.g. `holdshort import`. */
  command: z.string(),
  /** When it took the lock, by its own clock. */
  since: z.string(),
})
export type LockHolder = z.infer<typeof LockHolder>

export interface FileLock extends AsyncDisposable {
  release: () => Promise<void>
}

const UNKNOWN: LockHolder = { pid: 0, host: 'unknown', command: 'unknown', since: 'unknown' }

/** Another process that looks at a lock or tries to take it keeps it for less than a millisecond. */
const LOOK_MS = 20
const RETRY_MS = 5

const lockPath = (folder: string, name: string) => join(folder, `${name}.lock`)
const holderPath = (folder: string, name: string) => join(folder, `${name}.json`)

interface OwnLock {
  database: Database.Database
  /** The inodes of the lock file and of the data folder. */
  file: number | undefined
  dataFolder: number | undefined
}

const own = new Map<string, OwnLock>()
/** The interval of the check for deleted lock files, which somebody may think stale. */
const RENEW_MS = 2_000

export const isOwnLock = (folder: string, name: string): boolean => own.has(lockPath(folder, name))

/** "holdshort import" (process 4711 on host, since …) */
export const holderText = ({ command, pid, host, since }: LockHolder) =>
  `"${command}" (process ${pid} on ${host}, since ${since})`

const isBusy = (error: unknown) => (error as { code?: string }).code === 'SQLITE_BUSY'

/** Runs SQL on a lock file; null while another process holds it. The connection stays open. */
function runOn(path: string, sql: string): Database.Database | null {
  const database = new Database(path)
  try {
    database.exec(sql)
    return database
  } catch (error) {
    database.close()
    if (isBusy(error)) return null
    throw error
  }
}

/** Whether there is a lock file. Whatever else lies in its place was not put there by this program. */
function isLockFile(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found?.isFile() === true && found.size === 0
}

async function isFree(path: string): Promise<boolean> {
  for (const end = performance.now() + LOOK_MS; isLockFile(path); await sleep(RETRY_MS)) {
    const database = runOn(path, 'SELECT count(*) FROM sqlite_master')
    database?.close()
    if (database !== null) return true
    if (performance.now() > end) return false
  }
  return true
}

/** The holder of a lock; null without one. Changes nothing. */
export async function lockHolder(folder: string, name: string): Promise<LockHolder | null> {
  const path = lockPath(folder, name)
  if (!own.has(path) && (await isFree(path))) return null
  try {
    return LockHolder.parse(JSON.parse(await readOrdinaryText(holderPath(folder, name))))
  } catch {
    return UNKNOWN
  }
}

/** Creates a missing lock file. It must not await: another taker of this process could come in between. */
function makeLockFile(path: string): void {
  if (!isLockFile(path)) {
    if (lstatSync(path, { throwIfNoEntry: false })) rmSync(path, { recursive: true, force: true })
    try {
      writeFileSync(path, '', { flag: 'wx' })
      keepOwner(path)
    } catch (error) {
      // Another process was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  accessSync(path, constants.W_OK)
}

// The journal in memory keeps SQLite from making a file beside this one.
const lockFile = (path: string) => runOn(path, 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
const inodeOf = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.ino
const dataFolderOf = (path: string) => inodeOf(dirname(dirname(path)))

/** Takes a lock of this process anew if its file was deleted, because no other process can see it any more. */
function renewDeleted(path: string, lock: OwnLock): void {
  try {
    if (inodeOf(path) === lock.file || dataFolderOf(path) !== lock.dataFolder) return
    mkdirSync(dirname(path), { recursive: true })
    makeLockFile(path)
    const database = lockFile(path)
    if (database === null) return
    lock.database.close()
    Object.assign(lock, { database, file: inodeOf(path) })
    void writeHolder(holderPath(dirname(path), basename(path, '.lock')))
  } catch {
    // The disk may be full, or its folder may not be entered at present. The next check tries again.
  }
}

/**
 * Takes a lock; null while another process holds it for longer than `waitMs`, or this one does.
 * @throws Error EROFS or EACCES where nothing can be written
 */
export async function takeLock(folder: string, name: string, waitMs = LOOK_MS): Promise<FileLock | null> {
  await makeFolder(dirname(folder), basename(folder))
  const path = lockPath(folder, name)
  makeLockFile(path)
  let database = lockFile(path)
  for (const end = performance.now() + waitMs; database === null && performance.now() < end; database = lockFile(path))
    await sleep(RETRY_MS)
  if (database === null) return null
  const lock: OwnLock = { database, file: inodeOf(path), dataFolder: dataFolderOf(path) }
  own.set(path, lock)
  const renewing = setInterval(renewDeleted, RENEW_MS, path, lock).unref()
  await writeHolder(holderPath(folder, name))
  const release = async () => {
    if (own.get(path) !== lock) return
    own.delete(path)
    clearInterval(renewing)
    // It must not await before the lock is free: this process must not mistake its own lock for another's.
    removeHolder(holderPath(folder, name))
    lock.database.exec('ROLLBACK')
    lock.database.close()
  }
  return { release, [Symbol.asyncDispose]: release }
}

/** Takes the lock of a folder that one process at a time writes to. @throws HoldshortError CONFLICT, which names the holder */
export async function takeOnlyLock(folder: string, locksDir: string, name: string): Promise<FileLock> {
  const lock = await takeLock(locksDir, name)
  if (lock !== null) return lock
  const holder = (await lockHolder(locksDir, name)) ?? UNKNOWN
  throw new HoldshortError('CONFLICT', `${folder} is used by ${holderText(holder)}`)
}

function removeHolder(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // The file means nothing while nobody holds the lock.
  }
}

async function writeHolder(path: string): Promise<void> {
  const command = `holdshort ${process.argv[2] ?? ''}`.trim()
  const holder: LockHolder = { pid: process.pid, host: hostname(), command, since: new Date().toISOString() }
  try {
    await rm(path, { recursive: true, force: true })
    await writeFile(path, JSON.stringify(holder))
    keepOwner(path)
  } catch {
    // On a full disk the holder's name is lost; the lock is held all the same.
  }
}
