import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'
import { asStateError } from './unreachable.ts'

const CONNECTIONS = 10
const CONNECT_MS = 5_000
/** A statement that is not answered within this is given up: then nobody knows whether it was done. */
const ANSWER_MS = 10_000

/**
 * Of a new connection. A transaction whose process is gone without a word must not hold its locks for long. What a commit
 * means is not left to the server's settings; a stronger meaning than ours stays.
 */
const PREPARE = `select set_config('idle_in_transaction_session_timeout', '30s', false),
  set_config('synchronous_commit', case current_setting('synchronous_commit')
    when 'remote_apply' then 'remote_apply' else 'on' end, false)`

/** Sums and counters come as numbers, as they do from SQLite: none of ours comes near 2^53. */
const NUMBERS = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC])
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    NUMBERS.has(oid) ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** Connections to a PostgreSQL, none of which outlives a fault; what cannot be reached is a HoldshortError STATE_UNREACHABLE. */
export function openPool(url: string): PostgresPool {
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
  // A connection that breaks while it rests is thrown away by the pool; there is nobody to tell.
  pool.on('error', () => undefined)
  // One that breaks between two statements tells at the next; so from its first moment, which is before it is handed out.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const prepared = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    options,
    end: () => pool.end(),
    async connect() {
      try {
        const client = await pool.connect()
        return prepared.get(client) ?? (await prepare(client, prepared))
      } catch (error) {
        throw asStateError(error)
      }
    },
  }

  async function prepare(client: pg.PoolClient, known: typeof prepared): Promise<PostgresPoolClient> {
    try {
      await client.query(PREPARE)
    } catch (error) {
      client.release(true)
      throw error
    }
    const sturdy = wrapClient(client)
    known.set(client, sturdy)
    return sturdy
  }
}

/** One connection of the pool; once it has failed as a connection it is not used again. */
function wrapClient(client: pg.PoolClient): PostgresPoolClient {
  let broken = false
  const query = async <R>(text: string, parameters: readonly unknown[]) => {
    try {
      return (await client.query(text, parameters.map(storable))) as unknown as PostgresQueryResult<R>
    } catch (error) {
      const told = asStateError(error)
      if (told !== error) broken = true
      throw told
    }
  }
  // Cursors, the other thing that Kysely's type has, are never asked for.
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(broken || destroy),
  }
}

/** PostgreSQL's texts cannot hold U+0000; a caller that sends one must not be a fault of ours. */
const storable = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '\u{fffd}') : value)
