import { withCleanTexts } from '../../../config/outside-text.ts'
import { type Admission, flushForReading, type Gate } from '../../data/gate/admission.ts'
import { monthOf, overageOf } from '../../data/gate/billing-month.ts'
import { usageByEndpoint } from '../../data/gate/usage.ts'
import type { State } from '../../state/state.ts'

/** Account, key, tier, limits, usage and features of the caller. Usage is flushed first, so it includes every call so far. */
export async function accountOverview(state: State, gate: Gate, { caller, terms }: Admission, now: number) {
  await flushForReading(gate, now)
  const month = monthOf(now)
  const account = await state.db
    .selectFrom('accounts')
    .select(['id', 'name', 'created_at'])
    .where('id', '=', caller.account_id)
    .executeTakeFirstOrThrow()
  const key = await state.db
    .selectFrom('keys')
    .select(['id', 'prefix', 'last_four', 'created_at'])
    .where('id', '=', caller.id)
    .executeTakeFirstOrThrow()
  const usage = await usageByEndpoint(state.db, caller.account_id, month)
  const calls = usage.reduce((sum, { calls }) => sum + calls, 0)
  const { requests_per_minute, calls_per_month, features } = terms
  return {
    account: withCleanTexts(account),
    key,
    tier: caller.tier,
    limits: { requests_per_minute, calls_per_month },
    usage: {
      month,
      calls,
      remaining: Math.max(0, calls_per_month - calls),
      overage_calls: overageOf(calls, terms).overage_calls,
      by_endpoint: Object.fromEntries(usage.map(({ endpoint, calls }) => [endpoint, calls])),
    },
    features,
  }
}
