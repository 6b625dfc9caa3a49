import { existsSync } from 'node:fs'
import type { Kysely } from 'kysely'
import { HoldshortError, SettingsError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { makeDataFolder } from '../../warehouse/storage/files.ts'
import { asStateDamage } from './integrity.ts'
import { sql } from './kysely.ts'
import { advanceMarker, installationOnServer, markServer, missing, readMarker, requireSameOnServer } from './marker.ts'
import { migrate } from './migrations.ts'
import { fixedPeppers, type Peppers, peppersOfFile, readOrCreatePeppers, readPepperFile } from './peppers.ts'
import { keepReserve, openWithReserve } from './reserve.ts'
import { installationSecret, PEPPER_CHECK, sealUnderCurrent, WrongPepperError } from './secrets.ts'
import { openSqlite } from './sqlite.ts'
import type { State, StateDatabase } from './state.ts'
import type { StateTables } from './tables.ts'
import { transactionInTurn } from './transaction-in-turn.ts'
import { StateUnwritableError, unopenedError } from './unreachable.ts'

export interface StateSettings {
  data_dir: string
  key_pepper?: string | undefined
  key_pepper_former?: readonly string[] | undefined
  database_url?: string | undefined
  redis_url?: string | undefined
  /** Called when the state is used in a slower way than usual. */
  onWarning?: (message: string) => void
  /** Called before a state of an earlier release is moved forward; throws to leave it as it is. */
  mayMigrate?: () => Promise<void>
  /** The state of another database is copied into the one of `database_url`: the data folder does not use that one yet. */
  isTarget?: boolean
}

/**
 * Opens the state of an installation; creates and migrates it if necessary.
 * @throws HoldshortError STATE_UNREACHABLE when its database cannot be used now, STATE_DAMAGED or STATE_INCOMPLETE when its
 *   file is not what it was; SettingsError for a wrong pepper.
 */
export async function openState(settings: StateSettings): Promise<State> {
  await makeDataFolder(settings.data_dir)
  const { database_url, redis_url } = settings
  const state = await (database_url === undefined ? openEmbedded(settings) : openServer(settings, database_url))
  return redis_url ? announceOverRedis(state, redis_url) : state
}

/** Opens the database of a state as it is, without migrating it; null when there is none yet. */
export async function openDatabaseAsItIs({
  data_dir,
  database_url,
}: Pick<StateSettings, 'data_dir' | 'database_url'>): Promise<StateDatabase | null> {
  if (database_url !== undefined) return (await import('./postgresql.ts')).openPostgresql(database_url)
  const { state } = dataPaths(data_dir)
  return existsSync(state) ? openSqlite(state) : null
}

/** A rotation of the pepper by another process is followed within this time, and at once where it matters. */
const PEPPER_INTERVAL_MS = 2_000

/** The marker is never further behind than this, if anything was written. */
const MARKER_INTERVAL_MS = 10_000

async function openEmbedded(settings: StateSettings): Promise<State> {
  const { data_dir, key_pepper, key_pepper_former, onWarning } = settings
  const { state: file, state_marker: markerFile, state_reserve: reserve, pepper } = dataPaths(data_dir)
  // Read first: another process may raise it meanwhile.
  const marker = readMarker(markerFile)
  // The secret is made after the state.
  if ((marker || existsSync(pepper)) && !existsSync(file)) throw missing(file, marker)
  const database = await openWithReserve(reserve, () => openSqlite(file, marker, onWarning))
  if (key_pepper === undefined && readPepperFile(pepper) === null && (marker !== null || (await isSealed(database)))) {
    await database.close()
    throw new HoldshortError(
      'STATE_INCOMPLETE',
      `${pepper} is missing or empty, without which no issued key is valid; put it back from a backup, or set HOLDSHORT_KEY_PEPPER to its value`,
    )
  }
  if (key_pepper === undefined) readOrCreatePeppers(pepper)
  const peppers = key_pepper === undefined ? peppersOfFile(pepper) : fixedPeppers(key_pepper, key_pepper_former)
  const state = await completeState(database, peppers, settings, file).catch((error) => {
    throw asStateDamage(file, error)
  })
  return withReserve(await withMarker(state, database.writes, markerFile), reserve)
}

/** A state with the tables of this release and the pepper that it was created with. `place` names it where it cannot be written. */
async function completeState(
  database: StateDatabase,
  peppers: Peppers,
  { key_pepper_former, mayMigrate }: StateSettings,
  place: string,
): Promise<State> {
  try {
    const state = await stateOn(database, peppers, mayMigrate)
    await requirePepper(state, key_pepper_former)
    return state
  } catch (error) {
    // For the operator, because this process ends.
    throw error instanceof StateUnwritableError ? unopenedError(place, error) : error
  }
}

/** A state that keeps what its next opening needs, from the moment at which it no longer needs that itself. */
function withReserve(state: State, reserve: string): State {
  keepReserve(reserve)
  const { close } = state
  return Object.assign(state, {
    close: async () => {
      await close()
      keepReserve(reserve)
    },
  })
}

/** Whether a state was used with a pepper: it must not get a new one. A new state has no tables yet, and any other fault shows when it is migrated. */
const isSealed = ({ db }: StateDatabase): Promise<boolean> =>
  db
    .selectFrom('secrets')
    .select('name')
    .where('name', '=', PEPPER_CHECK)
    .executeTakeFirst()
    .then(
      (row) => row !== undefined,
      () => false,
    )

/** A state that writes its marker when it is opened and closed, and in between while it is written to. */
async function withMarker(state: State, writes: () => number, markerFile: string): Promise<State> {
  let seen = -1
  const advance = async () => {
    if (writes() === seen) return
    await advanceMarker(state.db, markerFile)
    seen = writes()
  }
  // A disk that is full or cannot be written is reported by what needs it; the old marker is still true.
  const tryToAdvance = () => advance().catch(() => undefined)
  await tryToAdvance()
  let advancing = Promise.resolve()
  const timer = setInterval(() => {
    advancing = tryToAdvance()
  }, MARKER_INTERVAL_MS).unref()
  const { close } = state
  return Object.assign(state, {
    close: async () => {
      clearInterval(timer)
      await advancing
      await tryToAdvance()
      await close()
    },
  })
}

async function openServer(settings: StateSettings, database_url: string): Promise<State> {
  const { data_dir, key_pepper, key_pepper_former, isTarget = false } = settings
  const { pepper, state: file, state_marker: markerFile } = dataPaths(data_dir)
  if (key_pepper === undefined && readPepperFile(pepper) === null)
    throw pepperFault(
      'must be set when DATABASE_URL is set, to the same value on every machine (openssl rand -base64 32)',
    )
  // Imported here so that an installation on SQLite does not load the driver.
  const { openPostgresql } = await import('./postgresql.ts')
  const peppers = key_pepper === undefined ? peppersOfFile(pepper) : fixedPeppers(key_pepper, key_pepper_former)
  const marker = isTarget ? null : readMarker(markerFile)
  const database = openPostgresql(database_url)
  const installation = () => installationOnServer((statement) => sql.raw(statement).execute(database.db))
  try {
    requireSameOnServer(file, marker, marker && (await installation()))
  } catch (error) {
    await database.close()
    throw error
  }
  const state = await completeState(database, peppers, settings, 'the database of DATABASE_URL')
  // A database that was cut off since, or a folder that cannot be written, is reported by what needs it.
  const id = isTarget || marker?.on === 'postgresql' ? null : await installation().catch(() => null)
  if (id !== null) await markServer(markerFile, id).catch(() => undefined)
  return state
}

/** Checks that a pepper is the one that the state was created with, and closes the state if not. */
async function requirePepper(state: State, former: readonly string[] = []): Promise<void> {
  try {
    await installationSecret(state, PEPPER_CHECK, Date.now(), () => 'the pepper that sealed this')
    if (former.length > 0) await sealUnderCurrent(state)
  } catch (error) {
    await state.close()
    throw error instanceof WrongPepperError
      ? pepperFault('is not the value that this database was created with; restore the file key-pepper or the variable')
      : error
  }
}

/** Imports the Redis client only where a Redis is configured. */
async function announceOverRedis(state: State, redis_url: string): Promise<State> {
  const { announceAccessChangesOverRedis } = await import('./access-changes-over-redis.ts')
  return announceAccessChangesOverRedis(state, redis_url)
}

const pepperFault = (message: string) => new SettingsError([{ parameter: 'HOLDSHORT_KEY_PEPPER', message }])

/** Opens the state on a SQLite file (or `:memory:`). A write that has returned is on disk. */
export async function openStateAt(file: string, pepper: string): Promise<State> {
  return stateOn(await openSqlite(file), fixedPeppers(pepper))
}

async function stateOn(
  database: StateDatabase,
  peppers: Peppers,
  mayMigrate?: StateSettings['mayMigrate'],
): Promise<State> {
  const { db, accessVersion, fault, announceAccessChange, close } = database
  try {
    await migrate(db, mayMigrate)
  } catch (error) {
    await close()
    throw error
  }
  const refreshing = setInterval(peppers.refresh, PEPPER_INTERVAL_MS).unref()
  const state: State = {
    db,
    get pepper() {
      return peppers.current
    },
    peppers,
    accessVersion,
    fault,
    close: () => {
      clearInterval(refreshing)
      return close()
    },
    // Whoever wraps this state replaces `close`.
    [Symbol.asyncDispose]: () => state.close(),
    async changeAccess(work) {
      const result = await transactionInTurn({ db }, 'access', async (transaction) => {
        await countAccessChange(transaction)
        return work(transaction)
      })
      await announceAccessChange()
      return result
    },
  }
  return state
}

/** Runs first in the transaction of a change of access; no other change can run until it commits. */
async function countAccessChange(transaction: Kysely<StateTables>): Promise<void> {
  await transaction
    .updateTable('access_version')
    .set((expression) => ({ version: expression('version', '+', 1) }))
    .where('id', '=', 1)
    .execute()
}
