import type { Tier } from '../../config/domain.ts'

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

/** A person who signs in; one to an account. */
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

/** One browser that is signed in. */
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

/** One failed sign-in, under the keyed hash of the email or of the network it came from: what the limits count. */
export interface SignInFailureRow {
  id: string
  /** Empty in the row that is called as the subject itself, by which tries at once wait for each other. */
  subject_hash: string
  failed_at: string
}

/** What a browser may bring only once: a link to sign in by, or a WebAuthn challenge, kept from when it was answered. */
export interface ChallengeRow {
  /** Keyed hash of what the browser brings. */
  hash: string
  /** `sign-in-link` until it is used; `spent` for a challenge that was answered. */
  kind: string
  /** JSON object. */
  payload: string
  expires_at: string
}

/** One record of the authorization server, as its library stores them: clients, grants, codes, tokens, interactions. */
export interface OauthRecordRow {
  /** Kind of record, in the library's words. */
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

/** One MCP client that an account's owner has let in. Its access tokens name it, and the gate looks at it at each call. */
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

/** A tier that the operator has given an account, until a day or for good. */
export interface GrantRow {
  id: string
  account_id: string
  tier: Tier
  granted_at: string
  /** First instant it no longer holds; null for good. */
  until: string | null
  ended_at: string | null
  note: string | null
}

/** An account as a customer of Stripe, and what Stripe last said of its subscription. */
export interface SubscriptionRow {
  account_id: string
  customer_id: string
  subscription_id: string | null
  /** Tier of the price subscribed to. */
  tier: Tier | null
  /** In Stripe's words: active, past_due, unpaid, canceled, …; `none` before the first one. */
  status: string
  current_period_end: string | null
  cancel_at_period_end: number
  /** When it was read from Stripe. Grows with each write; only who has read Stripe since the last one may write. */
  as_of: string
  /** The checkout session that may be paid, or the mark of one being opened: there is never a second one. */
  checkout: string | null
}

/** One invoice, for the owner to find. */
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

/** One event of Stripe that has been worked off: it comes again, and then changes nothing. */
export interface StripeEventRow {
  id: string
  type: string
  created_at: string
  received_at: string
}

/** Overage of an account's month (YYYY-MM, UTC), as far as Stripe has been told of it. */
export interface OverageReportRow {
  account_id: string
  month: string
  /** Calls beyond those included that Stripe has been told of. */
  calls: number
  /** Calls of the month that cost nothing extra: those of the highest plan in it, or those made before it was bought. */
  included_calls: number
  /** What `calls` will be once Stripe has taken what it is being told; null when it is told nothing. */
  telling: number | null
  telling_since: string | null
}

/** A browser that takes push messages for an account (Push API). */
export interface PushSubscriptionRow {
  id: string
  account_id: string
  endpoint: string
  /** The browser's public key and secret, base64url, which messages are encrypted for. */
  p256dh: string
  auth: string
  /** What the owner will know it by. */
  label: string
  created_at: string
  delivered_at: string | null
}

/** Tell me when the security wait of an airport rises above, or falls below, so many minutes. */
export interface AlertRow {
  id: string
  account_id: string
  iata: string
  terminal: string | null
  direction: 'above' | 'below'
  threshold_minutes: number
  /** Local times of the airport, HH:MM, between which nothing is sent; null for none. */
  quiet_from: string | null
  quiet_to: string | null
  created_at: string
  expires_at: string
  /** armed: waits for the crossing; fired: waits for the wait to come back by the hysteresis. */
  state: 'armed' | 'fired'
  /** When it last fired. */
  fired_at: string | null
  /** When the snapshot was made that the state was last changed by: one that is no newer changes nothing. */
  as_of: string | null
}

/** One message on its way to one browser. */
export interface DeliveryRow {
  id: string
  /** Null for a test that the owner asked for. */
  alert_id: string | null
  subscription_id: string
  /** JSON of what is shown. */
  payload: string
  created_at: string
  /** When it may be tried next. Who tries moves it ahead of itself first, and nobody else tries until then. */
  due_at: string
  /** From when on it is no news and is dropped, or its alert's quiet hours have begun. */
  expires_at: string
  attempts: number
  state: 'waiting' | 'sent' | 'dropped'
  /** Why it was not sent yet, or never will be. */
  error: string | null
}

/** A traveller's report of a wait, on the disk before it is acknowledged. */
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
  /** accepted; held: waits for another account to agree; replaced: its account has said otherwise since. */
  status: string
  /** Why it is held; null otherwise. */
  reason: string | null
  /** When the pipeline had landed it; null until then. */
  landed_at: string | null
}
