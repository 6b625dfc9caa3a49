import { mkdirSync } from 'node:fs'
import { Migrator } from 'kysely/migration'
import { SettingsError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { readExistingPepper, readOrCreatePepper } from './pepper.ts'
import { installationSecret, WrongPepperError } from './secrets.ts'
import { openSqlite } from './sqlite.ts'
import type { State, StateDatabase } from './state.ts'

export interface StateSettings {
  data_dir: string
  key_pepper?: string | undefined
  database_url?: string | undefined
  redis_url?: string | undefined
}

/**
 * Opens (and, if need be, creates and migrates) the state of an installation.
 * @throws HoldshortError STATE_UNREACHABLE when its database cannot be used now; SettingsError for a wrong pepper.
 */
export async function openState(settings: StateSettings): Promise<State> {
  mkdirSync(settings.data_dir, { recursive: true })
  const { database_url, redis_url } = settings
  const state = await (database_url === undefined ? openEmbedded(settings) : openServer(settings, database_url))
  return redis_url ? announcing(state, redis_url) : state
}

function openEmbedded({ data_dir, key_pepper }: StateSettings): Promise<State> {
  const paths = dataPaths(data_dir)
  return openStateAt(paths.state, key_pepper ?? readOrCreatePepper(paths.pepper))
}

async function openServer({ data_dir, key_pepper }: StateSettings, database_url: string): Promise<State> {
  const pepper = key_pepper ?? readExistingPepper(dataPaths(data_dir).pepper)
  if (pepper === null)
    throw pepperFault(
      'must be set with DATABASE_URL, the same for every machine, for each would make another (openssl rand -base64 32)',
    )
  // An embedded installation does not load the driver.
  const { openPostgresql } = await import('./postgresql.ts')
  const state = await stateOn(openPostgresql(database_url), pepper)
  try {
    await installationSecret(state, 'pepper-check', Date.now(), () => 'the pepper that sealed this')
  } catch (error) {
    await state.close()
    throw error instanceof WrongPepperError ? pepperFault('is not the one that this database was made with') : error
  }
  return state
}

/** The gates of several processes hear of changes over Redis; without one, none of its packages is loaded. */
async function announcing(state: State, redis_url: string): Promise<State> {
  const { announceAccessChangesOverRedis } = await import('./access-changes-over-redis.ts')
  return announceAccessChangesOverRedis(state, redis_url)
}

const pepperFault = (message: string) => new SettingsError([{ parameter: 'HOLDSHORT_KEY_PEPPER', message }])

/** The same for a SQLite file (or `:memory:`). A write that returned is on the disk. */
export function openStateAt(file: string, pepper: string): Promise<State> {
  return stateOn(openSqlite(file), pepper)
}

async function stateOn(database: StateDatabase, pepper: string): Promise<State> {
  const {
    db,
    accessVersion: epoch,
    beginAccessChange: markChange,
    announceAccessChange: announceChange,
    close,
  } = database
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error) {
    await close()
    throw error
  }
  return {
    db,
    pepper,
    accessVersion: epoch,
    close,
    async changeAccess(work) {
      const result = await db.transaction().execute(async (transaction) => {
        await markChange(transaction)
        return work(transaction)
      })
      await announceChange()
      return result
    },
  }
}
