import { closeSync, openSync } from 'node:fs'
import { CompiledQuery, type DatabaseConnection, Kysely, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely'
import Database from 'libsql'
import { asStateDamage, requireIntegrity } from './integrity.ts'
import { type Marker, readPosition, requireComplete } from './marker.ts'
import { makePrivate } from './private-files.ts'
import { watchCommitsOfOtherProcesses } from './sqlite-commit-watcher.ts'
import type { StateDatabase } from './state.ts'
import type { StateTables } from './tables.ts'

/**
 * Takes the write lock when a transaction begins. A transaction that reads first and writes later fails if another process
 * wrote in between (SQLITE_BUSY_SNAPSHOT), and waiting does not help it.
 */
class ImmediateTransactionDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

/**
 * SQLite can roll back changes of tables. With this, one of several starting processes migrates while the others wait, and
 * a process that is killed leaves no half-done migration.
 */
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

/** A stop waits at most this long for the readers of other processes, before it gives up emptying the log. */
const CHECKPOINT_WAIT_MS = 500

/** Files of the state that its owner alone may read. */
const STATE_FILES = ['', '-wal', '-shm', '-keys-changed', '-marker']

/** Creates the file of a new state for its owner only, and takes the rights of others away from an existing one. */
function makeStatePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
  for (const suffix of STATE_FILES) makePrivate(file + suffix)
}

function openDatabase(file: string, marker: Marker | null): Database.Database {
  if (file !== ':memory:') makeStatePrivate(file)
  const database = new Database(file)
  try {
    // busy_timeout comes first: when several processes open a new file, one turns it into a WAL file and the others wait.
    for (const pragma of ['busy_timeout = 5000', 'journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON'])
      database.pragma(pragma)
    if (file !== ':memory:') requireIntegrity(file, database)
    requireComplete(file, marker, readPosition(database))
    return database
  } catch (error) {
    database.close()
    throw asStateDamage(file, error)
  }
}

/**
 * The state on a SQLite file (or `:memory:`). A write that has returned is on disk: WAL with synchronous=FULL. The last
 * process that closes it leaves everything in the one file.
 * @throws HoldshortError STATE_DAMAGED; STATE_INCOMPLETE for a state that is not the one of the marker, or older.
 */
export function openSqlite(file: string, marker: Marker | null = null): StateDatabase {
  const database = openDatabase(file, marker)
  const db = new Kysely<StateTables>({ dialect: new StateDialect(database) })

  // SQLite's data_version counts the commits of other connections only, so our own are counted here.
  let statement: Database.Statement | null = null
  const readVersion = () => {
    statement ??= database.prepare('PRAGMA data_version').raw()
    return (statement.get() as [number])[0]
  }
  let lastDataVersion = readVersion()
  let accessVersion = 0
  const otherProcesses = watchCommitsOfOtherProcesses(file)
  return {
    db,
    accessVersion: () => {
      if (!otherProcesses.mayHaveCommitted()) return accessVersion
      const dataVersion = readVersion()
      if (dataVersion !== lastDataVersion) {
        lastDataVersion = dataVersion
        accessVersion++
      }
      return accessVersion
    },
    beginAccessChange: async () => undefined,
    announceAccessChange: () => {
      accessVersion++
      otherProcesses.announce()
    },
    close: () => {
      otherProcesses.close()
      try {
        database.pragma(`busy_timeout = ${CHECKPOINT_WAIT_MS}`)
        database.pragma('wal_checkpoint(TRUNCATE)')
      } catch {
        // What is in the log stays there, and the next process that opens the file reads it.
      }
      return db.destroy()
    },
  }
}
