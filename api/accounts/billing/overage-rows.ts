import type { Kysely } from 'kysely'
import { monthOf } from '../../data/gate/billing-month.ts'
import { callsOfMonth } from '../../data/gate/usage.ts'
import type { OverageReportRow, StateTables } from '../../state/tables.ts'

/** An account's row for a month, with at least so many calls included. */
export async function overageRow(
  db: Kysely<StateTables>,
  account_id: string,
  month: string,
  least: number,
): Promise<OverageReportRow> {
  await db
    .insertInto('overage_reports')
    .values({ account_id, month, calls: 0, included_calls: least, telling: null, telling_since: null })
    .onConflict((conflict) => conflict.columns(['account_id', 'month']).doNothing())
    .execute()
  const row = () => db.selectFrom('overage_reports').where('account_id', '=', account_id).where('month', '=', month)
  await db
    .updateTable('overage_reports')
    .set({ included_calls: least })
    .where('account_id', '=', account_id)
    .where('month', '=', month)
    .where('included_calls', '<', least)
    .execute()
  return row().selectAll().executeTakeFirstOrThrow()
}

/** Calls that an account made before its subscription began, or began again, are not billed by it. */
export async function includeCallsSoFar(transaction: Kysely<StateTables>, account_id: string, now: number) {
  const month = monthOf(now)
  const calls = await callsOfMonth(transaction, account_id, month)
  const { calls: told } = await overageRow(transaction, account_id, month, 0)
  await overageRow(transaction, account_id, month, calls - told)
}
