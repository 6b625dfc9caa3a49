import type { PeriodicTask } from '../../api/dependencies.ts'
import { futureFrom } from '../../api/state/from-future.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import { deleteExpiredSessions } from './sessions.ts'
import { FAILURE_WINDOW_MS } from './sign-in-limits.ts'

/** No challenge is kept for longer: that of a sent form, which lasts as long as a browser can stay signed in. */
export const LONGEST_CHALLENGE_MS = 30 * DAY_MS

/** Deletes failed sign-ins that no longer count, and expired challenges, links and sessions. */
export const deleteExpiredSignInsTask: PeriodicTask = {
  name: 'delete expired sign-ins',
  every_ms: 10 * 60_000,
  by_age: true,
  async run({ state: { db } }, now) {
    const before = new Date(now - FAILURE_WINDOW_MS).toISOString()
    await db.deleteFrom('sign_in_failures').where('failed_at', '<=', before).execute()
    await db.deleteFrom('challenges').where('expires_at', '<=', new Date(now).toISOString()).execute()
    // Challenges created while the clock was ahead.
    await db
      .deleteFrom('challenges')
      .where('expires_at', '>', futureFrom(now + LONGEST_CHALLENGE_MS))
      .execute()
    await deleteExpiredSessions({ db }, now)
  },
}
