import { CompiledQuery, type DatabaseConnection, Kysely, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely'
import Database from 'libsql'
import { watchCommitsOfOtherProcesses } from './sqlite-commit-watcher.ts'
import type { StateDatabase } from './state.ts'
import type { StateTables } from './tables.ts'

/**
 * Takes the write lock when a transaction begins: one that reads first and writes later would fail where another process
 * wrote in between (SQLITE_BUSY_SNAPSHOT), and no waiting would help it.
 */
class ImmediateTransactionDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

/** SQLite does take back changes of tables; so of several processes that start at once one migrates, and a kill leaves no half. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class StateDialect extends SqliteDialect {
  readonly #database: Database.Database
  constructor(database: Database.Database) {
    super({ database })
    this.#database = database
  }
  override createDriver() {
    return new ImmediateTransactionDriver({ database: this.#database })
  }
  override createAdapter() {
    return new TransactionalDdlAdapter()
  }
}

/** The state on a SQLite file (or `:memory:`). A write that returned is on the disk: WAL with synchronous=FULL. */
export function openSqlite(file: string): StateDatabase {
  const database = new Database(file)
  // The patience comes first: of processes that open a new file at once, one makes it a WAL file and the others wait.
  for (const pragma of ['busy_timeout = 5000', 'journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON'])
    database.pragma(pragma)
  const db = new Kysely<StateTables>({ dialect: new StateDialect(database) })

  // SQLite counts the commits of other connections in data_version, our own not: those we count ourselves.
  let statement: Database.Statement | null = null
  const readVersion = () => {
    statement ??= database.prepare('PRAGMA data_version').raw()
    return (statement.get() as [number])[0]
  }
  let seen = readVersion()
  let epoch = 0
  const others = watchCommitsOfOtherProcesses(file)
  return {
    db,
    accessVersion: () => {
      if (!others.mayHaveCommitted()) return epoch
      const version = readVersion()
      if (version !== seen) {
        seen = version
        epoch++
      }
      return epoch
    },
    beginAccessChange: async () => undefined,
    announceAccessChange: () => {
      epoch++
      others.announce()
    },
    close: () => {
      others.close()
      return db.destroy()
    },
  }
}
