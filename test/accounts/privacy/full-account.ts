import { OPERATOR, recordAuditEntry } from '../../../accounts/audit/audit-log.ts'
import { issueKey } from '../../../accounts/keys/keys.ts'
import type { State } from '../../../api/state/state.ts'
import { NOW } from '../../api/example-snapshot.ts'

/** The value of every column that must not be exported. */
export const SECRET = 'SECRET'

const created_at = new Date(NOW).toISOString()

/** Inserts an account with a row in every table of accounts. Its names and addresses contain `mark`. */
export async function insertFullAccount(state: State, mark: string) {
  const { db } = state
  const issued = await issueKey(
    state,
    { tier: 'pro', name: `${mark} account`, contact_email: `${mark}@ops.example` },
    NOW,
  )
  const { account_id } = issued
  const person_id = `person_${mark}`
  const email = `${mark}@example.org`
  await insertPersonRows(state, mark, account_id)
  await insertBillingRows(state, mark, account_id)
  await insertAlertRows(state, mark, account_id)
  for (const landed_at of [created_at, null])
    await db
      .insertInto('wait_reports')
      .values({
        id: `report_${mark}_${landed_at}`,
        account_id,
        iata: 'JFK',
        queue: 'security',
        // An account has one report that counts for each lane.
        terminal: landed_at === null ? '5' : '4',
        lane: null,
        wait_minutes: 20,
        observed_at: created_at,
        filed_at: created_at,
        status: 'accepted',
        reason: null,
        landed_at,
      })
      .execute()
  await recordAuditEntry(db, account_id, 'signed_in', { ...OPERATOR, source: '192.0.2.1' }, NOW, {
    browser: `${mark} browser`,
  })
  return { ...issued, person_id, email, owner: { account_id, person_id } }
}

/** The person of the account: passkey, session, sign-in link and a connected client with its OAuth records. */
async function insertPersonRows({ db }: State, mark: string, account_id: string): Promise<void> {
  const person_id = `person_${mark}`
  const email = `${mark}@example.org`
  await db
    .insertInto('people')
    .values({ id: person_id, account_id, email, password_hash: SECRET, created_at })
    .execute()
  await db
    .insertInto('passkeys')
    .values({
      id: `pk_${mark}`,
      person_id,
      public_key: SECRET,
      counter: 3,
      transports: '[]',
      name: `${mark} phone`,
      created_at,
      used_at: null,
    })
    .execute()
  await db
    .insertInto('sessions')
    .values({
      hash: `${SECRET}-${mark}`,
      person_id,
      created_at,
      seen_at: created_at,
      expires_at: '2027-01-01T00:00:00.000Z',
      source: '192.0.2.1',
      user_agent: `${mark} browser`,
    })
    .execute()
  const payload = JSON.stringify({ email, token: SECRET })
  await db
    .insertInto('challenges')
    .values({ hash: `${SECRET}-${mark}`, kind: 'link', payload, expires_at: created_at })
    .execute()
  const grant_id = `grant-${mark}`
  await db
    .insertInto('connections')
    .values({
      grant_id,
      account_id,
      client_id: `client-${mark}`,
      client_name: `${mark} client`,
      redirect_uri: 'http://127.0.0.1/cb',
      created_at,
      used_at: null,
      revoked_at: null,
    })
    .execute()
  const records = [
    ['RefreshToken', JSON.stringify({ jti: SECRET }), grant_id],
    ['Session', JSON.stringify({ accountId: account_id }), null],
  ] as const
  for (const [model, json, grant] of records)
    await db
      .insertInto('oauth_records')
      .values({ model, id: `${mark}-${model}`, payload: json, grant_id: grant })
      .execute()
}

/** Usage, subscription and overage report. */
async function insertBillingRows({ db }: State, mark: string, account_id: string): Promise<void> {
  await db.insertInto('usage').values({ account_id, day: '2026-11-20', endpoint: 'getDelays', calls: 7 }).execute()
  await db
    .insertInto('subscriptions')
    .values({
      account_id,
      customer_id: `cus_${mark}`,
      subscription_id: `sub_${mark}`,
      tier: 'pro',
      status: 'canceled',
      current_period_end: null,
      cancel_at_period_end: 0,
      as_of: created_at,
    })
    .execute()
  await db
    .insertInto('overage_reports')
    .values({ account_id, month: '2026-10', calls: 12, included_calls: 5_000, telling: null, telling_since: null })
    .execute()
}

/** An alert, a connected browser and a message to it. */
async function insertAlertRows({ db }: State, mark: string, account_id: string): Promise<void> {
  await db
    .insertInto('alerts')
    .values({
      id: `alert_${mark}`,
      account_id,
      iata: 'JFK',
      terminal: null,
      direction: 'above',
      threshold_minutes: 30,
      quiet_from: null,
      quiet_to: null,
      created_at,
      expires_at: created_at,
      state: 'armed',
      fired_at: null,
    })
    .execute()
  await db
    .insertInto('push_subscriptions')
    .values({
      id: `push_${mark}`,
      account_id,
      endpoint: `https://push.example/${SECRET}-${mark}`,
      p256dh: SECRET,
      auth: SECRET,
      label: `${mark} desktop`,
      created_at,
      delivered_at: null,
    })
    .execute()
  await db
    .insertInto('deliveries')
    .values({
      id: `delivery_${mark}`,
      alert_id: `alert_${mark}`,
      subscription_id: `push_${mark}`,
      payload: '{}',
      created_at,
      due_at: created_at,
      expires_at: created_at,
      attempts: 1,
      state: 'sent',
      error: null,
    })
    .execute()
}
