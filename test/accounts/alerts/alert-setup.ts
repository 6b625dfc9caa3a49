import { onTestFinished } from 'vitest'
import type { AlertRequest } from '../../../accounts/alerts/alert-request.ts'
import { connectBrowser } from '../../../accounts/alerts/connected-browsers.ts'
import { createAlert } from '../../../accounts/alerts/create-alert.ts'
import {
  deliverMessagesTask,
  dropLateMessagesTask,
  evaluateAlertsTask,
} from '../../../accounts/alerts/periodic-tasks.ts'
import { openState } from '../../../api/state/open.ts'
import type { State } from '../../../api/state/state.ts'
import type { QueueWait } from '../../../config/answer-schemas.ts'
import { readSettings } from '../../../config/settings.ts'
import { DIRECTORY } from '../../api/airport-directory.ts'
import { NOW } from '../../api/example-snapshot.ts'
import { fakeSnapshot, measured } from '../../api/fake-snapshot.ts'
import { temporaryFolder } from '../../api/harness.ts'
import { insertRow } from '../../api/state/insert-row.ts'
import { type FakeBrowser, startFakePushService } from './fake-push-service.ts'

export const OWNER = { actor: 'owner', source: '192.0.2.1' } as const

export const snapshotOf = (now: number, wait: number | QueueWait, simulated = false) =>
  fakeSnapshot(now, { simulated, queues: { 'JFK security': typeof wait === 'number' ? measured(now, wait) : wait } })

/** Everything that alerts need, without an app: a state (a new one unless `existing` is passed), a clock and a snapshot. */
export async function setUpAlerts(environment: Record<string, string> = {}, existing?: State) {
  const settings = readSettings({ HOLDSHORT_OUTWARD_ALLOW: '127.0.0.1', ...environment })
  const state = existing ?? (await openState({ data_dir: temporaryFolder() }))
  onTestFinished(() => (existing ? undefined : state.close()))
  const controls = { now: NOW, snapshot: snapshotOf(NOW, 10) }
  const holder = { current: () => controls.snapshot }
  const dependencies = { settings, state, directory: DIRECTORY, holder, clock: () => controls.now }
  const run = async () => {
    await evaluateAlertsTask.run(dependencies, controls.now)
    await deliverMessagesTask.run(dependencies, controls.now)
    await dropLateMessagesTask.run(dependencies, controls.now)
  }
  return {
    dependencies,
    state,
    controls,
    run,
    async account(id: string) {
      await insertRow(state, 'accounts', { id, tier: 'free' })
      return id
    },
    connect: (account_id: string, { subscription }: FakeBrowser, label = 'a phone') =>
      connectBrowser(state, account_id, { ...subscription, label }, OWNER, controls.now),
    create(account_id: string, order: Partial<AlertRequest> = {}) {
      const request = { iata: 'JFK', direction: 'above', threshold_minutes: 30, ...order } as const
      return createAlert(
        { state, directory: DIRECTORY, snapshot: controls.snapshot },
        account_id,
        request,
        OWNER,
        controls.now,
      )
    },
    /** Advances the clock, publishes a snapshot with a wait at JFK, and runs the alert tasks. */
    publish(wait: number | QueueWait, minutes = 1) {
      controls.now += minutes * 60_000
      controls.snapshot = snapshotOf(controls.now, wait, controls.snapshot.simulated)
      return run()
    },
    deliveries: () => state.db.selectFrom('deliveries').selectAll().orderBy('created_at').orderBy('id').execute(),
  }
}
export type AlertSetup = Awaited<ReturnType<typeof setUpAlerts>>

/** An account whose phone is connected, and the push service of that phone. */
export async function setUpPhone(environment: Record<string, string> = {}, existing?: State) {
  const alerts = await setUpAlerts(environment, existing)
  const service = await startFakePushService()
  const phone = service.browser('phone')
  await alerts.account('a')
  await alerts.connect('a', phone)
  return { ...alerts, service, phone }
}

/** The same with an alert. */
export async function setUpWatch(order: Partial<AlertRequest> = {}, environment: Record<string, string> = {}) {
  const alerts = await setUpPhone(environment)
  return { ...alerts, created: await alerts.create('a', order) }
}
