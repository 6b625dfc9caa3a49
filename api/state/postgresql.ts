import { Kysely, PostgresDialect } from './kysely.ts'
import { openPool } from './postgresql-pool.ts'
import type { StateDatabase } from './state.ts'
import type { StateTables } from './tables.ts'
import { DatabaseHealth } from './unreachable.ts'

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
