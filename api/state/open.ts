import { mkdirSync } from 'node:fs'
import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { dataPaths } from '../../config/settings.ts'
import { readPepper } from '../access/pepper.ts'
import { MIGRATIONS } from './migrations/index.ts'
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
   * Does writes to keys, tiers or connections in one transaction. When it returns they are on the disk, and no gate of any
   * process lets in by what it knew before.
   */
  changeAccess: <T>(work: (transaction: Kysely<StateTables>) => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

/** What a kind of database brings: the connection, and how changes of access are told to other processes. */
export interface StateDatabase {
  db: Kysely<StateTables>
  epoch: State['epoch']
  /** Inside the transaction of a change of access. */
  markChange: (transaction: Kysely<StateTables>) => Promise<void>
  /** Once it is committed. */
  announceChange: () => Promise<void> | void
  close: () => Promise<void>
}

export interface StateSettings {
  data_dir: string
  key_pepper?: string | undefined
  redis_url?: string | undefined
}

/** Opens (and, if need be, creates and migrates) the state of an installation. */
export async function openState(settings: StateSettings): Promise<State> {
  const paths = dataPaths(settings.data_dir)
  mkdirSync(settings.data_dir, { recursive: true })
  const state = await openStateAt(paths.state, settings.key_pepper ?? readPepper(paths.pepper))
  return settings.redis_url ? announcing(state, settings.redis_url) : state
}

/** The gates of several processes hear of changes over Redis; without one, none of its packages is loaded. */
async function announcing(state: State, redis_url: string): Promise<State> {
  const { announcedOverRedis } = await import('./announced-over-redis.ts')
  return announcedOverRedis(state, redis_url)
}

/** The same for a SQLite file (or `:memory:`). A write that returned is on the disk. */
export function openStateAt(file: string, pepper: string): Promise<State> {
  return stateOn(openSqlite(file), pepper)
}

async function stateOn(database: StateDatabase, pepper: string): Promise<State> {
  const { db, epoch, markChange, announceChange, close } = database
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
  return {
    ...{ db, pepper, epoch, close },
    async changeAccess(work) {
      const result = await db.transaction().execute(async (transaction) => {
        const done = await work(transaction)
        await markChange(transaction)
        return done
      })
      await announceChange()
      return result
    },
  }
}
