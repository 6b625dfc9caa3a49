import type { PeriodicTask } from '../dependencies.ts'
import { REPORT_RULES } from './report-rules.ts'

/** Deletes reports that are over: those that have landed, were replaced, or waited for an agreement that never came. */
export const clearReports: PeriodicTask = {
  name: 'clear-reports',
  every_ms: 60 * 60_000,
  async run({ state: { db } }, now) {
    const before = new Date(now - REPORT_RULES.kept_ms).toISOString()
    await db
      .deleteFrom('wait_reports')
      .where('filed_at', '<=', before)
      // An accepted one that could not be handed over is still to land.
      .where((is) => is.or([is('status', '!=', 'accepted'), is('landed_at', 'is not', null)]))
      .execute()
  },
}
