import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { type Access, asUnreadable, CATALOG, type CatalogHolder, type CatalogPlace, damaged } from './catalog.ts'
import { otherProcess } from './command-name.ts'
import { unfinishedOf, unfinishedPath } from './draft-names.ts'
import {
  type FileMark,
  hasRows,
  readFolderMark,
  requireOwnFile,
  wasFilled,
  writeFileMark,
  writeFolderMark,
} from './file-mark.ts'
import { asUnusable, keepOwner } from './files.ts'
import { canReadAllTables, createTables, requireSchema } from './schema.ts'
import { markedWorld } from './simulated-mark.ts'
import { quoteText } from './sql.ts'

/** The engine's error when another process holds a file. */
const HELD = /Could not set lock on file.*?(?:is held in (.*?) \(PID (\d+)\)|$)/s

/** The holder of a file by the engine's error, and by the system's facts; `before` is the holder at the last try. */
function holderOf(program: string, pid: string, before: CatalogHolder | null): CatalogHolder {
  if (pid === '') return { text: 'another process', name: 'another process', pid: null, since: null }
  const { name, started_at } = otherProcess(Number(pid), program)
  if (before?.name === name && before.pid === Number(pid)) return before
  const running = started_at === null ? '' : `, which runs since ${started_at}`
  return { text: `process ${pid} (${name})${running}`, name, pid: Number(pid), since: started_at }
}

/**
 * Files and their logs know each other since this version of the engine's format: a log of another file, or of an earlier state, is
 * refused. By default the engine makes files of its oldest format, which replays any log.
 */
export const STORAGE_VERSION = 'v1.4.0'

/** @throws HoldshortError DATA_FOLDER_GONE where the folder is not there, DATA_FOLDER_UNUSABLE where it cannot be reached */
function requireFolder(path: string): void {
  try {
    if (statSync(path, { throwIfNoEntry: false }) !== undefined) return
  } catch (error) {
    throw asUnusable(path, error)
  }
  throw new HoldshortError('DATA_FOLDER_GONE', `${path} no longer exists; it was moved or deleted`)
}

/**
 * Whether there is a file. The engine would wait for ever for a pipe, and would begin anew, empty, where a file was lost.
 * @throws HoldshortError WAREHOUSE_CORRUPT
 */
function isThere(dataDir: string): boolean {
  const { warehouse_file, warehouse_copy } = dataPaths(dataDir)
  for (const path of [warehouse_file, `${warehouse_file}.wal`]) {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.isFile() === false) throw damaged(`${path} is not a file`)
    if (found === undefined && lstatSync(path, { throwIfNoEntry: false }) !== undefined)
      throw damaged(`${path} is a link that leads nowhere; if its target lies on a disk of its own, mount that`)
  }
  if (existsSync(warehouse_file)) return true
  if (statSync(warehouse_copy, { throwIfNoEntry: false })?.isFile())
    throw damaged(`${warehouse_file} is gone, and only its copy is left`)
  if (readFolderMark(dataDir) !== null || wasFilled(dataDir))
    throw damaged(`${warehouse_file} is gone, and there is no copy of it; if it lies on a disk of its own, mount that`)
  return false
}

/** The first bytes of some kinds of files. */
const KINDS_OF_FILE: readonly (readonly [string, string])[] = [
  ['a database of SQLite', 'SQLite format 3'],
  ['a Parquet file', 'PAR1'],
  ['a ZIP archive', 'PK'],
  ['compressed by gzip', '\x1f\x8b'],
  ['only zeros', '\0'.repeat(16)],
]
/** Describes the content in place of a file that the engine has refused. It must not be called while the engine has the file open. */
function foundAt(path: string): string {
  const bytes = Buffer.alloc(16)
  const file = openSync(path, 'r')
  try {
    const length = readSync(file, bytes, 0, bytes.length, 0)
    if (length === 0) return 'it is empty'
    const start = bytes.toString('latin1', 0, length)
    const kind = KINDS_OF_FILE.find(([, beginning]) => start.startsWith(beginning))
    return kind === undefined ? 'it is no file of the engine (DuckDB)' : `it is ${kind[0]}`
  } finally {
    closeSync(file)
  }
}

/** The error of a file that could not be attached. */
function asAttachError(path: string, error: unknown): unknown {
  const isOfOtherKind = /not a valid duckdb database file/i.test((error as Error).message)
  return isOfOtherKind ? damaged(`${path}: ${foundAt(path)}`, error) : asUnreadable(error)
}

/**
 * Makes the file with its tables under another name and then gives it its own: a process that is killed while the engine writes
 * the first header leaves nothing that looks like a damaged warehouse. If another process was faster, its file stays.
 */
async function makeWhole(connection: DuckDBConnection, dataDir: string): Promise<void> {
  const { warehouse_file: path } = dataPaths(dataDir)
  const unfinished = unfinishedPath(path)
  try {
    await connection.run(
      `ATTACH ${quoteText(unfinished)} AS ${CATALOG} (TYPE duckdb, STORAGE_VERSION '${STORAGE_VERSION}')`,
    )
    try {
      await createTables(connection)
      await writeFileMark(connection, CATALOG, { id: randomUUID(), simulated: markedWorld(dataDir) })
      await connection.run(`CHECKPOINT ${CATALOG}`)
    } finally {
      await connection.run(`DETACH ${CATALOG}`)
    }
    nameOnce(unfinished, path)
    removeUnfinished(path)
  } finally {
    for (const ours of [unfinished, `${unfinished}.wal`]) rmSync(ours, { force: true })
  }
}

const UNFINISHED = unfinishedOf(/^warehouse\.duckdb$/)

/** Removes what killed processes left; whoever is making the same file now finds that it exists. */
function removeUnfinished(path: string): void {
  const folder = dirname(path)
  for (const name of readdirSync(folder)) if (UNFINISHED.test(name)) rmSync(join(folder, name), { force: true })
}

/** Gives a file its name unless one of that name exists. */
function nameOnce(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    // A file system without hard links.
    if (!existsSync(to)) renameSync(from, to)
  }
}

/**
 * The warehouse of a data folder in one file of the engine, perhaps with a copy. One process holds the file at a time, or
 * several that only read. Only the engine may open the file in this process: closing it would end the engine's lock.
 */
export function filePlace(dataDir: string): CatalogPlace {
  const { warehouse_file: path } = dataPaths(dataDir)
  let held: CatalogHolder | null = null
  // Nobody alters a table of ours by mistake while we use it: the types are compared once, which takes as long as attaching.
  let isCompared = false
  const attachWith = async (connection: DuckDBConnection, ...options: string[]): Promise<boolean> => {
    try {
      await connection.run(`ATTACH ${quoteText(path)} AS ${CATALOG} (${['TYPE duckdb', ...options].join(', ')})`)
      keepOwner(path)
      return true
    } catch (error) {
      const [match, program = '', pid = ''] = HELD.exec((error as Error).message) ?? []
      if (match === undefined) throw error
      held = holderOf(program, pid, held)
      return false
    }
  }
  /** Attaches a file for writing and gives it the present format at its next checkpoint; one of a later format keeps that. */
  const attachForUpgrade = (connection: DuckDBConnection) =>
    attachWith(connection, `STORAGE_VERSION '${STORAGE_VERSION}'`).catch((error) => {
      if (!/cannot be lowered/.test((error as Error).message)) throw error
      return attachWith(connection)
    })
  /** Adds what the file lacks: tables and columns of this release, and the mark that earlier ones did not write. */
  const complete = async (connection: DuckDBConnection, mark: Omit<FileMark, 'had'>): Promise<void> => {
    await createTables(connection)
    await writeFileMark(connection, CATALOG, mark)
    await connection.run(`CHECKPOINT ${CATALOG}`)
    if (readFolderMark(dataDir) !== mark.id) await writeFolderMark(dataDir, mark.id)
  }
  const attachOwn = async (connection: DuckDBConnection, access: Access): Promise<boolean> => {
    if (!(await (access === 'read' ? attachWith(connection, 'READ_ONLY') : attachWith(connection)))) return false
    const mark = await requireOwnFile(connection, CATALOG, dataDir)
    // A file of an earlier version can be read as it is; it gets its mark when somebody writes.
    const isMarked = access === 'read' || (mark?.had != null && readFolderMark(dataDir) === mark.id)
    const isWorldKnown = access === 'read' || mark?.simulated != null || markedWorld(dataDir) === null
    const canRead = await canReadAllTables(connection)
    if (!canRead || !isCompared) await requireSchema(connection, CATALOG, mark?.had ?? null)
    isCompared = true
    if (isMarked && isWorldKnown && canRead) return true
    await connection.run(`DETACH ${CATALOG}`)
    if (!(await attachForUpgrade(connection))) return false
    // An empty file may be a template that several folders began with.
    const isNew = mark === null || (readFolderMark(dataDir) === null && !(await hasRows(connection, CATALOG)))
    await complete(connection, {
      id: isNew ? randomUUID() : mark.id,
      simulated: mark?.simulated ?? markedWorld(dataDir),
    })
    return true
  }
  return {
    key: path,
    isExclusive: true,
    checkpoint: async (connection) => void (await connection.run(`CHECKPOINT ${CATALOG}`)),
    holder: () => held,
    attach: async (connection: DuckDBConnection, access: Access) => {
      requireFolder(dirname(path))
      try {
        if (!isThere(dataDir)) await makeWhole(connection, dataDir)
        if (!(await attachOwn(connection, access))) return false
      } catch (error) {
        await connection.run(`DETACH DATABASE IF EXISTS ${CATALOG}`).catch(() => undefined)
        throw asAttachError(path, error)
      }
      held = null
      return true
    },
  }
}
