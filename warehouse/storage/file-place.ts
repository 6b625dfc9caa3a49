import { existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { HoldshortError } from '../../config/errors.ts'
import { type Access, asCatalogError, CATALOG, type CatalogHolder, type CatalogPlace, damaged } from './catalog.ts'
import { otherProcess } from './command-name.ts'
import { keepOwner } from './files.ts'
import { canReadAllTables, createTables } from './schema.ts'
import { quoteText } from './sql.ts'

/** What the engine says when another process holds a file. */
const HELD = /Could not set lock on file.*?(?:is held in (.*?) \(PID (\d+)\)|$)/s

/** The holder of a file by what the engine says, and by what the system tells of it; `before` is who held it at the last try. */
function holderOf(program: string, pid: string, before: CatalogHolder | null): CatalogHolder {
  if (pid === '') return { text: 'another process', name: 'another process', pid: null, since: null }
  const { name, started_at } = otherProcess(Number(pid), program)
  if (before?.name === name && before.pid === Number(pid)) return before
  const running = started_at === null ? '' : `, which runs since ${started_at}`
  return { text: `process ${pid} (${name})${running}`, name, pid: Number(pid), since: started_at }
}

/**
 * Whether there is a file. The engine would wait for ever for a pipe, and would begin anew, empty, where a file was lost.
 * @throws HoldshortError WAREHOUSE_CORRUPT
 */
function isThere(path: string, copyPath: string): boolean {
  for (const each of [path, `${path}.wal`])
    if (statSync(each, { throwIfNoEntry: false })?.isFile() === false) throw damaged(`${each} is not a file`)
  const isFound = existsSync(path)
  if (!isFound && statSync(copyPath, { throwIfNoEntry: false })?.isFile())
    throw damaged(`${path} is gone, and only its copy is left`)
  return isFound
}

/**
 * Makes the file with its tables under another name and then gives it its own: a process that is killed while the engine writes the
 * first header leaves nothing that looks like a damaged warehouse. Where another process was faster, its file stays.
 */
async function makeWhole(connection: DuckDBConnection, path: string): Promise<void> {
  const unfinished = `${path}.${process.pid}.new`
  try {
    await connection.run(`ATTACH ${quoteText(unfinished)} AS ${CATALOG}`)
    try {
      await createTables(connection)
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

/** Removes what killed processes left; whoever is making the same file now finds that it exists. */
function removeUnfinished(path: string): void {
  const folder = dirname(path)
  for (const name of readdirSync(folder))
    if (name.startsWith(`${basename(path)}.`) && /\.\d+\.new(\.wal)?$/.test(name))
      rmSync(join(folder, name), { force: true })
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
 * The warehouse in one file of the engine, of which there may be a copy. One process holds the file at a time, or several that only
 * read. Nothing but the engine may open the file in this process: closing it would end the engine's lock.
 */
export function filePlace(path: string, copyPath: string): CatalogPlace {
  let held: CatalogHolder | null = null
  const attachAs = async (connection: DuckDBConnection, isReadOnly: boolean): Promise<boolean> => {
    try {
      await connection.run(`ATTACH ${quoteText(path)} AS ${CATALOG}${isReadOnly ? ' (READ_ONLY)' : ''}`)
      keepOwner(path)
      return true
    } catch (error) {
      const [match, program = '', pid = ''] = HELD.exec((error as Error).message) ?? []
      if (match === undefined) throw asCatalogError(error)
      held = holderOf(program, pid, held)
      return false
    }
  }
  return {
    key: path,
    isExclusive: true,
    holder: () => held,
    attach: async (connection: DuckDBConnection, access: Access) => {
      if (!existsSync(dirname(path)))
        throw new HoldshortError('DATA_FOLDER_GONE', `${dirname(path)} no longer exists; it was moved or deleted`)
      if (!isThere(path, copyPath))
        await makeWhole(connection, path).catch((error) => Promise.reject(asCatalogError(error)))
      const isReadOnly = access === 'read'
      if (!(await attachAs(connection, isReadOnly))) return false
      if (await canReadAllTables(connection)) {
        held = null
        return true
      }
      if (isReadOnly) {
        await connection.run(`DETACH ${CATALOG}`)
        if (!(await attachAs(connection, false))) return false
      }
      await createTables(connection)
      await connection.run(`CHECKPOINT ${CATALOG}`)
      held = null
      return true
    },
  }
}
