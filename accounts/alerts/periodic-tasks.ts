import type { PeriodicTask } from '../../api/dependencies.ts'
import { moveFromFuture } from '../../api/state/from-future.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import { deliverDueMessages, dropLateMessages } from './deliver-messages.ts'
import { evaluateAlerts } from './evaluate-alerts.ts'

/** Finished deliveries are retained this long for the operator. */
const DELIVERY_RETENTION_MS = DAY_MS

/** Evaluates all alerts against the newest snapshot. */
export const evaluateAlertsTask: PeriodicTask = { name: 'evaluate alerts', every_ms: 10_000, run: evaluateAlerts }

/** Sends the messages of alerts. A separate task, so that a slow push service does not delay the evaluation. */
export const deliverMessagesTask: PeriodicTask = {
  name: 'deliver alert messages',
  every_ms: 2_000,
  run: (dependencies, _now, stopping) => deliverDueMessages(dependencies, stopping),
}

/** Drops the messages that nobody should get any more. */
export const dropLateMessagesTask: PeriodicTask = {
  name: 'drop late alert messages',
  every_ms: 10_000,
  by_age: true,
  run: dropLateMessages,
}

/** Deletes expired alerts and old deliveries, and sets those right that were made while the clock was ahead. */
export const deleteExpiredAlertsTask: PeriodicTask = {
  name: 'delete expired alerts',
  every_ms: 600_000,
  by_age: true,
  run: async ({ state: { db } }, now) => {
    const alertTimes = ['expires_at', 'fired_at', 'as_of']
    await moveFromFuture(db, { table: 'alerts', id: 'id', made: 'created_at', along: alertTimes }, now)
    const deliveryTimes = ['due_at', 'expires_at']
    await moveFromFuture(db, { table: 'deliveries', id: 'id', made: 'created_at', along: deliveryTimes }, now)
    await db.deleteFrom('alerts').where('expires_at', '<=', new Date(now).toISOString()).execute()
    await db
      .deleteFrom('deliveries')
      .where('created_at', '<', new Date(now - DELIVERY_RETENTION_MS).toISOString())
      .execute()
  },
}
