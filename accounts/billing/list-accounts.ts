import type { State } from '../../api/state/state.ts'
import { groupBy } from '../../config/group-by.ts'
import type { Tier } from '../../config/vocabulary.ts'
import { effectivePlan } from './plan.ts'

/** An account as the operator sees it. */
export interface ListedAccount {
  id: string
  name: string | null
  /** Email of the person who signs in; null for an agent's account. */
  email: string | null
  tier: Tier
  /** The source of the tier; null on the free tier. */
  why: 'subscription' | 'grant' | null
  /** When the grant or the paid period ends; null if neither ends. */
  until: string | null
  /** Stripe's status of its subscription; null without one. */
  subscription: string | null
  /** Active keys. */
  keys: number
  created_at: string
  /** When it was deleted; null for an account that is used. */
  deleted_at: string | null
}

/** All accounts, oldest first. */
export async function listAccounts({ db }: Pick<State, 'db'>, now: number): Promise<ListedAccount[]> {
  const accounts = await db.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('id').execute()
  const people = await db.selectFrom('people').select(['account_id', 'email']).execute()
  const keys = await db.selectFrom('keys').select('account_id').where('revoked_at', 'is', null).execute()
  const grants = byAccount(await db.selectFrom('grants').selectAll().execute())
  const subscriptions = byAccount(await db.selectFrom('subscriptions').selectAll().execute())
  const owners = byAccount(people)
  const live = byAccount(keys)
  return accounts.map(({ id, name, tier, created_at, deleted_at }) => {
    const subscription = subscriptions.get(id)?.[0] ?? null
    const { why, until } = effectivePlan(grants.get(id) ?? [], subscription, now)
    const status = subscription?.status
    return {
      id,
      name,
      email: owners.get(id)?.[0]?.email ?? null,
      tier,
      why,
      until: why === 'subscription' ? (subscription?.current_period_end ?? null) : until,
      subscription: status === undefined || status === 'none' ? null : status,
      keys: live.get(id)?.length ?? 0,
      created_at,
      deleted_at,
    }
  })
}

const byAccount = <T extends { account_id: string }>(rows: T[]) => groupBy(rows, ({ account_id }) => account_id)
