import { createRequire } from 'node:module'
import { projectText } from '../../config/project-text.ts'
import { startThread, type WorkerThread } from '../../config/worker-thread.ts'

/** A statement with its parameters, and what it returned. */
export interface Statement {
  sql: string
  parameters: readonly unknown[]
}
export interface StatementResult {
  rows: unknown[]
  changes?: number | undefined
  lastInsertRowid?: number | undefined
}

/** One connection to a SQLite file. */
export interface SqliteConnection {
  /** A statement that reads, or is part of a transaction. */
  run: (statement: Statement) => Promise<StatementResult>
  /** A statement that is a transaction of its own. */
  write: (statement: Statement) => Promise<StatementResult>
  /** Begins or ends a transaction. */
  exec: (sql: string) => Promise<void>
  close: () => Promise<void>
}

/**
 * Runs the statements of all writing connections of this process. A thread may wait for another process's lock and for the
 * disk; the event loop may not.
 *
 * A prepared statement that met a lock stays active in SQLite until the garbage collector finds it, and while it is, no
 * transaction of its connection ends: writes would be acknowledged and lost. So whatever may meet a lock runs by `exec`,
 * which leaves no statement behind, and a connection on which a statement met a lock is replaced.
 */
const THREAD = projectText('api/state/sqlite-thread.cjs')

interface ThreadRequest {
  action: 'open' | 'run' | 'write' | 'exec' | 'close'
  request: object
}

let thread: WorkerThread<ThreadRequest, StatementResult | undefined> | null = null

function startStatements(): WorkerThread<ThreadRequest, StatementResult | undefined> {
  const workerData = { libsql: createRequire(import.meta.url).resolve('libsql') }
  // Whether the statements in progress were executed is unknown: the process must not go on.
  return startThread(THREAD, workerData, (error) => {
    throw error
  })
}

let connections = 0

/** Opens a connection in the thread. @throws the error of SQLite, with its code, like SQLITE_BUSY */
export async function connectInThread(file: string, pragmas: readonly string[]): Promise<SqliteConnection> {
  thread ??= startStatements()
  const running = thread
  const connection = ++connections
  const rowsOf = async (action: 'run' | 'write', { sql, parameters }: Statement) =>
    (await running.call({ action, request: { connection, sql, parameters } })) ?? { rows: [] }
  await running.call({ action: 'open', request: { connection, file, pragmas } })
  return {
    run: (statement) => rowsOf('run', statement),
    write: (statement) => rowsOf('write', statement),
    exec: async (sql) => {
      await running.call({ action: 'exec', request: { connection, sql } })
    },
    close: async () => {
      await running.call({ action: 'close', request: { connection } })
    },
  }
}
