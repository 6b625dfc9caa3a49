import { DAY_MS } from '../../../config/domain.ts'
import type { PeriodicTask } from '../../data/dependencies.ts'
import { deliverDue } from './deliver.ts'
import { evaluateAlerts } from './evaluate.ts'

/** Deliveries that are over are kept this long, for the operator to look at. */
const KEPT_MS = DAY_MS

/** Alerts judged by the newest snapshot. */
export const judgeAlerts: PeriodicTask = { name: 'judge alerts', every_ms: 10_000, run: evaluateAlerts }

/** What alerts have to say, sent; apart from the judging, which no slow push service may hold up. */
export const sendAlerts: PeriodicTask = {
  name: 'send alerts',
  every_ms: 2_000,
  run: (dependencies, _now, stopping) => deliverDue(dependencies, stopping),
}

/** What is over is removed: expired alerts, deliveries of yesterday. */
export const clearAlerts: PeriodicTask = {
  name: 'expired alerts',
  every_ms: 600_000,
  run: async ({ state: { db } }, now) => {
    await db.deleteFrom('alerts').where('expires_at', '<=', new Date(now).toISOString()).execute()
    await db
      .deleteFrom('deliveries')
      .where('created_at', '<', new Date(now - KEPT_MS).toISOString())
      .execute()
  },
}
