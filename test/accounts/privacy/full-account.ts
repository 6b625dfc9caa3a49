import { OPERATOR, recordAuditEntry } from '../../../accounts/audit/audit-log.ts'
import { issueKey } from '../../../accounts/keys/keys.ts'
import type { State } from '../../../api/state/state.ts'
import { NOW } from '../../api/example-snapshot.ts'
import { insertRow } from '../../api/state/insert-row.ts'

/** The value of every column that must not be exported. */
export const SECRET = 'SECRET'

/** Inserts an account with a row in every table of accounts. Its names and addresses contain `mark`. */
export async function insertFullAccount(state: State, mark: string) {
  const contact_email = `${mark}@ops.example`
  const issued = await issueKey(state, { tier: 'pro', name: `${mark} account`, contact_email }, NOW)
  const { account_id } = issued
  const person_id = `person_${mark}`
  const email = `${mark}@example.org`
  const secret = `${SECRET}-${mark}`
  const browser = `${mark} browser`

  await insertRow(state, 'people', { id: person_id, account_id, email, password_hash: SECRET })
  await insertRow(state, 'passkeys', { id: `pk_${mark}`, person_id, public_key: SECRET, name: `${mark} phone` })
  await insertRow(state, 'sessions', { hash: secret, person_id, source: '192.0.2.1', user_agent: browser })
  const payload = JSON.stringify({ email, token: SECRET })
  await insertRow(state, 'challenges', { hash: secret, kind: 'link', payload })

  const grant_id = `grant-${mark}`
  await insertRow(state, 'connections', { grant_id, account_id, client_name: `${mark} client` })
  const token = { id: `${mark}-token`, grant_id, payload: JSON.stringify({ jti: SECRET }) }
  await insertRow(state, 'oauth_records', { model: 'RefreshToken', ...token })
  const session = { id: `${mark}-session`, payload: JSON.stringify({ accountId: account_id }) }
  await insertRow(state, 'oauth_records', { model: 'Session', ...session })

  await insertRow(state, 'usage', { account_id, day: '2026-11-20', endpoint: 'getDelays', calls: 7 })
  const subscription = { subscription_id: `sub_${mark}`, tier: 'pro', status: 'canceled' } as const
  await insertRow(state, 'subscriptions', { account_id, customer_id: `cus_${mark}`, ...subscription })
  await insertRow(state, 'overage_reports', { account_id, month: '2026-10', calls: 12, included_calls: 5_000 })

  const alert_id = `alert_${mark}`
  await insertRow(state, 'alerts', { id: alert_id, account_id, iata: 'JFK', threshold_minutes: 30 })
  const subscription_id = `push_${mark}`
  const push = { endpoint: `https://push.example/${secret}`, p256dh: SECRET, auth: SECRET, label: `${mark} desktop` }
  await insertRow(state, 'push_subscriptions', { id: subscription_id, account_id, ...push })
  await insertRow(state, 'deliveries', { id: `delivery_${mark}`, alert_id, subscription_id, payload: '{}' })

  // An account has one report that counts for each queue.
  const report = { account_id, iata: 'JFK', queue: 'security', wait_minutes: 20, status: 'accepted' } as const
  const landed_at = new Date(NOW).toISOString()
  await insertRow(state, 'wait_reports', { id: `report_${mark}_landed`, ...report, terminal: '4', landed_at })
  await insertRow(state, 'wait_reports', { id: `report_${mark}_waiting`, ...report, queue: 'immigration' })
  await recordAuditEntry(state.db, account_id, 'signed_in', { ...OPERATOR, source: '192.0.2.1' }, NOW, { browser })
  return { ...issued, person_id, email, owner: { account_id, person_id } }
}
