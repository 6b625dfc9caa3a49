import { closeSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'libsql'
import { HoldshortError } from '../../config/errors.ts'
import { getOrCreate } from '../../config/once.ts'
import { asStateDamage, requireIntegrity, requireStateFile } from './integrity.ts'
import { Kysely } from './kysely.ts'
import { type Marker, readPosition, requireComplete } from './marker.ts'
import { forbiddenFile, makePrivate, stateFiles } from './private-files.ts'
import { watchCommitsOfOtherProcesses } from './sqlite-commit-watcher.ts'
import { stateDialect } from './sqlite-dialect.ts'
import { connectInThread, type SqliteConnection, type Statement, type StatementResult } from './sqlite-thread.ts'
import type { StateDatabase } from './state.ts'
import type { StateTables } from './tables.ts'
import { DatabaseHealth, StateBusyError, StateUnwritableError, unopenedError, unwritableError } from './unreachable.ts'
import { WriteTurns } from './write-turns.ts'

/** How long a write waits for its turn in this process, and then for the lock of another process. */
const WRITE_WAIT_MS = 5_000
/** Another process rarely keeps readers out, and then for a moment: while it recovers or removes the log. */
const READ_WAIT_MS = 5_000
const READ_RETRY_MS = 10

const PRAGMAS = [
  // The first one: when several processes open a new file, one turns it into a WAL file and the others wait.
  `busy_timeout = ${WRITE_WAIT_MS}`,
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
]

const isBusy = (error: unknown) => /^SQLITE_(BUSY|LOCKED)/.test((error as { code?: string }).code ?? '')

function asStateError(error: unknown): unknown {
  if (isBusy(error)) return new StateBusyError({ cause: error })
  return damagedError(error) ?? unwritableError(error) ?? error
}

/** The error of a file that SQLite cannot use, for clients, who must not learn its path; null for any other error. */
function damagedError(error: unknown): HoldshortError | null {
  const { code = '' } = error as { code?: string }
  if (!/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return null
  const text = 'the database of accounts and keys is damaged; run `holdshort doctor` for details'
  return new HoldshortError('STATE_DAMAGED', text, { cause: error })
}

/** The error of a start, for the operator. */
function asOpeningError(file: string, error: unknown): unknown {
  const isDamage = error instanceof HoldshortError && error.code === 'STATE_DAMAGED' && error.cause !== undefined
  const unwritable = error instanceof StateUnwritableError ? error : unwritableError(error)
  return unwritable ? unopenedError(file, unwritable) : asStateDamage(file, isDamage ? error.cause : error)
}

function runIn(database: Database.Database, { sql, parameters }: Statement): StatementResult {
  const statement = database.prepare(sql)
  if (statement.reader) return { rows: statement.all(parameters) }
  const { changes, lastInsertRowid } = statement.run(parameters)
  return { rows: [], changes, lastInsertRowid: Number(lastInsertRowid) }
}

/**
 * The turns of each file. All connections to a file share them: the thread that would wait for the lock of one connection is also the
 * one that has to end its transaction.
 */
const turnsOfFiles = new Map<string, WriteTurns>()

function turnsOf(file: string): WriteTurns {
  if (file === ':memory:') return new WriteTurns(WRITE_WAIT_MS)
  return getOrCreate(turnsOfFiles, resolve(file), () => new WriteTurns(WRITE_WAIT_MS))
}

/** The connection of the main thread. It only reads, and never waits inside SQLite. */
class Reader {
  readonly #open: () => Database.Database
  #database: Database.Database

  constructor(open: () => Database.Database) {
    this.#open = open
    this.#database = open()
  }

  /**
   * Runs `read`. When another process keeps readers out, the connection is replaced: the statement that met the lock would
   * stay active, and with it what the connection sees would stay as it is now.
   */
  now<T>(read: (database: Database.Database) => T): T {
    try {
      return read(this.#database)
    } catch (error) {
      if (isBusy(error)) {
        this.close()
        this.#database = this.#open()
      }
      throw error
    }
  }

  /** The same, again until another process no longer keeps readers out. */
  async whenReadable<T>(read: (database: Database.Database) => T): Promise<T> {
    for (const start = performance.now(); ; await wait(READ_RETRY_MS)) {
      try {
        return this.now(read)
      } catch (error) {
        if (!isBusy(error) || performance.now() - start > READ_WAIT_MS) throw asStateError(error)
      }
    }
  }

  close(): void {
    if (this.#database.open) this.#database.close()
  }
}

const connectionTo = (reader: Reader): Pick<SqliteConnection, 'run' | 'close'> => ({
  run: (statement) => reader.whenReadable((database) => runIn(database, statement)),
  close: async () => reader.close(),
})

async function writingConnection(file: string, health: DatabaseHealth): Promise<SqliteConnection> {
  const inThread = await connectInThread(file, PRAGMAS).catch((error) => {
    throw asStateError(error)
  })
  const observed = async <T>(sql: string, work: Promise<T>): Promise<T> => {
    try {
      const result = await work
      health.succeeded(sql)
      return result
    } catch (error) {
      throw health.failed(asStateError(error))
    }
  }
  return {
    run: (statement) => observed(statement.sql, inThread.run(statement)),
    write: (statement) => observed(statement.sql, inThread.write(statement)),
    exec: (sql) => observed(sql, inThread.exec(sql)),
    close: inThread.close,
  }
}

/** Creates the file of a new state for its owner only, and takes the rights of others away from an existing one. */
function makeStatePrivate(file: string): void {
  requireStateFile(file)
  closeSync(openSync(file, 'a', 0o600))
  for (const path of stateFiles(file)) makePrivate(path)
}

/** The connections of a state. One in memory has a single connection, because nobody else can lock it. */
async function connect(file: string, marker: Marker | null, health: DatabaseHealth) {
  if (file === ':memory:') {
    const reader = new Reader(() => {
      const database = new Database(file)
      database.pragma('foreign_keys = ON')
      return database
    })
    const { run, close } = connectionTo(reader)
    const exec = async (sql: string) => {
      reader.now((database) => database.exec(sql))
    }
    const writer: SqliteConnection = { run, write: run, exec, close }
    return { reader, writer }
  }
  const forbidden = forbiddenFile(file)
  if (forbidden !== null)
    throw unopenedError(file, new StateUnwritableError(`this user may not use ${forbidden}`, { cause: null }))
  try {
    makeStatePrivate(file)
  } catch (error) {
    throw asOpeningError(file, error)
  }
  // The thread opens the file first: it may have to wait for another process that creates or recovers it.
  const writer = await writingConnection(file, health).catch((error) => {
    throw asOpeningError(file, error)
  })
  const reader = new Reader(() => {
    const database = new Database(file)
    database.pragma('busy_timeout = 0')
    database.pragma('query_only = ON')
    return database
  })
  try {
    await reader.whenReadable((database) => {
      requireIntegrity(file, database)
      requireComplete(file, marker, readPosition(database))
    })
  } catch (error) {
    reader.close()
    await writer.close()
    throw asOpeningError(file, error)
  }
  return { reader, writer }
}

/** A stop waits at most this long for the readers of other processes, before it gives up emptying the log. */
const CHECKPOINT_WAIT_MS = 500

/** Brings everything that is in the log into the one file. */
async function emptyLog({ run }: SqliteConnection): Promise<void> {
  try {
    await run({ sql: `PRAGMA busy_timeout = ${CHECKPOINT_WAIT_MS}`, parameters: [] })
    await run({ sql: 'PRAGMA wal_checkpoint(TRUNCATE)', parameters: [] })
  } catch {
    // Rows in the log stay there, and the next process that opens the file reads them.
  }
}

export interface SqliteState extends StateDatabase {
  /** Statements that this process has run in order to write. */
  writes: () => number
}

/**
 * The state on a SQLite file (or `:memory:`). A write that has returned is on disk: WAL with synchronous=FULL. This thread only reads, and
 * in WAL nobody waits for a writer; writes run in a thread of their own. The last process that closes it leaves everything in the one file.
 * @throws HoldshortError STATE_DAMAGED; STATE_INCOMPLETE for a state that is not the one of the marker, or older.
 */
export async function openSqlite(
  file: string,
  marker: Marker | null = null,
  onUnwatched?: (message: string) => void,
): Promise<SqliteState> {
  const health = new DatabaseHealth()
  const { reader, writer } = await connect(file, marker, health)
  let writes = 0
  const counted = <T>(work: Promise<T>): Promise<T> => {
    writes += 1
    return work
  }
  const countingWriter: SqliteConnection = {
    run: (statement) => counted(writer.run(statement)),
    write: (statement) => counted(writer.write(statement)),
    exec: (sql) => counted(writer.exec(sql)),
    close: writer.close,
  }
  const db = new Kysely<StateTables>({
    dialect: stateDialect({
      reader: connectionTo(reader),
      writer: countingWriter,
      turns: turnsOf(file),
    }),
  })

  const otherProcesses = watchCommitsOfOtherProcesses(file, onUnwatched)
  const statements = new WeakMap<Database.Database, Database.Statement>()
  const readVersion = (database: Database.Database) => {
    const statement =
      statements.get(database) ?? database.prepare('select version from access_version where id = 1').raw()
    statements.set(database, statement)
    version = (statement.get() as [number])[0]
    return version + commits
  }
  let version = -1
  /** Commits of other processes that change no access, like usage. */
  let commits = 0
  let lastDataVersion: unknown = null
  let isLooking = false
  /** SQLite counts the commits of other connections for each connection; ours that writes thus knows those of other processes. */
  const lookForCommits = async () => {
    if (isLooking) return
    isLooking = true
    try {
      const [row] = (await writer.run({ sql: 'PRAGMA data_version', parameters: [] })).rows
      const dataVersion = (row as { data_version: number }).data_version
      if (lastDataVersion !== null && dataVersion !== lastDataVersion) commits++
      lastDataVersion = dataVersion
    } catch {
      // Read again at the next call.
    } finally {
      isLooking = false
    }
  }
  return {
    db,
    accessVersion: () => {
      if (!otherProcesses.mayHaveCommitted()) return version + commits
      void lookForCommits()
      try {
        return reader.now(readVersion)
      } catch (error) {
        if (!isBusy(error)) throw error
        return reader.whenReadable(readVersion)
      }
    },
    fault: () => health.fault,
    announceAccessChange: () => otherProcesses.announce(),
    writes: () => writes,
    close: async () => {
      otherProcesses.close()
      if (file !== ':memory:') await emptyLog(writer)
      await db.destroy()
    },
  }
}
