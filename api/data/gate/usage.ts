import type { Kysely } from 'kysely'
import { DAY_MS } from '../../../config/domain.ts'
import type { StateTables, UsageRow } from '../../state/tables.ts'

/** One write of counted calls, by a name that only its process uses: it is done once, however often it is tried. */
export interface UsageBatch {
  writer: string
  /** 1 and on, from write to write. */
  number: number
  /** Epoch milliseconds. */
  at: number
}

/** Most rows of one statement: databases allow only so many parameters. */
const ROWS = 500
/** A process that has not written for so long is gone, and so is what it might have tried again. */
const WRITER_KEPT_MS = 7 * DAY_MS

/** Adds calls to those written, all or none of them; a batch that has been written already, not again. */
export async function addUsage(db: Kysely<StateTables>, rows: UsageRow[], batch?: UsageBatch): Promise<void> {
  const sorted = summed(rows)
  await db.transaction().execute(async (transaction) => {
    if (batch && !(await isFirst(transaction, batch))) return
    for (let from = 0; from < sorted.length; from += ROWS)
      await transaction
        .insertInto('usage')
        .values(sorted.slice(from, from + ROWS))
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'day', 'endpoint'])
            .doUpdateSet((expression) => ({ calls: expression('usage.calls', '+', expression.ref('excluded.calls')) })),
        )
        .execute()
  })
}

/** One row for each account, day and endpoint, in their order: processes that write the same rows then never block each other. */
function summed(rows: UsageRow[]): UsageRow[] {
  const byPlace = new Map<string, UsageRow>()
  for (const row of rows) {
    const place = `${row.account_id} ${row.day} ${row.endpoint}`
    byPlace.set(place, { ...row, calls: row.calls + (byPlace.get(place)?.calls ?? 0) })
  }
  return [...byPlace.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

/**
 * Notes that a batch is written; false when it was before. Where an earlier try is still being committed, this waits for
 * what comes of it.
 */
async function isFirst(transaction: Kysely<StateTables>, { writer, number, at }: UsageBatch): Promise<boolean> {
  const written_at = new Date(at).toISOString()
  const { numInsertedOrUpdatedRows = 0n } = await transaction
    .insertInto('usage_writers')
    .values({ writer, batch: number, written_at })
    .onConflict((conflict) =>
      conflict.column('writer').doUpdateSet({ batch: number, written_at }).where('usage_writers.batch', '<', number),
    )
    .executeTakeFirstOrThrow()
  if (number === 1)
    await transaction
      .deleteFrom('usage_writers')
      .where('written_at', '<', new Date(at - WRITER_KEPT_MS).toISOString())
      .execute()
  return numInsertedOrUpdatedRows > 0n
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
