import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import Database from 'libsql'
import { dataPaths } from '../../config/settings.ts'
import { readPepper } from '../access/pepper.ts'
import { MIGRATIONS } from './migrations/index.ts'
import type { StateTables } from './tables.ts'

/** The open state: accounts, keys and usage. The api and the command line may hold it at the same time. */
export interface State {
  db: Kysely<StateTables>
  /** The secret that keys and source addresses are hashed with. */
  pepper: string
  /** A number that changes whenever keys or usage may have been changed by someone else, here or in another process. */
  epoch: () => number
  /** To be called after each write to `keys`, so that caches in this process let go of what they hold. */
  keysChanged: () => void
  close: () => Promise<void>
}

/**
 * Opens (and, if need be, creates and migrates) the embedded state database of a data folder.
 * A write that returned is on the disk: WAL with synchronous=FULL.
 */
export async function openState(settings: { data_dir: string; key_pepper?: string | undefined }): Promise<State> {
  const paths = dataPaths(settings.data_dir)
  mkdirSync(dirname(paths.state), { recursive: true })
  const database = new Database(paths.state)
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON', 'busy_timeout = 5000'])
    database.pragma(pragma)
  const db = new Kysely<StateTables>({ dialect: new SqliteDialect({ database }) })
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error

  // SQLite counts the commits of other connections in data_version, our own not: those we count ourselves.
  const dataVersion = database.prepare('PRAGMA data_version')
  let seen = (dataVersion.get() as { data_version: number }).data_version
  let epoch = 0
  return {
    db,
    pepper: settings.key_pepper ?? readPepper(paths.pepper),
    epoch: () => {
      const { data_version } = dataVersion.get() as { data_version: number }
      if (data_version !== seen) {
        seen = data_version
        epoch++
      }
      return epoch
    },
    keysChanged: () => {
      epoch++
    },
    close: () => db.destroy(),
  }
}
