import type { PeriodicTask } from '../dependencies.ts'
import { moveFromFuture } from '../state/from-future.ts'
import { REPORT_RULES } from './report-rules.ts'

/**
 * Erases the networks of reports after two days, and deletes reports that are older than their retention, unless the pipeline has still
 * to store or to remove them.
 */
export const deleteOldReportsTask: PeriodicTask = {
  name: 'clear-reports',
  every_ms: 60 * 60_000,
  by_age: true,
  async run({ state: { db } }, now) {
    await moveFromFuture(db, { table: 'wait_reports', id: 'id', made: 'filed_at', along: [] }, now)
    await db
      .updateTable('wait_reports')
      .set({ network_hash: null })
      .where('filed_at', '<=', new Date(now - REPORT_RULES.network_ms).toISOString())
      .where('network_hash', 'is not', null)
      .execute()
    const before = new Date(now - REPORT_RULES.retention_ms).toISOString()
    await db
      .deleteFrom('wait_reports')
      .where('filed_at', '<=', before)
      .where((is) =>
        is.or([
          is.and([is('status', '=', 'accepted'), is('landed_at', 'is not', null)]),
          is.and([is('status', '!=', 'accepted'), is('landed_at', 'is', null)]),
        ]),
      )
      .execute()
  },
}
