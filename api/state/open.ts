import { type Kysely, Migrator } from 'kysely'
import { SettingsError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { makeDataFolder } from '../../warehouse/storage/files.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { readExistingPepper, readOrCreatePepper } from './pepper.ts'
import { installationSecret, WrongPepperError } from './secrets.ts'
import { openSqlite } from './sqlite.ts'
import type { State, StateDatabase } from './state.ts'
import type { StateTables } from './tables.ts'

export interface StateSettings {
  data_dir: string
  key_pepper?: string | undefined
  database_url?: string | undefined
  redis_url?: string | undefined
}

/**
 * Opens the state of an installation; creates and migrates it if necessary.
 * @throws HoldshortError STATE_UNREACHABLE when its database cannot be used now; SettingsError for a wrong pepper.
 */
export async function openState(settings: StateSettings): Promise<State> {
  await makeDataFolder(settings.data_dir)
  const { database_url, redis_url } = settings
  const state = await (database_url === undefined ? openEmbedded(settings) : openServer(settings, database_url))
  return redis_url ? announceOverRedis(state, redis_url) : state
}

function openEmbedded({ data_dir, key_pepper }: StateSettings): Promise<State> {
  const paths = dataPaths(data_dir)
  return openStateAt(paths.state, key_pepper ?? readOrCreatePepper(paths.pepper))
}

async function openServer({ data_dir, key_pepper }: StateSettings, database_url: string): Promise<State> {
  const pepper = key_pepper ?? readExistingPepper(dataPaths(data_dir).pepper)
  if (pepper === null)
    throw pepperFault(
      'must be set when DATABASE_URL is set, to the same value on every machine (openssl rand -base64 32)',
    )
  // Imported here so that an installation on SQLite does not load the driver.
  const { openPostgresql } = await import('./postgresql.ts')
  const state = await stateOn(openPostgresql(database_url), pepper)
  try {
    await installationSecret(state, 'pepper-check', Date.now(), () => 'the pepper that sealed this')
  } catch (error) {
    await state.close()
    throw error instanceof WrongPepperError
      ? pepperFault('is not the value that this database was created with')
      : error
  }
  return state
}

/** Imports the Redis client only where a Redis is configured. */
async function announceOverRedis(state: State, redis_url: string): Promise<State> {
  const { announceAccessChangesOverRedis } = await import('./access-changes-over-redis.ts')
  return announceAccessChangesOverRedis(state, redis_url)
}

const pepperFault = (message: string) => new SettingsError([{ parameter: 'HOLDSHORT_KEY_PEPPER', message }])

/** Opens the state on a SQLite file (or `:memory:`). A write that has returned is on disk. */
export async function openStateAt(file: string, pepper: string): Promise<State> {
  return stateOn(await openSqlite(file), pepper)
}

async function stateOn(database: StateDatabase, pepper: string): Promise<State> {
  const { db, accessVersion, announceAccessChange, close } = database
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error) {
    await close()
    throw error
  }
  return {
    db,
    pepper,
    accessVersion,
    close,
    async changeAccess(work) {
      const result = await db.transaction().execute(async (transaction) => {
        await countAccessChange(transaction)
        return work(transaction)
      })
      await announceAccessChange()
      return result
    },
  }
}

/** Runs first in the transaction of a change of access; no other change can run until it commits. */
async function countAccessChange(transaction: Kysely<StateTables>): Promise<void> {
  await transaction
    .updateTable('access_version')
    .set((expression) => ({ version: expression('version', '+', 1) }))
    .where('id', '=', 1)
    .execute()
}
