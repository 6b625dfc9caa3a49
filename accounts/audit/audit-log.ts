import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Actor } from '../../api/state/actor.ts'
import type { AuditRow, StateTables } from '../../api/state/tables.ts'

/** All actions in the audit log, with the text that the account's owner reads. Add a line here for a new action. */
export const AUDIT_ACTIONS = {
  account_created: 'Account created',
  signed_in: 'Signed in',
  sign_in_failed: 'Sign-in failed',
  sign_in_link_made: 'One-time sign-in link made',
  signed_out: 'Signed out',
  signed_out_everywhere: 'Signed out everywhere',
  password_changed: 'Password changed',
  passkey_added: 'Passkey added',
  passkey_removed: 'Passkey removed',
  key_issued: 'Key issued',
  key_revoked: 'Key revoked',
  plan_changed: 'Plan changed',
  plan_granted: 'Plan granted',
  plan_grant_ended: 'Plan grant ended',
  payment_failed: 'Payment failed',
  client_connected: 'Client connected',
  client_disconnected: 'Client disconnected',
  client_writing_allowed: 'Client allowed to file reports and set alerts',
  client_writing_ended: 'Client no longer allowed to file reports and set alerts',
  push_connected: 'Browser connected for alerts',
  push_disconnected: 'Browser disconnected from alerts',
  alert_created: 'Alert created',
  alert_extended: 'Alert extended',
  alert_removed: 'Alert removed',
  reports_withdrawn: 'Wait reports withdrawn',
  account_exported: 'Account exported',
  account_deleted: 'Account deleted',
} as const
export type AuditAction = keyof typeof AUDIT_ACTIONS

export const OPERATOR: Actor = { actor: 'operator', source: null }
export const STRIPE: Actor = { actor: 'stripe', source: null }
export const SERVICE: Actor = { actor: 'service', source: null }

/** Adds an entry to an account's audit log. Call it in the transaction of the action, so that both are stored or neither. */
export async function recordAuditEntry(
  db: Kysely<StateTables>,
  account_id: string,
  action: AuditAction,
  { actor, source }: Actor,
  now: number,
  detail: Record<string, string | number | boolean | null> = {},
): Promise<void> {
  const recorded_at = new Date(now).toISOString()
  await db
    .insertInto('audit')
    .values({ id: randomUUID(), account_id, at: recorded_at, action, actor, source, detail: JSON.stringify(detail) })
    .execute()
}

/** The entries of an account's audit log, newest first. */
export function auditLogOf(db: Kysely<StateTables>, account_id: string, limit: number): Promise<AuditRow[]> {
  return db
    .selectFrom('audit')
    .selectAll()
    .where('account_id', '=', account_id)
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
}
