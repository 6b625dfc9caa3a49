import type { State } from '../state/open.ts'
import type { Gate, KnownKey } from './gate.ts'
import { monthOf, usageByEndpoint } from './month-meter.ts'

/** Account, key, tier, limits, usage and features of a key, with every call up to now counted. */
export async function accountOverview(state: State, gate: Gate, { row, terms }: KnownKey, now: number) {
  await gate.meter.flush()
  const month = monthOf(now)
  const account = await state.db
    .selectFrom('accounts')
    .select(['id', 'name', 'created_at'])
    .where('id', '=', row.account_id)
    .executeTakeFirstOrThrow()
  const usage = await usageByEndpoint(state.db, row.account_id, month)
  const calls = usage.reduce((sum, { calls }) => sum + calls, 0)
  const { requests_per_minute, calls_per_month, features } = terms
  return {
    account,
    key: { id: row.id, prefix: row.prefix, last_four: row.last_four, created_at: row.created_at },
    tier: row.tier,
    limits: { requests_per_minute, calls_per_month },
    usage: {
      month,
      calls,
      remaining: Math.max(0, calls_per_month - calls),
      overage_calls: Math.max(0, calls - calls_per_month),
      by_endpoint: Object.fromEntries(usage.map(({ endpoint, calls }) => [endpoint, calls])),
    },
    features,
  }
}
