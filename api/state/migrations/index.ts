import type { Migration } from 'kysely'
import { accountsKeysUsage } from './001-accounts-keys-usage.ts'
import { accountTiersDailyUsage } from './002-account-tiers-daily-usage.ts'
import { people } from './003-people.ts'
import { connections } from './004-connections.ts'
import { money } from './005-money.ts'
import { alertsReports } from './006-alerts-reports.ts'
import { availability } from './007-availability.ts'
import { installation } from './008-installation.ts'

/** Every migration in order; a published one is never changed. */
export const MIGRATIONS: Record<string, Migration> = {
  '001-accounts-keys-usage': accountsKeysUsage,
  '002-account-tiers-daily-usage': accountTiersDailyUsage,
  '003-people': people,
  '004-connections': connections,
  '005-money': money,
  '006-alerts-reports': alertsReports,
  '007-availability': availability,
  '008-installation': installation,
}
