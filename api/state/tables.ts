import type { Tier } from '../../config/domain.ts'

/**
 * The tables of the state database, the same on SQLite and PostgreSQL. Instants are ISO 8601 texts in UTC, which sort
 * correctly and are the same in both databases; flags are 0 or 1.
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
  served_minutes: ServedMinuteRow
  audit: AuditRow
  secrets: SecretRow
  access_version: AccessVersionRow
  installation: InstallationRow
}

/** One isolated account; each registration creates one. */
export interface AccountRow {
  id: string
  name: string | null
  contact_email: string | null
  created_at: string
  /** The tier of all its keys and connections. Written only by `setTier`. */
  tier: Tier
  /** When its personal data was deleted; rows that must be retained keep its id. */
  deleted_at: string | null
}

/** One API key. The key itself is never stored, only its keyed hash, its prefix and its last four characters. */
export interface KeyRow {
  id: string
  account_id: string
  /** Name given by the owner. */
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

/** The last batch of usage that a process has written, so that a retried batch is not written twice. */
export interface UsageWriterRow {
  /** Random id of the process. */
  writer: string
  batch: number
  written_at: string
}

/** One registration, with the keyed hash of its source network. The limits per minute and per day count these rows. */
export interface RegistrationRow {
  id: string
  source_hash: string
  registered_at: string
}

/** One entry of an account's audit log, which its owner can read. It never contains a secret. */
export interface AuditRow {
  id: string
  account_id: string
  at: string
  /** A key of `AUDIT_ACTIONS`. */
  action: string
  /** One of `Actor.actor`. */
  actor: string
  /** Network address of the request; null where there was none. */
  source: string | null
  /** JSON object with the ids and names concerned. */
  detail: string
}

/** A secret of the installation, encrypted with a key that is derived from the pepper. */
export interface SecretRow {
  name: string
  sealed: string
  created_at: string
}

/**
 * Three rows, each a counter that also serves as a lock: a transaction that updates one blocks the others until it commits.
 * Row 1 counts changes of access (see `State`), row 2 batches of registrations, row 3 travellers' reports.
 */
export interface AccessVersionRow {
  id: number
  version: number
}

/** The one row that says which state this is. `version` grows while it is used, so that an older copy is recognised. */
export interface InstallationRow {
  id: string
  version: number
}

/** A person who signs in; one per account. */
export interface PersonRow {
  id: string
  account_id: string
  /** In lower case. */
  email: string
  /** Argon2id, PHC string; null for a person with passkeys only. */
  password_hash: string | null
  created_at: string
}

/** One passkey (WebAuthn credential). */
export interface PasskeyRow {
  /** Credential id, base64url. */
  id: string
  person_id: string
  /** COSE public key, base64url. */
  public_key: string
  counter: number
  /** JSON array. */
  transports: string
  name: string
  created_at: string
  used_at: string | null
}

/** One signed-in browser. */
export interface SessionRow {
  /** Keyed hash of the cookie. */
  hash: string
  person_id: string
  created_at: string
  seen_at: string
  expires_at: string
  source: string
  user_agent: string | null
}

/** One failed sign-in, under the keyed hash of its email or its source network. The sign-in limits count these rows. */
export interface SignInFailureRow {
  id: string
  /** Empty in the row whose id is the subject's hash; concurrent attempts lock that row. */
  subject_hash: string
  failed_at: string
}

/** A single-use value that a browser presents: a sign-in link, or a WebAuthn challenge that has already been answered. */
export interface ChallengeRow {
  /** Keyed hash of the value. */
  hash: string
  /** For example `sign-in-link` for a link that is not used yet, `spent` for a challenge that was answered. */
  kind: string
  /** JSON object. */
  payload: string
  expires_at: string
}

/** One record of the authorization server's library: a client, grant, code, token or interaction. */
export interface OauthRecordRow {
  /** Kind of record, as the library names it. */
  model: string
  id: string
  /** JSON object. */
  payload: string
  grant_id: string | null
  uid: string | null
  user_code: string | null
  consumed_at: string | null
  expires_at: string | null
}

/** One MCP client that an account's owner has connected. Its access tokens name it, and the gate checks it on each call. */
export interface ConnectionRow {
  /** The grant of the authorization server. */
  grant_id: string
  account_id: string
  client_id: string
  client_name: string
  redirect_uri: string
  created_at: string
  used_at: string | null
  revoked_at: string | null
}

/** A tier that the operator has granted an account, until an instant or without end. */
export interface GrantRow {
  id: string
  account_id: string
  tier: Tier
  granted_at: string
  /** First instant at which it no longer holds; null if it has no end. */
  until: string | null
  ended_at: string | null
  note: string | null
}

/** An account as a customer of Stripe, with the last state of its subscription that was read from Stripe. */
export interface SubscriptionRow {
  account_id: string
  customer_id: string
  subscription_id: string | null
  /** Tier of the subscribed price. */
  tier: Tier | null
  /** Stripe's status: active, past_due, unpaid, canceled, …; `none` before the first subscription. */
  status: string
  current_period_end: string | null
  cancel_at_period_end: number
  /** When it was read from Stripe. It grows with each write; a process may write only what it read after the last write. */
  as_of: string
  /** Id of the open checkout session, or a marker while one is being created: there is at most one. */
  checkout: string | null
}

/** One invoice, shown to the owner. */
export interface InvoiceRow {
  id: string
  account_id: string
  number: string | null
  issued_at: string
  amount_cents: number
  currency: string
  status: string
  hosted_url: string | null
  as_of: string
}

/** One Stripe event that has been applied; Stripe may deliver it again, which then changes nothing. */
export interface StripeEventRow {
  id: string
  type: string
  created_at: string
  received_at: string
}

/** The overage of an account's month (YYYY-MM, UTC) that has been reported to Stripe. */
export interface OverageReportRow {
  account_id: string
  month: string
  /** Calls beyond the included ones that have been reported to Stripe. */
  calls: number
  /** Calls of the month without extra cost: those of the month's highest plan, or those made before it was bought. */
  included_calls: number
  /** The value of `calls` once the report under way has succeeded; null while none is under way. */
  telling: number | null
  telling_since: string | null
}

/** A browser that receives push messages for an account (Push API). */
export interface PushSubscriptionRow {
  id: string
  account_id: string
  endpoint: string
  /** The browser's public key and authentication secret, base64url, with which messages are encrypted. */
  p256dh: string
  auth: string
  /** Label by which the owner recognises the browser. */
  label: string
  created_at: string
  delivered_at: string | null
}

/** An alert for when the security wait of an airport rises above, or falls below, a number of minutes. */
export interface AlertRow {
  id: string
  account_id: string
  iata: string
  terminal: string | null
  direction: 'above' | 'below'
  threshold_minutes: number
  /** Quiet hours, HH:MM in the airport's time zone, in which nothing is sent; null for none. */
  quiet_from: string | null
  quiet_to: string | null
  created_at: string
  expires_at: string
  /** armed: waits until the threshold is crossed; fired: waits until the wait has gone back by the hysteresis. */
  state: 'armed' | 'fired'
  /** When it last fired. */
  fired_at: string | null
  /** Time of the snapshot that last changed `state`; a snapshot that is not newer changes nothing. */
  as_of: string | null
}

/** One message to one browser. */
export interface DeliveryRow {
  id: string
  /** Null for a test message that the owner requested. */
  alert_id: string | null
  subscription_id: string
  /** JSON of the notification. */
  payload: string
  created_at: string
  /** Earliest time of the next attempt. A process moves it into the future before it sends, so that no other process does. */
  due_at: string
  /** When it is dropped: it is out of date by then, or its alert's quiet hours have begun. */
  expires_at: string
  attempts: number
  state: 'waiting' | 'sent' | 'dropped'
  /** Why it was not sent yet, or why it was dropped. */
  error: string | null
}

/** A minute in which at least one api process served a snapshot. */
export interface ServedMinuteRow {
  /** Whole minutes since the epoch. */
  minute: number
}

/** A traveller's report of a wait, on disk before it is acknowledged. */
export interface WaitReportRow {
  id: string
  account_id: string
  iata: string
  /** One of `QueueKind`. */
  queue: string
  terminal: string | null
  lane: string | null
  wait_minutes: number
  observed_at: string
  filed_at: string
  /** accepted; held: waits until another account confirms it; replaced: its account has sent a newer one. */
  status: string
  /** Why it is held; null otherwise. */
  reason: string | null
  /** When the pipeline stored it; null until then. */
  landed_at: string | null
}
