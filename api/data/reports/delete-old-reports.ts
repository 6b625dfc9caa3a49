import { moveFromFuture } from '../../state/from-future.ts'
import type { PeriodicTask } from '../dependencies.ts'
import { REPORT_RULES } from './report-rules.ts'

/** Deletes reports that are older than their retention and have landed, were replaced, or are still held. */
export const deleteOldReportsTask: PeriodicTask = {
  name: 'clear-reports',
  every_ms: 60 * 60_000,
  by_age: true,
  async run({ state: { db } }, now) {
    await moveFromFuture(db, { table: 'wait_reports', id: 'id', made: 'filed_at', along: [] }, now)
    const before = new Date(now - REPORT_RULES.retention_ms).toISOString()
    await db
      .deleteFrom('wait_reports')
      .where('filed_at', '<=', before)
      // An accepted report that has not been handed over must still land.
      .where((is) => is.or([is('status', '!=', 'accepted'), is('landed_at', 'is not', null)]))
      .execute()
  },
}
