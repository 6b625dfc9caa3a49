import type { Kysely } from 'kysely'
import { lockReports, reconsiderLane } from '../../api/reports/file-report.ts'
import type { State } from '../../api/state/state.ts'
import type { StateTables, WaitReportRow } from '../../api/state/tables.ts'
import { OPERATOR, recordAuditEntry } from '../audit/audit-log.ts'

/** The withdrawn reports. */
export interface Withdrawal {
  account_id: string
  /** Reports that are withdrawn now, and were not before. */
  withdrawn: number
  /** Those of them that were shown or in the published wait. */
  counted: number
  /** Their airports, in the order of the alphabet. */
  airports: string[]
}

/** Withdraws all reports of an account in the name of the operator. */
export async function withdrawReports({ db }: Pick<State, 'db'>, account_id: string, now: number): Promise<Withdrawal> {
  return db.transaction().execute(async (transaction) => {
    const reports = await withdrawWithin(transaction, account_id)
    if (reports.length > 0)
      await recordAuditEntry(transaction, account_id, 'reports_withdrawn', OPERATOR, now, { reports: reports.length })
    return {
      account_id,
      withdrawn: reports.length,
      counted: reports.filter(({ status }) => status === 'accepted').length,
      airports: [...new Set(reports.map(({ iata }) => iata))].sort(),
    }
  })
}

/**
 * Withdraws all reports of an account: nobody sees them any more, they confirm nothing, and reports of others that only they confirmed
 * are held again. The periodic task removes them from the warehouse within seconds, and the next snapshot is without them. Returns
 * those that were not withdrawn before, as they were.
 */
export async function withdrawWithin(transaction: Kysely<StateTables>, account_id: string): Promise<WaitReportRow[]> {
  await lockReports(transaction)
  const reports = await transaction
    .selectFrom('wait_reports')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('status', '!=', 'withdrawn')
    .execute()
  await transaction
    .updateTable('wait_reports')
    .set({ status: 'withdrawn' })
    .where('account_id', '=', account_id)
    .execute()
  for (const report of reports) await reconsiderLane(transaction, report)
  return reports
}
