import type { Kysely } from 'kysely'
import type { StateTables, UsageRow } from '../state/tables.ts'

/** Adds calls to those written, all or none of them. */
export async function addUsage(db: Kysely<StateTables>, rows: UsageRow[]): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const row of rows) {
      await transaction
        .insertInto('usage')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'day', 'endpoint'])
            .doUpdateSet((expression) => ({ calls: expression('usage.calls', '+', row.calls) })),
        )
        .execute()
    }
  })
}

/** Billed calls of an account's month (YYYY-MM, UTC) by endpoint, as far as they are written. */
export async function usageByEndpoint(
  db: Kysely<StateTables>,
  accountId: string,
  month: string,
): Promise<{ endpoint: string; calls: number }[]> {
  const rows = await usageOf(db, accountId, month)
    .select(['endpoint', ({ fn }) => fn.sum('calls').as('calls')])
    .groupBy('endpoint')
    .orderBy('endpoint')
    .execute()
  // PostgreSQL gives sums as texts.
  return rows.map(({ endpoint, calls }) => ({ endpoint, calls: Number(calls) }))
}

/** The same by day; a day without calls is absent. */
export async function usageByDay(
  db: Kysely<StateTables>,
  accountId: string,
  month: string,
): Promise<{ day: string; calls: number }[]> {
  const rows = await usageOf(db, accountId, month)
    .select(['day', ({ fn }) => fn.sum('calls').as('calls')])
    .groupBy('day')
    .orderBy('day')
    .execute()
  return rows.map(({ day, calls }) => ({ day, calls: Number(calls) }))
}

/** All billed calls of an account's month, as far as they are written. */
export async function callsOfMonth(db: Kysely<StateTables>, accountId: string, month: string): Promise<number> {
  const rows = await usageByEndpoint(db, accountId, month)
  return rows.reduce((sum, { calls }) => sum + calls, 0)
}

function usageOf(db: Kysely<StateTables>, accountId: string, month: string) {
  return db
    .selectFrom('usage')
    .where('account_id', '=', accountId)
    .where('day', '>=', `${month}-01`)
    .where('day', '<=', `${month}-31`)
}
