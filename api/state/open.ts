import { mkdirSync } from 'node:fs'
import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { SettingsError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { existingPepper, readPepper } from '../access/pepper.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { installationSecret, WrongPepperError } from './secrets.ts'
import { openSqlite } from './sqlite.ts'
import type { StateTables } from './tables.ts'

/** The open state: accounts, keys, usage and all that people do here. Several processes may hold it at the same time. */
export interface State {
  db: Kysely<StateTables>
  /** The secret that keys, addresses and cookies are hashed with. */
  pepper: string
  /**
   * A number that grows whenever keys, tiers or connections may have been changed by anyone, here or in another process:
   * asked after such a change was acknowledged, it is a new one. At once on SQLite, a promise where a server must be asked.
   */
  epoch: () => number | Promise<number>
  /**
   * Does writes to keys, tiers or connections in one transaction, of all processes one after the other. When it returns
   * they are on the disk, and no gate of any process lets in by what it knew before.
   */
  changeAccess: <T>(work: (transaction: Kysely<StateTables>) => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

/** What a kind of database brings: the connection, and how changes of access are told to other processes. */
export interface StateDatabase {
  db: Kysely<StateTables>
  epoch: State['epoch']
  /** First in the transaction of a change of access: from then on no other change is under way. */
  markChange: (transaction: Kysely<StateTables>) => Promise<void>
  /** Once it is committed. */
  announceChange: () => Promise<void> | void
  close: () => Promise<void>
}

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
  return openStateAt(paths.state, key_pepper ?? readPepper(paths.pepper))
}

async function openServer({ data_dir, key_pepper }: StateSettings, database_url: string): Promise<State> {
  const pepper = key_pepper ?? existingPepper(dataPaths(data_dir).pepper)
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
  const { announcedOverRedis } = await import('./announced-over-redis.ts')
  return announcedOverRedis(state, redis_url)
}

const pepperFault = (message: string) => new SettingsError([{ parameter: 'HOLDSHORT_KEY_PEPPER', message }])

/** The same for a SQLite file (or `:memory:`). A write that returned is on the disk. */
export function openStateAt(file: string, pepper: string): Promise<State> {
  return stateOn(openSqlite(file), pepper)
}

async function stateOn(database: StateDatabase, pepper: string): Promise<State> {
  const { db, epoch, markChange, announceChange, close } = database
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error) {
    await close()
    throw error
  }
  return {
    ...{ db, pepper, epoch, close },
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
