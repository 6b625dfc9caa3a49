import type { Kysely } from 'kysely'
import { HOUR_MS } from '../../../config/domain.ts'
import { RateLimitedError } from '../../../config/errors.ts'
import type { StateTables } from '../../state/tables.ts'
import { REPORT_RULES } from './report-rules.ts'

/**
 * Refuses a report beyond those that an account may file in an hour, at an airport and in all; corrections count, refusals
 * do not. To be asked in the transaction that files it.
 * @throws RateLimitedError of scope `reports_airport` or `reports_account`
 */
export async function checkReportLimits(
  db: Kysely<StateTables>,
  account_id: string,
  iata: string,
  now: number,
): Promise<void> {
  const filed = await db
    .selectFrom('wait_reports')
    .select(['iata', 'filed_at'])
    .where('account_id', '=', account_id)
    .where('filed_at', '>', new Date(now - HOUR_MS).toISOString())
    .orderBy('filed_at', 'desc')
    .execute()
  const here = filed.filter((one) => one.iata === iata)
  const { per_airport_hour, per_hour } = REPORT_RULES
  refuseBeyond(here, per_airport_hour, 'reports_airport', `reports of ${iata}`, now)
  refuseBeyond(filed, per_hour, 'reports_account', 'reports', now)
}

/** A place is free again when the oldest of the last `most` is an hour old. */
function refuseBeyond(newestFirst: { filed_at: string }[], most: number, scope: string, what: string, now: number) {
  const oldest = newestFirst[most - 1]
  if (!oldest) return
  const seconds = Math.max(1, Math.ceil((Date.parse(oldest.filed_at) + HOUR_MS - now) / 1_000))
  const message = `more than ${most} ${what} of one account in an hour; file the next in ${seconds} s`
  throw new RateLimitedError(scope, seconds, message)
}
