import type { Tier } from '../../config/vocabulary.ts'

interface ColumnOptions {
  isKey?: boolean
  isUnique?: boolean
  /** `table.column` */
  references?: string
}

/** One column; `value` is there for its type alone. */
export interface Column<Value> extends ColumnOptions {
  type: 'text' | 'integer' | 'bigint'
  isNullable: boolean
  value?: Value
}

/** Rows that belong to an account: which columns its export contains, and whether they outlive it. */
export interface Owned<Name extends string = string> {
  /** The column that names the account or its person. */
  by: 'account_id' | 'person_id'
  /** The exported columns; rows are sorted by the first two. Secrets, hashes and addresses that grant access are not exported. */
  exported: readonly Name[]
  /** Why the rows are retained, without personal data; absent if they are deleted. */
  retained_because?: string
}

export interface Table<Columns extends Record<string, Column<unknown>>> {
  columns: Columns
  /** The primary key where it is of several columns. */
  key?: readonly (keyof Columns & string)[]
  indexes?: readonly (readonly (keyof Columns & string)[])[]
  owned?: Owned<keyof Columns & string>
}

const text = <Value extends string = string>(options: ColumnOptions = {}): Column<Value> => ({
  type: 'text',
  isNullable: false,
  ...options,
})
const integer = (options: ColumnOptions = {}): Column<number> => ({ type: 'integer', isNullable: false, ...options })
const bigint = (): Column<number> => ({ type: 'bigint', isNullable: false })
const nullable = <Value>({ type, ...options }: Column<Value>): Column<Value | null> => ({
  type,
  ...options,
  isNullable: true,
})
const table = <Columns extends Record<string, Column<unknown>>>(declared: Table<Columns>): Table<Columns> => declared

/**
 * The tables of the state database, the same on SQLite and PostgreSQL, those that others refer to first. From this list follow the
 * types of rows, the statements that make the tables, and the order in which a state is moved, exported and deleted. Instants are
 * ISO 8601 texts in UTC, which sort correctly and are the same in both databases; flags are 0 or 1.
 */
export const STATE_TABLES = {
  /** The one row that says which state this is. `version` grows while it is used, so that an older copy is recognised. */
  installation: table({
    columns: {
      id: text({ isKey: true }),
      version: integer(),
    },
  }),

  /** A secret of the installation, encrypted with a key that is derived from the pepper. */
  secrets: table({
    columns: {
      name: text({ isKey: true }),
      sealed: text(),
      created_at: text(),
    },
  }),

  /** One isolated account; each registration creates one. */
  accounts: table({
    columns: {
      id: text({ isKey: true }),
      name: nullable(text()),
      contact_email: nullable(text()),
      created_at: text(),
      /** The tier of all its keys and connections. Written only by `setTier`. */
      tier: text<Tier>(),
      /** When its personal data was deleted; rows that must be retained keep its id. */
      deleted_at: nullable(text()),
    },
  }),

  /** One API key. The key itself is never stored, only its keyed hash, its prefix and its last four characters. */
  keys: table({
    columns: {
      id: text({ isKey: true }),
      account_id: text({ references: 'accounts.id' }),
      /** Name given by the owner. */
      name: nullable(text()),
      prefix: text(),
      last_four: text(),
      hash: text({ isUnique: true }),
      created_at: text(),
      revoked_at: nullable(text()),
    },
    indexes: [['account_id']],
    owned: {
      by: 'account_id',
      exported: ['created_at', 'id', 'name', 'prefix', 'last_four', 'revoked_at'],
    },
  }),

  /** Billed calls of an account on one day (UTC, YYYY-MM-DD) to one endpoint. */
  usage: table({
    columns: {
      account_id: text({ references: 'accounts.id' }),
      day: text(),
      endpoint: text(),
      calls: integer(),
    },
    key: ['account_id', 'day', 'endpoint'],
    owned: {
      by: 'account_id',
      exported: ['day', 'endpoint', 'calls'],
      retained_because: 'invoices are based on it',
    },
  }),

  /** The last batch of usage that a process has written, so that a retried batch is not written twice. */
  usage_writers: table({
    columns: {
      /** Random id of the process. */
      writer: text({ isKey: true }),
      batch: integer(),
      written_at: text(),
    },
  }),

  /** One registration, with the keyed hash of its source network. The limits per minute and per day count these rows. */
  registrations: table({
    columns: {
      id: text({ isKey: true }),
      source_hash: text(),
      registered_at: text(),
    },
    indexes: [['source_hash', 'registered_at'], ['registered_at']],
  }),

  /** A person who signs in; one per account. */
  people: table({
    columns: {
      id: text({ isKey: true }),
      account_id: text({ isUnique: true, references: 'accounts.id' }),
      /** In lower case. */
      email: text({ isUnique: true }),
      /** Argon2id, PHC string; null for a person with passkeys only. */
      password_hash: nullable(text()),
      created_at: text(),
    },
    owned: {
      by: 'account_id',
      exported: ['created_at', 'id', 'email'],
    },
  }),

  /** One passkey (WebAuthn credential). */
  passkeys: table({
    columns: {
      /** Credential id, base64url. */
      id: text({ isKey: true }),
      person_id: text({ references: 'people.id' }),
      /** COSE public key, base64url. */
      public_key: text(),
      counter: bigint(),
      /** JSON array. */
      transports: text(),
      name: text(),
      created_at: text(),
      used_at: nullable(text()),
    },
    indexes: [['person_id']],
    owned: {
      by: 'person_id',
      exported: ['created_at', 'id', 'name', 'transports', 'counter', 'used_at'],
    },
  }),

  /** One signed-in browser. */
  sessions: table({
    columns: {
      /** Keyed hash of the cookie. */
      hash: text({ isKey: true }),
      person_id: text({ references: 'people.id' }),
      created_at: text(),
      seen_at: text(),
      expires_at: text(),
      source: text(),
      user_agent: nullable(text()),
    },
    indexes: [['person_id'], ['expires_at'], ['seen_at']],
    owned: {
      by: 'person_id',
      exported: ['created_at', 'seen_at', 'expires_at', 'source', 'user_agent'],
    },
  }),

  /** One failed sign-in, under the keyed hash of its email or its source network. The sign-in limits count these rows. */
  sign_in_failures: table({
    columns: {
      id: text({ isKey: true }),
      /** Empty in the row whose id is the subject's hash; concurrent attempts lock that row. */
      subject_hash: text(),
      failed_at: text(),
    },
    indexes: [['subject_hash', 'failed_at'], ['failed_at']],
  }),

  /** A single-use value that a browser presents: a sign-in link, or a WebAuthn challenge that has already been answered. */
  challenges: table({
    columns: {
      /** Keyed hash of the value. */
      hash: text({ isKey: true }),
      /** For example `sign-in-link` for a link that is not used yet, `spent` for a challenge that was answered. */
      kind: text(),
      /** JSON object. */
      payload: text(),
      expires_at: text(),
    },
    indexes: [['expires_at']],
  }),

  /** One record of the authorization server's library: a client, grant, code, token or interaction. */
  oauth_records: table({
    columns: {
      /** Kind of record, as the library names it. */
      model: text(),
      id: text(),
      /** JSON object. */
      payload: text(),
      grant_id: nullable(text()),
      uid: nullable(text()),
      user_code: nullable(text()),
      consumed_at: nullable(text()),
      expires_at: nullable(text()),
    },
    key: ['model', 'id'],
    indexes: [['grant_id'], ['uid'], ['expires_at']],
  }),

  /** One MCP client that an account's owner has connected. Its access tokens name it, and the gate checks it on each call. */
  connections: table({
    columns: {
      /** The grant of the authorization server. */
      grant_id: text({ isKey: true }),
      account_id: text({ references: 'accounts.id' }),
      client_id: text(),
      client_name: text(),
      redirect_uri: text(),
      created_at: text(),
      used_at: nullable(text()),
      revoked_at: nullable(text()),
      /** 1 where its owner lets it file wait reports and set alerts; null or 0 elsewhere. */
      may_write: nullable(integer()),
    },
    indexes: [['account_id'], ['created_at'], ['used_at']],
    owned: {
      by: 'account_id',
      exported: [
        'created_at',
        'grant_id',
        'client_id',
        'client_name',
        'redirect_uri',
        'used_at',
        'revoked_at',
        'may_write',
      ],
    },
  }),

  /** A tier that the operator has granted an account, until an instant or without end. */
  grants: table({
    columns: {
      id: text({ isKey: true }),
      account_id: text({ references: 'accounts.id' }),
      tier: text<Tier>(),
      granted_at: text(),
      /** First instant at which it no longer holds; null if it has no end. */
      until: nullable(text()),
      ended_at: nullable(text()),
      note: nullable(text()),
    },
    indexes: [['account_id'], ['until']],
    owned: {
      by: 'account_id',
      exported: ['granted_at', 'id', 'tier', 'until', 'ended_at', 'note'],
    },
  }),

  /** An account as a customer of Stripe, with the last state of its subscription that was read from Stripe. */
  subscriptions: table({
    columns: {
      account_id: text({ isKey: true, references: 'accounts.id' }),
      customer_id: text({ isUnique: true }),
      subscription_id: nullable(text()),
      /** Tier of the subscribed price. */
      tier: nullable(text<Tier>()),
      /** Stripe's status: active, past_due, unpaid, canceled, …; `none` before the first subscription. */
      status: text(),
      current_period_end: nullable(text()),
      cancel_at_period_end: integer(),
      /** When it was read from Stripe. It grows with each write; a process may write only what it read after the last write. */
      as_of: text(),
      /** Id of the open checkout session, or a marker while one is being created: there is at most one. */
      checkout: nullable(text()),
    },
    owned: {
      by: 'account_id',
      exported: [
        'as_of',
        'customer_id',
        'subscription_id',
        'tier',
        'status',
        'current_period_end',
        'cancel_at_period_end',
      ],
    },
  }),

  /** One Stripe event that has been applied; Stripe may deliver it again, which then changes nothing. */
  stripe_events: table({
    columns: {
      id: text({ isKey: true }),
      type: text(),
      created_at: text(),
      received_at: text(),
    },
    indexes: [['received_at']],
  }),

  /** The overage of an account's month (YYYY-MM, UTC) that has been reported to Stripe. */
  overage_reports: table({
    columns: {
      account_id: text({ references: 'accounts.id' }),
      month: text(),
      /** Calls beyond the included ones that have been reported to Stripe. */
      calls: integer(),
      /** Calls of the month without extra cost: those of the month's highest plan, or those made before it was bought. */
      included_calls: integer(),
      /** The value of `calls` once the report under way has succeeded; null while none is under way. */
      telling: nullable(integer()),
      telling_since: nullable(text()),
    },
    key: ['account_id', 'month'],
    owned: {
      by: 'account_id',
      exported: ['month', 'calls'],
      retained_because: 'invoices are based on it',
    },
  }),

  /** A browser that receives push messages for an account (Push API). */
  push_subscriptions: table({
    columns: {
      id: text({ isKey: true }),
      account_id: text({ references: 'accounts.id' }),
      endpoint: text({ isUnique: true }),
      /** The browser's public key and authentication secret, base64url, with which messages are encrypted. */
      p256dh: text(),
      auth: text(),
      /** Label by which the owner recognises the browser. */
      label: text(),
      created_at: text(),
      delivered_at: nullable(text()),
    },
    indexes: [['account_id']],
    owned: {
      by: 'account_id',
      exported: ['created_at', 'id', 'label', 'delivered_at'],
    },
  }),

  /** An alert for when the security wait of an airport rises above, or falls below, a number of minutes. */
  alerts: table({
    columns: {
      id: text({ isKey: true }),
      account_id: text({ references: 'accounts.id' }),
      iata: text(),
      terminal: nullable(text()),
      direction: text<'above' | 'below'>(),
      threshold_minutes: integer(),
      /** Quiet hours, HH:MM in the airport's time zone, in which nothing is sent; null for none. */
      quiet_from: nullable(text()),
      quiet_to: nullable(text()),
      created_at: text(),
      expires_at: text(),
      /** armed: waits until the threshold is crossed; fired: waits until the wait has gone back by the hysteresis. */
      state: text<'armed' | 'fired'>(),
      /** When it last fired. */
      fired_at: nullable(text()),
      /** Time of the snapshot that last changed `state`; a snapshot that is not newer changes nothing. */
      as_of: nullable(text()),
    },
    indexes: [['account_id'], ['expires_at'], ['created_at']],
    owned: {
      by: 'account_id',
      exported: [
        'created_at',
        'id',
        'iata',
        'terminal',
        'direction',
        'threshold_minutes',
        'quiet_from',
        'quiet_to',
        'expires_at',
        'state',
        'fired_at',
      ],
    },
  }),

  /** One message to one browser. */
  deliveries: table({
    columns: {
      id: text({ isKey: true }),
      /** Null for a test message that the owner requested. */
      alert_id: nullable(text()),
      subscription_id: text(),
      /** JSON of the notification. */
      payload: text(),
      created_at: text(),
      /** Earliest time of the next attempt. A process moves it into the future before it sends, so that no other process does. */
      due_at: text(),
      /** When it is dropped: it is out of date by then, or its alert's quiet hours have begun. */
      expires_at: text(),
      attempts: integer(),
      state: text<'waiting' | 'sent' | 'dropped'>(),
      /** Why it was not sent yet, or why it was dropped. */
      error: nullable(text()),
    },
    indexes: [['state', 'due_at'], ['alert_id'], ['subscription_id'], ['created_at']],
  }),

  /** A traveller's report of a wait, on disk before it is acknowledged. */
  wait_reports: table({
    columns: {
      id: text({ isKey: true }),
      account_id: text({ references: 'accounts.id' }),
      iata: text(),
      /** One of `QueueKind`. */
      queue: text(),
      terminal: nullable(text()),
      lane: nullable(text()),
      wait_minutes: integer(),
      observed_at: text(),
      filed_at: text(),
      /** A key of `REPORT_STATUSES`. */
      status: text(),
      /** Why it is held, or was until others agreed; null for a plausible one. */
      reason: nullable(text()),
      /** When the pipeline stored it; null until then, and again once the pipeline has removed it. */
      landed_at: nullable(text()),
      /** Keyed hash of the reporter's network; null after two days, and where the network is not known. */
      network_hash: nullable(text()),
    },
    indexes: [
      ['iata', 'observed_at'],
      ['status', 'landed_at'],
      ['account_id', 'filed_at'],
      ['filed_at'],
      // Those that are shown of an airport, and of one of its queues.
      ['iata', 'status', 'observed_at'],
      ['iata', 'queue', 'status', 'observed_at'],
    ],
    owned: {
      by: 'account_id',
      exported: [
        'filed_at',
        'id',
        'iata',
        'queue',
        'terminal',
        'lane',
        'wait_minutes',
        'observed_at',
        'status',
        'reason',
        'landed_at',
      ],
      retained_because: 'reports that reached the warehouse are in waits that were published',
    },
  }),

  /** A minute in which at least one api process served a snapshot. */
  served_minutes: table({
    columns: {
      /** Whole minutes since the epoch. */
      minute: integer({ isKey: true }),
    },
  }),

  /** One entry of an account's audit log, which its owner can read. It never contains a secret. */
  audit: table({
    columns: {
      id: text({ isKey: true }),
      account_id: text({ references: 'accounts.id' }),
      at: text(),
      /** A key of `AUDIT_ACTIONS`. */
      action: text(),
      /** One of `Actor.actor`. */
      actor: text(),
      /** Network address of the request; null if there was none. */
      source: nullable(text()),
      /** JSON object with the ids and names concerned. */
      detail: text(),
    },
    indexes: [['account_id', 'at']],
    owned: {
      by: 'account_id',
      exported: ['at', 'action', 'actor', 'source', 'detail'],
    },
  }),

  /**
   * Three rows, each a counter that also serves as a lock: a transaction that updates one blocks the others until it commits.
   * Row 1 counts changes of access (see `State`), row 2 registrations, row 3 travellers' reports.
   */
  access_version: table({
    columns: {
      id: integer({ isKey: true }),
      version: integer(),
    },
  }),
}

type RowOf<Declared> =
  Declared extends Table<infer Columns>
    ? { [Name in keyof Columns]: Columns[Name] extends Column<infer Value> ? Value : never }
    : never

export type StateTables = { [Name in keyof typeof STATE_TABLES]: RowOf<(typeof STATE_TABLES)[Name]> }

/** The names of the tables, those that others refer to first. */
export const STATE_TABLE_NAMES = Object.keys(STATE_TABLES) as (keyof StateTables)[]

export type AccountRow = StateTables['accounts']
export type AlertRow = StateTables['alerts']
export type AuditRow = StateTables['audit']
export type ConnectionRow = StateTables['connections']
export type DeliveryRow = StateTables['deliveries']
export type GrantRow = StateTables['grants']
export type KeyRow = StateTables['keys']
export type OauthRecordRow = StateTables['oauth_records']
export type OverageReportRow = StateTables['overage_reports']
export type PasskeyRow = StateTables['passkeys']
export type PersonRow = StateTables['people']
export type PushSubscriptionRow = StateTables['push_subscriptions']
export type SessionRow = StateTables['sessions']
export type SubscriptionRow = StateTables['subscriptions']
export type UsageRow = StateTables['usage']
export type WaitReportRow = StateTables['wait_reports']
