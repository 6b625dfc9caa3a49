import type { Tier } from '../../config/domain.ts'
import type { AlertRow, DeliveryRow, PushSubscriptionRow } from './tables/alerts.ts'
import type { ConnectionRow, OauthRecordRow } from './tables/connections.ts'
import type { GrantRow, InvoiceRow, OverageReportRow, StripeEventRow, SubscriptionRow } from './tables/money.ts'
import type { ChallengeRow, PasskeyRow, PersonRow, SessionRow, SignInFailureRow } from './tables/people.ts'
import type { WaitReportRow } from './tables/reports.ts'

/**
 * The state database as Kysely sees it, the same on SQLite and PostgreSQL. Instants are ISO 8601 UTC texts, so that they
 * sort and port as they are; flags are 0 or 1.
 */
export interface StateTables {
  accounts: AccountRow
  keys: KeyRow
  usage: UsageRow
  usage_writers: UsageWriterRow
  registrations: RegistrationRow
  people: PersonRow
  passkeys: PasskeyRow
  sessions: SessionRow
  sign_in_failures: SignInFailureRow
  challenges: ChallengeRow
  oauth_records: OauthRecordRow
  connections: ConnectionRow
  grants: GrantRow
  subscriptions: SubscriptionRow
  invoices: InvoiceRow
  stripe_events: StripeEventRow
  overage_reports: OverageReportRow
  push_subscriptions: PushSubscriptionRow
  alerts: AlertRow
  deliveries: DeliveryRow
  wait_reports: WaitReportRow
  audit: AuditRow
  secrets: SecretRow
  access_version: AccessVersionRow
}

/** One isolated account: each registration makes its own. */
export interface AccountRow {
  id: string
  name: string | null
  contact_email: string | null
  created_at: string
  /** What its plan comes to; of all its keys and connections. Written by `setTier` alone. */
  tier: Tier
  /** When all that was personal in it was taken away; what must stay hangs on its id. */
  deleted_at: string | null
}

/** One key. The key itself is never stored: only a keyed hash, and enough of it to recognise it by. */
export interface KeyRow {
  id: string
  account_id: string
  /** What the owner calls it. */
  name: string | null
  prefix: string
  last_four: string
  hash: string
  created_at: string
  revoked_at: string | null
}

/** Billed calls of an account on one day (UTC, YYYY-MM-DD) to one endpoint. */
export interface UsageRow {
  account_id: string
  day: string
  endpoint: string
  calls: number
}

/** The last batch of counted calls that a process has written: one that it tries again is not written twice. */
export interface UsageWriterRow {
  /** A random name that a process gives itself. */
  writer: string
  batch: number
  written_at: string
}

/** One registration, by the keyed hash of its source network: what the per-minute and per-day caps count. */
export interface RegistrationRow {
  id: string
  source_hash: string
  registered_at: string
}

/** One thing that was done to an account, for its owner to read. Never a secret. */
export interface AuditRow {
  id: string
  account_id: string
  at: string
  /** From the list in audit/actions.ts. */
  action: string
  /** Who did it: the owner, the operator, Stripe, a client, the service. */
  actor: string
  /** The address it came from, where there is one. */
  source: string | null
  /** JSON object of what it was about: ids and names. */
  detail: string
}

/** A secret of the installation, sealed with a key that is derived from the pepper. */
export interface SecretRow {
  name: string
  sealed: string
  created_at: string
}

/**
 * Three rows. The first counts the changes of keys, tiers and connections, so that every process sees that there was one;
 * the second, the batches of registrations, the third, travellers' reports. Whoever writes to one holds off the others until it has committed.
 */
export interface AccessVersionRow {
  id: number
  version: number
}
