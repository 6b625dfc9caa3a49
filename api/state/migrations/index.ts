import type { Migration } from 'kysely/migration'
import { accountsKeysUsage } from './001-accounts-keys-usage.ts'

/** Every migration in order; a published one is never changed. */
export const MIGRATIONS: Record<string, Migration> = {
  '001-accounts-keys-usage': accountsKeysUsage,
}
