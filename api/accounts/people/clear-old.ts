import type { PeriodicTask } from '../../data/dependencies.ts'
import { clearSessions } from './sessions.ts'
import { FAILURE_WINDOW_MS } from './sign-in-limits.ts'

/** Deletes failed sign-ins that no longer count, challenges and links that are over, and sessions that are. */
export const clearOld: PeriodicTask = {
  name: 'clear old sign-ins',
  every_ms: 10 * 60_000,
  async run({ state: { db } }, now) {
    const before = new Date(now - FAILURE_WINDOW_MS).toISOString()
    await db.deleteFrom('sign_in_failures').where('failed_at', '<=', before).execute()
    await db.deleteFrom('challenges').where('expires_at', '<=', new Date(now).toISOString()).execute()
    await clearSessions({ db }, now)
  },
}
