import { Kysely, PostgresDialect } from 'kysely'
import { coalescedReads } from './coalesced-reads.ts'
import { openPool } from './postgresql-pool.ts'
import type { StateDatabase } from './state.ts'
import type { StateTables } from './tables.ts'
import { WriteHealth } from './unreachable.ts'

/** The state on PostgreSQL, for several processes and machines. A write that has returned is on the server's disk. */
export function openPostgresql(url: string): StateDatabase {
  const health = new WriteHealth()
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
    writeFault: () => health.fault,
    announceAccessChange: () => undefined,
    close: () => db.destroy(),
  }
}
