import { existsSync, lstatSync, statSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { HoldshortError } from '../../config/errors.ts'
import { requireOrdinaryFileSync } from '../../warehouse/storage/ordinary-file.ts'
import { type Marker, readPosition, requireComplete } from './marker.ts'
import { COLUMNS_IN_SQLITE, type FoundColumn, isComplete, isReadable, missingFrom } from './migrations.ts'
import { databaseFiles } from './private-files.ts'
import { isSealedWithAny, PEPPER_CHECK } from './secrets.ts'

/** Up to this size a state is checked as a whole: a few hundred milliseconds. */
const MAX_WHOLE_BYTES = 256 * 1024 * 1024
/** In a larger database, tables are checked one after another within this time; the doctor checks all. */
const MAX_START_MS = 2_000

/**
 * Why a state file is damaged or not the one of its marker; null when it is whole. While no process uses it, a copy is
 * read, because the last one that closes a file of SQLite also changes it.
 */
export async function stateFault(
  file: string,
  marker: Marker | null,
  isUsed: boolean,
  peppers: readonly string[] | null,
): Promise<string | null> {
  try {
    requireStateFile(file)
  } catch (error) {
    return (error as Error).message
  }
  if (isUsed) return inspect(file, marker, file, peppers)
  const folder = await mkdtemp(join(tmpdir(), 'holdshort-doctor-')).catch((cause) => {
    const text = `the state cannot be checked, because ${tmpdir()}, the folder for temporary files, cannot be written; set TMPDIR to one that can`
    throw new Error(text, { cause })
  })
  try {
    const copy = join(folder, 'state.sqlite')
    await copyStateFile(file, copy)
    return inspect(copy, marker, file, peppers)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Copies a state file with its log, which nobody may be writing. */
export async function copyStateFile(file: string, copy: string): Promise<void> {
  await copyFile(file, copy)
  if (existsSync(`${file}-wal`)) await copyFile(`${file}-wal`, `${copy}-wal`)
}

function inspect(read: string, marker: Marker | null, file: string, peppers: readonly string[] | null): string | null {
  try {
    const database = new Database(read)
    try {
      const fault = cutFault(read, database) ?? firstFault(database, 'quick_check(1)')
      if (fault !== null) return fault
      requireComplete(file, marker, readPosition(database))
      const done = migrationsIn(database)
      if (!isReadable(done)) return OTHER_RELEASE
      const missing = isComplete(done) ? missingFrom(columnsIn(database)) : null
      if (missing !== null) return `it lacks ${missing}`
      return peppers === null ? null : pepperFault(database, peppers)
    } finally {
      database.close()
    }
  } catch (error) {
    return (error as Error).message
  }
}

/** The fault of a state with tables that this release does not know. */
export const OTHER_RELEASE = 'it was last used by another release: a later one, or one before 0.1.0'

function migrationsIn(database: Database.Database): string[] {
  const rows = database.prepare('select name from kysely_migration').raw().all() as [string][]
  return rows.map(([name]) => name)
}

function columnsIn(database: Database.Database): FoundColumn[] {
  return database.prepare(COLUMNS_IN_SQLITE).all() as FoundColumn[]
}

/** The fault of a state whose secret is another one. */
export const WRONG_PEPPER = 'the pepper is not the one that it was created with'

function pepperFault(database: Database.Database, peppers: readonly string[]): string | null {
  const [row] = database.prepare(`select sealed from secrets where name = '${PEPPER_CHECK}'`).raw().all() as [string][]
  if (row === undefined || isSealedWithAny(row[0], peppers, PEPPER_CHECK)) return null
  return WRONG_PEPPER
}

/** SQLite itself does not notice that a part of the last page is missing. */
function cutFault(file: string, database: Database.Database): string | null {
  const [row] = database.prepare('PRAGMA page_size').raw().all() as [number][]
  return statSync(file).size % (row?.[0] ?? 1) === 0 ? null : 'a part of its end is missing'
}

function firstFault(database: Database.Database, check: string): string | null {
  const [row] = database.prepare(`PRAGMA ${check}`).raw().all() as [string][]
  if (row?.[0] === 'ok') return null
  return (row?.[0] ?? 'it gives no answer').replaceAll('\n', ' ')
}

/**
 * Checks a state as it is opened, within a bounded time.
 * @throws HoldshortError STATE_DAMAGED
 */
export function requireIntegrity(file: string, database: Database.Database): void {
  const checks = statSync(file).size <= MAX_WHOLE_BYTES ? ['quick_check(1)'] : tableChecks(database)
  const cut = cutFault(file, database)
  if (cut !== null) throw damaged(file, cut)
  const until = performance.now() + MAX_START_MS
  for (const check of checks) {
    if (performance.now() > until) return
    const fault = firstFault(database, check)
    if (fault !== null) throw damaged(file, fault)
  }
}

function tableChecks(database: Database.Database): string[] {
  const rows = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").raw().all() as [string][]
  return rows.map(([name]) => `quick_check("${name}")`)
}

/**
 * Requires that what lies in the place of a state and of its log is a file, if anything does: SQLite would wait for the writer of a pipe.
 * @throws HoldshortError STATE_DAMAGED
 */
export function requireStateFile(file: string): void {
  for (const path of databaseFiles(file)) {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) continue
    try {
      requireOrdinaryFileSync(path)
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      // The last process that uses the state deletes its log.
      if (code === 'ENOENT' && lstatSync(path, { throwIfNoEntry: false }) === undefined) continue
      throw damaged(path, code === 'ENOENT' ? 'it is a link that leads nowhere' : 'it is no ordinary file')
    }
  }
}

function damaged(file: string, reason: string, cause?: unknown): HoldshortError {
  return new HoldshortError(
    'STATE_DAMAGED',
    `${file} is damaged (${reason}). Stop the service and restore a backup into a new folder (\`holdshort restore\`); keep this file until that works`,
    { cause },
  )
}

/** Turns SQLite's errors about a damaged file into STATE_DAMAGED; other errors pass unchanged. */
export function asStateDamage(file: string, error: unknown): unknown {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return /^SQLITE_(CORRUPT|NOTADB)/.test(code) ? damaged(file, message, error) : error
}
