import { mkdirSync } from 'node:fs'
import { Kysely, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import Database from 'libsql'
import { dataPaths } from '../../config/settings.ts'
import { readPepper } from '../access/pepper.ts'
import { watchForeignCommits } from './foreign-commits.ts'
import { MIGRATIONS } from './migrations/index.ts'
import type { StateTables } from './tables.ts'

/** The open state: accounts, keys and usage. The api and the command line may hold it at the same time. */
export interface State {
  db: Kysely<StateTables>
  /** The secret that keys and source addresses are hashed with. */
  pepper: string
  /**
   * A number that changes whenever keys or usage may have been changed by someone else, here or in another process.
   * What other processes commit is known before a request sent after it is answered (foreign-commits.ts).
   */
  epoch: () => number
  /** To be called after each write to `keys`, so that caches in this process let go of what they hold. */
  keysChanged: () => void
  close: () => Promise<void>
}

/** Opens (and, if need be, creates and migrates) the embedded state database of a data folder. */
export function openState(settings: { data_dir: string; key_pepper?: string | undefined }): Promise<State> {
  const paths = dataPaths(settings.data_dir)
  mkdirSync(settings.data_dir, { recursive: true })
  return openStateAt(paths.state, settings.key_pepper ?? readPepper(paths.pepper))
}

/** The same for a file (or `:memory:`). A write that returned is on the disk: WAL with synchronous=FULL. */
export async function openStateAt(file: string, pepper: string): Promise<State> {
  const database = new Database(file)
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON', 'busy_timeout = 5000'])
    database.pragma(pragma)
  const db = new Kysely<StateTables>({ dialect: new SqliteDialect({ database }) })
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error

  // SQLite counts the commits of other connections in data_version, our own not: those we count ourselves.
  const dataVersion = database.prepare('PRAGMA data_version').raw()
  const readVersion = () => (dataVersion.get() as [number])[0]
  let seen = readVersion()
  let epoch = 0
  const others = watchForeignCommits(file)
  return {
    db,
    pepper,
    epoch: () => {
      if (!others.mayHave()) return epoch
      const version = readVersion()
      if (version !== seen) {
        seen = version
        epoch++
      }
      return epoch
    },
    keysChanged: () => {
      epoch++
      others.announce()
    },
    close: () => {
      others.close()
      return db.destroy()
    },
  }
}
