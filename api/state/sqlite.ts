import { Kysely, SqliteDialect } from 'kysely'
import Database from 'libsql'
import { watchForeignCommits } from './foreign-commits.ts'
import type { StateDatabase } from './open.ts'
import type { StateTables } from './tables.ts'

/** The state on a SQLite file (or `:memory:`). A write that returned is on the disk: WAL with synchronous=FULL. */
export function openSqlite(file: string): StateDatabase {
  const database = new Database(file)
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON', 'busy_timeout = 5000'])
    database.pragma(pragma)
  const db = new Kysely<StateTables>({ dialect: new SqliteDialect({ database }) })

  // SQLite counts the commits of other connections in data_version, our own not: those we count ourselves.
  let statement: Database.Statement | null = null
  const readVersion = () => {
    statement ??= database.prepare('PRAGMA data_version').raw()
    return (statement.get() as [number])[0]
  }
  let seen = readVersion()
  let epoch = 0
  const others = watchForeignCommits(file)
  return {
    db,
    epoch: () => {
      if (!others.mayHave()) return epoch
      const version = readVersion()
      if (version !== seen) {
        seen = version
        epoch++
      }
      return epoch
    },
    markChange: async () => undefined,
    announceChange: () => {
      epoch++
      others.announce()
    },
    close: () => {
      others.close()
      return db.destroy()
    },
  }
}
