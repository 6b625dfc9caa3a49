import type { Tier } from '../../config/domain.ts'

/** The state database as Kysely sees it. Instants are ISO 8601 UTC texts, so that they sort and port as they are. */
export interface StateTables {
  accounts: AccountRow
  keys: KeyRow
  usage: UsageRow
  registrations: RegistrationRow
}

/** One isolated account: each registration makes its own. */
export interface AccountRow {
  id: string
  name: string | null
  contact_email: string | null
  created_at: string
}

/** One key. The key itself is never stored: only a keyed hash, and enough of it to recognise it by. */
export interface KeyRow {
  id: string
  account_id: string
  prefix: string
  last_four: string
  hash: string
  tier: Tier
  created_at: string
  revoked_at: string | null
}

/** Billed calls of an account in one calendar month (UTC, YYYY-MM) to one endpoint. */
export interface UsageRow {
  account_id: string
  month: string
  endpoint: string
  calls: number
}

/** One registration, by the keyed hash of its source network: what the per-minute and per-day caps count. */
export interface RegistrationRow {
  id: string
  source_hash: string
  registered_at: string
}
