import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'
import { Kysely, PostgresDialect } from './kysely.ts'
import type { StateDatabase } from './state.ts'
import type { StateTables } from './tables.ts'
import { asStateError, DatabaseHealth, StateUnwritableError } from './unreachable.ts'

/**
 * Coalesces concurrent calls of `read`: at most one runs and one waits for it. A caller never receives a read that started
 * before its own call, so its result includes every write that was acknowledged before the call.
 */
export function coalescedReads<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  let waiting: Promise<T> | null = null
  const start = (): Promise<T> => {
    const reading = read().finally(() => {
      running = null
    })
    running = reading
    return reading
  }
  const startAfter = async (current: Promise<T>): Promise<T> => {
    await current.catch(() => undefined)
    waiting = null
    return start()
  }
  return () => {
    if (waiting !== null) return waiting
    if (running === null) return start()
    waiting = startAfter(running)
    return waiting
  }
}

/** The state on PostgreSQL, for several processes and machines. A write that has returned is on the server's disk. */
export function openPostgresql(url: string): StateDatabase {
  const health = new DatabaseHealth()
  const db = new Kysely<StateTables>({ dialect: new PostgresDialect({ pool: openPool(url, health) }) })
  const accessVersion = coalescedReads(async () => {
    const { version } = await db
      .selectFrom('access_version')
      .select('version')
      .where('id', '=', 1)
      .executeTakeFirstOrThrow()
    return version
  })
  return {
    db,
    accessVersion,
    fault: () => health.fault,
    announceAccessChange: () => undefined,
    close: () => db.destroy(),
  }
}

const CONNECTIONS = 10
const CONNECT_MS = 5_000
/** Time limit of a statement. After it expires, it is unknown whether the statement was executed. */
const ANSWER_MS = 10_000

/**
 * First statement on a new connection. The idle timeout frees the locks of a transaction whose process has died. The
 * durability of a commit must not depend on the server's settings; a stronger setting than ours is kept. Neither must the isolation:
 * our transactions wait for each other's rows, and at another level the later one would fail.
 */
const PREPARE = `select set_config('idle_in_transaction_session_timeout', '30s', false),
  set_config('default_transaction_isolation', 'read committed', false),
  set_config('synchronous_commit', case current_setting('synchronous_commit')
    when 'remote_apply' then 'remote_apply' else 'on' end, false)`

/** Sums and counters are parsed as numbers, as SQLite returns them: none of ours comes near 2^53. */
const NUMBERS = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC])
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    NUMBERS.has(oid) ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** A pool of PostgreSQL connections that discards broken ones and reports connection failures as STATE_UNREACHABLE. */
export function openPool(url: string, health = new DatabaseHealth()): PostgresPool {
  const options: pg.PoolConfig = {
    connectionString: url,
    application_name: 'holdshort',
    types,
    max: CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
  }
  const pool = new pg.Pool(options)
  // The pool discards an idle connection that breaks; no request is affected.
  pool.on('error', () => undefined)
  // A connection that breaks between two statements fails at the next one, so this event needs no action. The listener is
  // added before the connection is first used, because an 'error' event without a listener ends the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const prepared = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    end: () => pool.end(),
    async connect() {
      const { successes } = health
      try {
        const client = await pool.connect()
        return prepared.get(client) ?? (await prepare(client, prepared))
      } catch (error) {
        throw health.failed(asStateError(error), successes)
      }
    },
  }

  async function prepare(client: pg.PoolClient, wrappers: typeof prepared): Promise<PostgresPoolClient> {
    try {
      await client.query(PREPARE)
    } catch (error) {
      client.release(true)
      throw error
    }
    const wrapped = wrapClient(client, health)
    wrappers.set(client, wrapped)
    return wrapped
  }
}

/** One connection of the pool; after a connection failure it is not used again. */
function wrapClient(client: pg.PoolClient, health: DatabaseHealth): PostgresPoolClient {
  let broken = false
  const query = async <R>(text: string, parameters: readonly unknown[]) => {
    const { successes } = health
    try {
      const result = (await client.query(text, parameters.map(storable))) as unknown as PostgresQueryResult<R>
      health.succeeded(text)
      return result
    } catch (error) {
      const stateError = asStateError(error)
      if (stateError !== error && !(stateError instanceof StateUnwritableError)) broken = true
      throw health.failed(stateError, successes)
    }
  }
  // Kysely's type also allows cursors, which are never used here.
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(broken),
  }
}

/** PostgreSQL's text type cannot hold U+0000; a caller that sends it must not cause an internal error. */
const storable = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '\u{fffd}') : value)
