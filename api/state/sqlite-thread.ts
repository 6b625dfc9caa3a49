import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

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
 * disk; the event loop may not. It is plain CommonJS text because tests run the sources, which a thread cannot load.
 *
 * A prepared statement that met a lock stays active in SQLite until the garbage collector finds it, and while it is, no
 * transaction of its connection ends: writes would be acknowledged and lost. So whatever may meet a lock runs by `exec`,
 * which leaves no statement behind, and a connection on which a statement met a lock is replaced.
 */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads')
const Database = require(workerData.libsql)
const connections = new Map()
function connect({ file, pragmas }) {
  const database = new Database(file)
  try {
    for (const pragma of pragmas) database.pragma(pragma)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
function execute(database, { sql, parameters }) {
  const statement = database.prepare(sql)
  if (statement.reader) return { rows: statement.all(parameters) }
  const { changes, lastInsertRowid } = statement.run(parameters)
  return { rows: [], changes, lastInsertRowid }
}
const actions = {
  open: ({ connection, ...options }) => void connections.set(connection, { options, database: connect(options) }),
  exec: ({ connection, sql }) => connections.get(connection).database.exec(sql),
  run(request) {
    const entry = connections.get(request.connection)
    try {
      return execute(entry.database, request)
    } catch (error) {
      if (/^SQLITE_BUSY/.test(error.code) && !entry.database.inTransaction) {
        entry.database.close()
        entry.database = connect(entry.options)
      }
      throw error
    }
  },
  write(request) {
    const { database } = connections.get(request.connection)
    database.exec('begin immediate')
    try {
      const result = execute(database, request)
      database.exec('commit')
      return result
    } catch (error) {
      if (database.inTransaction) database.exec('rollback')
      throw error
    }
  },
  close({ connection }) {
    connections.get(connection)?.database.close()
    connections.delete(connection)
  },
}
parentPort.on('message', ({ id, action, request }) => {
  try {
    parentPort.postMessage({ id, result: actions[action](request) })
  } catch (error) {
    parentPort.postMessage({ id, error: { message: error.message, code: error.code } })
  }
})`

interface Answer {
  id: number
  result?: StatementResult
  error?: { message: string; code?: string }
}

interface Waiting {
  resolve: (result: StatementResult) => void
  reject: (error: unknown) => void
}

/** The thread and the requests that it has not answered yet. It keeps the process alive only while it has some. */
class SqliteThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #requests = 0

  constructor() {
    const workerData = { libsql: createRequire(import.meta.url).resolve('libsql') }
    this.#worker = new Worker(THREAD, { eval: true, workerData, execArgv: [] })
    this.#worker.on('message', (answer: Answer) => this.#settle(answer))
    // Whether the statements in progress were executed is unknown: the process must not go on.
    this.#worker.on('error', (error) => {
      throw error
    })
    this.#worker.unref()
  }

  request(action: 'open' | 'run' | 'write' | 'exec' | 'close', request: object): Promise<StatementResult> {
    const id = ++this.#requests
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) this.#worker.ref()
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage({ id, action, request })
    })
  }

  #settle({ id, result, error }: Answer): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (this.#waiting.size === 0) this.#worker.unref()
    if (error) waiting?.reject(Object.assign(new Error(error.message), { code: error.code }))
    else waiting?.resolve(result ?? { rows: [] })
  }
}

let thread: SqliteThread | null = null
let connections = 0

/** Opens a connection in the thread. @throws the error of SQLite, with its code, like SQLITE_BUSY */
export async function connectInThread(file: string, pragmas: readonly string[]): Promise<SqliteConnection> {
  thread ??= new SqliteThread()
  const running = thread
  const connection = ++connections
  await running.request('open', { connection, file, pragmas })
  return {
    run: ({ sql, parameters }) => running.request('run', { connection, sql, parameters }),
    write: ({ sql, parameters }) => running.request('write', { connection, sql, parameters }),
    exec: async (sql) => {
      await running.request('exec', { connection, sql })
    },
    close: async () => {
      await running.request('close', { connection })
    },
  }
}
