import type { CompiledQuery, DatabaseConnection, Dialect, Driver, Kysely, QueryResult } from 'kysely'
import { SelectQueryNode, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from './kysely.ts'
import type { SqliteConnection } from './sqlite-thread.ts'
import type { WriteTurns } from './write-turns.ts'

/** The two connections of a state: reads never wait for a write, and writes take turns. */
export interface StateConnections {
  reader: Pick<SqliteConnection, 'run' | 'close'>
  writer: SqliteConnection
  turns: WriteTurns
}

/**
 * One use of the state: a query or a transaction. A select outside of a transaction reads what is committed; everything
 * else goes to the writing connection in its turn.
 */
class StateUse implements DatabaseConnection {
  readonly #connections: StateConnections
  #hasTurn = false

  constructor(connections: StateConnections) {
    this.#connections = connections
  }

  async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    const { reader, writer } = this.#connections
    const statement = { sql, parameters }
    if (this.#hasTurn) return queryResult(await writer.run(statement))
    if (SelectQueryNode.is(query)) return queryResult(await reader.run(statement))
    await this.begin()
    try {
      // A setting of the connection is no transaction.
      return queryResult(await (isSetting(sql) ? writer.run(statement) : writer.write(statement)))
    } finally {
      this.end()
    }
  }

  exec(sql: string): Promise<void> {
    return this.#connections.writer.exec(sql)
  }

  /** Every use of ours fits in memory. */
  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('the state has no streams')
  }

  async begin(): Promise<void> {
    await this.#connections.turns.begin()
    this.#hasTurn = true
  }

  end(): void {
    if (!this.#hasTurn) return
    this.#hasTurn = false
    this.#connections.turns.end()
  }
}

const isSetting = (sql: string) => /^\s*pragma\b/i.test(sql)

function queryResult<R>({ rows, changes, lastInsertRowid }: Awaited<ReturnType<SqliteConnection['run']>>) {
  return {
    rows: rows as R[],
    ...(changes !== undefined && { numAffectedRows: BigInt(changes) }),
    ...(lastInsertRowid !== undefined && { insertId: BigInt(lastInsertRowid) }),
  }
}

class StateDriver implements Driver {
  readonly #connections: StateConnections

  constructor(connections: StateConnections) {
    this.#connections = connections
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<StateUse> {
    return new StateUse(this.#connections)
  }

  /**
   * Takes the write lock when a transaction begins. A transaction that reads first and writes later fails if another process
   * wrote in between (SQLITE_BUSY_SNAPSHOT), and waiting does not help it.
   */
  async beginTransaction(use: StateUse): Promise<void> {
    await use.begin()
    try {
      await use.exec('begin immediate')
    } catch (error) {
      use.end()
      throw error
    }
  }

  async commitTransaction(use: StateUse): Promise<void> {
    await use.exec('commit')
  }

  /** SQLite itself rolls back after some errors, like a full disk; the first error is the one to report. */
  async rollbackTransaction(use: StateUse): Promise<void> {
    await use.exec('rollback').catch((error: Error) => {
      if (!error.message.includes('no transaction is active')) throw error
    })
  }

  async releaseConnection(use: StateUse): Promise<void> {
    use.end()
  }

  async destroy(): Promise<void> {
    const { reader, writer } = this.#connections
    // The last connection that closes writes the log back into the file; the thread may wait for the disk.
    await reader.close()
    await writer.close()
  }
}

/**
 * SQLite can roll back changes of tables. With this, one of several starting processes migrates while the others wait, and
 * a process that is killed leaves no half-done migration.
 */
class StateAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** SQLite with one connection that reads and one that writes. */
export function stateDialect(connections: StateConnections): Dialect {
  return {
    createAdapter: () => new StateAdapter(),
    createDriver: () => new StateDriver(connections),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}
