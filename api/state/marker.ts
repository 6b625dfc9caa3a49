import { closeSync, openSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import Database from 'libsql'
import { z } from 'zod'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { writeWhole } from '../../warehouse/storage/files.ts'
import { readOrdinaryTextSync } from '../../warehouse/storage/ordinary-file.ts'
import type { StateTables } from './tables.ts'

/**
 * A small file in the data folder. It says which state the folder uses and which version that had reached. A state on SQLite
 * that is missing, empty or an older copy (restored without its log, for example) has a lower version, and must not be
 * taken for the real one. The version is committed before it is written here, so that a crash never raises an alarm.
 * The version of a state on PostgreSQL is not compared: a standby that takes over may lack the last seconds.
 */
const Marker = z.object({ installation: z.string(), version: z.int(), on: z.literal('postgresql').optional() })
export type Marker = z.infer<typeof Marker>

/** The marker beside the state; null if there is none, or where it cannot be read. */
export function readMarker(markerFile: string): Marker | null {
  try {
    return Marker.parse(JSON.parse(readOrdinaryTextSync(markerFile)))
  } catch {
    return null
  }
}

/** The kind and version of the state in a database; null if it is empty or of an earlier release. */
export function readPosition(database: Database.Database): Marker | null {
  const table = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'installation'").raw().all()
  if (table.length === 0) return null
  const [row] = database.prepare('SELECT id, version FROM installation').raw().all() as [string, number][]
  return row ? { installation: row[0], version: row[1] } : null
}

/**
 * Compares a state with the marker that was read before it.
 * @throws HoldshortError STATE_INCOMPLETE when the state is another one or older.
 */
export function requireComplete(file: string, marker: Marker | null, position: Marker | null): void {
  if (marker === null) return
  if (marker.on === 'postgresql') throw missing(file, marker)
  const isSame = position?.installation === marker.installation
  if (isSame && position.version >= marker.version) return
  let reason = 'is empty or from an earlier release'
  if (position)
    reason = isSame
      ? `is an older copy (version ${position.version}, it had reached ${marker.version})`
      : 'is another state'
  throw incomplete(file, reason)
}

/** Writes the marker of a state that no process uses, as of one that was restored; an empty one gets none. */
export async function markState(file: string, markerFile: string): Promise<void> {
  const database = new Database(file)
  let position: Marker | null
  try {
    position = readPosition(database)
  } finally {
    database.close()
  }
  if (position !== null) await writeWhole(markerFile, JSON.stringify(position), 0o600)
}

/**
 * Compares the state in the database of DATABASE_URL, null if it holds none, with the marker of the data folder that was read before it.
 * @throws HoldshortError STATE_INCOMPLETE when it is another one than that of the folder, or none although the folder has one in `file`.
 */
export function requireSameOnServer(file: string, marker: Marker | null, installation: string | null): void {
  if (marker === null || marker.installation === installation) return
  if (marker.on !== 'postgresql') {
    // One that is in use beside an earlier file of the folder is no mistake.
    if (installation !== null) return
    throw new HoldshortError(
      'STATE_INCOMPLETE',
      `the database of DATABASE_URL holds no accounts and keys, and those of this data folder are in ${file}. Copy them: ` +
        'unset DATABASE_URL and run `holdshort state move --to` with its value. To go on without them, run `holdshort state accept`',
    )
  }
  throw new HoldshortError(
    'STATE_INCOMPLETE',
    `the database of DATABASE_URL holds ${installation === null ? 'no accounts and keys' : 'those of another installation'}, and this ` +
      'installation has some. Correct DATABASE_URL or the search_path of its role, or restore the database from its own backup. ' +
      'To go on with what is there, and lose the rest, run `holdshort state accept`',
  )
}

/** Id of the installation whose state a PostgreSQL database holds; null if it holds none. `query` runs one statement. */
export async function installationOnServer(
  query: (statement: string) => Promise<{ rows: unknown[] }>,
): Promise<string | null> {
  const [table] = (await query("SELECT to_regclass('installation') IS NOT NULL AS is_there")).rows
  if (!(table as { is_there: boolean }).is_there) return null
  const [row] = (await query('SELECT id FROM installation')).rows
  return (row as { id: string } | undefined)?.id ?? null
}

/** Marks a data folder as using the state on PostgreSQL of an installation. */
export function markServer(markerFile: string, installation: string): Promise<void> {
  return writeWhole(markerFile, JSON.stringify({ installation, version: 0, on: 'postgresql' }), 0o600)
}

/** The error of a state that does not lie in the data folder, which has used one. */
export function missing(file: string, marker: Marker | null): HoldshortError {
  if (marker?.on !== 'postgresql') return incomplete(file, 'is missing')
  return new HoldshortError(
    'STATE_INCOMPLETE',
    'the accounts and keys of this data folder are in a PostgreSQL database, and DATABASE_URL is not set. Set it. To go on with what ' +
      `lies in ${file}, and lose the rest, run \`holdshort state accept\``,
  )
}

export function incomplete(file: string, reason: string): HoldshortError {
  return new HoldshortError(
    'STATE_INCOMPLETE',
    `${file} ${reason}. Put back the whole state with its log (${file}-wal), or restore a backup into a new folder ` +
      '(`holdshort restore`). To go on with what is there, and lose the rest, run `holdshort state accept`',
  )
}

/** Raises the version of the state and writes it to the marker. */
export async function advanceMarker(db: Kysely<StateTables>, markerFile: string): Promise<void> {
  await db
    .updateTable('installation')
    .set((expression) => ({ version: expression('version', '+', 1) }))
    .execute()
  // The read version is committed; another process may have raised it once more.
  const { id, version } = await db.selectFrom('installation').selectAll().executeTakeFirstOrThrow()
  await writeWhole(markerFile, JSON.stringify({ installation: id, version }), 0o600)
}

/** Accepts whatever state lies in a data folder or in the database of DATABASE_URL, or none: the next start writes a new marker. */
export async function acceptState(dataDir: string, database_url?: string): Promise<void> {
  const { state, state_marker } = dataPaths(dataDir)
  await rm(state_marker, { force: true })
  if (database_url === undefined) closeSync(openSync(state, 'a', 0o600))
}
