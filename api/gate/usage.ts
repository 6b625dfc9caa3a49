import type { Kysely } from 'kysely'
import { DAY_MS } from '../../config/vocabulary.ts'
import type { StateTables, UsageRow } from '../state/tables.ts'

/** Identifies one write of counted calls, so that a batch that is retried is stored only once. */
export interface UsageBatch {
  /** Random id of the process. */
  writer: string
  /** 1, 2, 3 …, counted by the process. */
  number: number
  /** Epoch milliseconds. */
  written_ms: number
}

/** Databases limit the number of parameters of a statement. */
const MAX_ROWS_PER_STATEMENT = 500
/** A process that has not written for this long has ended and retries nothing. */
const WRITER_RETENTION_MS = 7 * DAY_MS

/** Adds calls to the stored usage in one transaction. A batch that has already been stored is skipped. */
export async function addUsage(db: Kysely<StateTables>, rows: UsageRow[], batch?: UsageBatch): Promise<void> {
  const sorted = summedAndSorted(rows)
  await db.transaction().execute(async (transaction) => {
    if (batch && !(await recordBatch(transaction, batch))) return
    for (let from = 0; from < sorted.length; from += MAX_ROWS_PER_STATEMENT)
      await transaction
        .insertInto('usage')
        .values(sorted.slice(from, from + MAX_ROWS_PER_STATEMENT))
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'day', 'endpoint'])
            .doUpdateSet((expression) => ({ calls: expression('usage.calls', '+', expression.ref('excluded.calls')) })),
        )
        .execute()
  })
}

/** One row per account, day and endpoint. They are sorted so that processes that write the same rows cannot deadlock. */
function summedAndSorted(rows: UsageRow[]): UsageRow[] {
  const byKey = new Map<string, UsageRow>()
  for (const row of rows) {
    const key = `${row.account_id} ${row.day} ${row.endpoint}`
    byKey.set(key, { ...row, calls: row.calls + (byKey.get(key)?.calls ?? 0) })
  }
  return [...byKey.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

/**
 * Records the batch number of a writer; false if this batch has already been recorded. If an earlier attempt is still
 * being committed, this waits for its result.
 */
async function recordBatch(
  transaction: Kysely<StateTables>,
  { writer, number, written_ms }: UsageBatch,
): Promise<boolean> {
  const written_at = new Date(written_ms).toISOString()
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
      .where('written_at', '<', new Date(written_ms - WRITER_RETENTION_MS).toISOString())
      .execute()
  return numInsertedOrUpdatedRows > 0n
}

/** Stored billed calls of an account's month (YYYY-MM, UTC) by endpoint. */
export async function usageByEndpoint(
  db: Kysely<StateTables>,
  accountId: string,
  month: string,
): Promise<{ endpoint: string; calls: number }[]> {
  const rows = await usageOf(db, [accountId], month)
    .select(['endpoint', ({ fn }) => fn.sum('calls').as('calls')])
    .groupBy('endpoint')
    .orderBy('endpoint')
    .execute()
  // PostgreSQL's sum() is a numeric, which drivers may return as text.
  return rows.map(({ endpoint, calls }) => ({ endpoint, calls: Number(calls) }))
}

/** Stored billed calls of an account's month (YYYY-MM, UTC) by day; a day without calls is absent. */
export async function usageByDay(
  db: Kysely<StateTables>,
  accountId: string,
  month: string,
): Promise<{ day: string; calls: number }[]> {
  const rows = await usageOf(db, [accountId], month)
    .select(['day', ({ fn }) => fn.sum('calls').as('calls')])
    .groupBy('day')
    .orderBy('day')
    .execute()
  return rows.map(({ day, calls }) => ({ day, calls: Number(calls) }))
}

/** All stored billed calls of an account's month (YYYY-MM, UTC). */
export async function callsOfMonth(db: Kysely<StateTables>, accountId: string, month: string): Promise<number> {
  return (await callsOfMonths(db, [accountId], month)).get(accountId) ?? 0
}

/** The same of several accounts; an account without calls is absent. */
export async function callsOfMonths(
  db: Kysely<StateTables>,
  accountIds: string[],
  month: string,
): Promise<Map<string, number>> {
  const rows = await usageOf(db, accountIds, month)
    .select(['account_id', ({ fn }) => fn.sum('calls').as('calls')])
    .groupBy('account_id')
    .execute()
  return new Map(rows.map(({ account_id, calls }) => [account_id, Number(calls)]))
}

function usageOf(db: Kysely<StateTables>, accountIds: string[], month: string) {
  return db
    .selectFrom('usage')
    .where('account_id', 'in', accountIds)
    .where('day', '>=', `${month}-01`)
    .where('day', '<=', `${month}-31`)
}
