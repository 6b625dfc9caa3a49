import type { PeriodicTask } from '../../data/periodic-task.ts'
import { endGrant } from './disconnect.ts'
import { SECONDS } from './terms.ts'

/** Drops what is over: records and clients that have expired, and connections whose client can no longer come back. */
export const tidyConnections: PeriodicTask = {
  name: 'tidy connections',
  every_ms: 600_000,
  async run({ state }, now) {
    await state.db.deleteFrom('oauth_records').where('expires_at', '<', new Date(now).toISOString()).execute()
    // Its refresh token has expired by then, so it could only ask again.
    const silentSince = new Date(now - SECONDS.refresh_token * 1000).toISOString()
    const silent = await state.db
      .selectFrom('connections')
      .select('grant_id')
      .where('revoked_at', 'is', null)
      .where('created_at', '<', silentSince)
      .where((where) => where.or([where('used_at', 'is', null), where('used_at', '<', silentSince)]))
      .limit(200)
      .execute()
    for (const { grant_id } of silent)
      await endGrant(state, grant_id, { actor: 'service', source: null }, now, 'not used for a long time')
  },
}
