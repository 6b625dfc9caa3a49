import { randomUUID } from 'node:crypto'
import type { State } from '../state/open.ts'
import type { WaitReportRow } from '../state/tables/reports.ts'

/** A report as its finder has judged it: what it says, whose it is, whether it is held. */
export type JudgedReport = Omit<WaitReportRow, 'id' | 'filed_at' | 'landed_at'>

/** Files a traveller's report; it is on the disk when this returns. */
export async function fileReport({ db }: Pick<State, 'db'>, report: JudgedReport, now: number): Promise<WaitReportRow> {
  const row = { ...report, id: `report_${randomUUID()}`, filed_at: new Date(now).toISOString(), landed_at: null }
  await db.insertInto('wait_reports').values(row).execute()
  return row
}
