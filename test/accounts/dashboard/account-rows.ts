import type { Harness } from '../../api/harness.ts'
import { insertRow } from '../../api/state/insert-row.ts'

/** Settings of an installation that sells plans. */
export const STRIPE_SETTINGS = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  STRIPE_PRICE_PRO: 'price_1',
  STRIPE_OVERAGE_PRICE_PRO: 'price_2',
  STRIPE_METER_PRO: 'calls',
}

export const KEY_PATTERN = /hs_(?:agent|live)_[0-9A-Za-z]{36}/

/** Inserts the billed calls of a day. */
export function insertUsage({ state }: Harness, account_id: string, day: string, endpoint: string, calls: number) {
  return insertRow(state, 'usage', { account_id, day, endpoint, calls })
}

/** Inserts a client that the account's owner has approved. */
export function insertConnection({ state }: Harness, account_id: string, grant_id: string, client_name: string) {
  const redirect_uri = 'http://127.0.0.1:9000/callback'
  return insertRow(state, 'connections', { grant_id, account_id, client_name, redirect_uri })
}

/** The audit log of an account, oldest first, with parsed details. */
export async function auditEntries({ state }: Harness, account_id: string) {
  const rows = await state.db.selectFrom('audit').selectAll().where('account_id', '=', account_id).execute()
  return rows.map(({ action, actor, source, detail }) => ({ action, actor, source, detail: JSON.parse(detail) }))
}
