import type { PeriodicTask } from '../../api/dependencies.ts'
import { futureFrom } from '../../api/state/from-future.ts'
import { HOUR_MS } from '../../config/vocabulary.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { openStripeBilling } from './stripe-client.ts'
import { synchroniseSubscription } from './synchronise-subscription.ts'

/** A subscription is read again after this long without an event. */
const REREAD_AFTER_MS = 6 * HOUR_MS
const MAX_AT_ONCE = 200

/**
 * Reads the subscriptions that no event has named for a while. Events are lost where the service was away for longer than Stripe
 * repeats them, where the secret of the webhook was wrong, and where a backup of before them was restored.
 * @throws HoldshortError STRIPE_FAILED when Stripe cannot be read; the rest is read the next time
 */
export async function rereadSubscriptions(
  dependencies: Pick<AccountDependencies, 'settings' | 'state' | 'logger' | 'clock'>,
  now: number,
): Promise<void> {
  const billing = await openStripeBilling(dependencies.settings)
  if (!billing) return
  const due = await dependencies.state.db
    .selectFrom('subscriptions')
    .innerJoin('accounts', 'accounts.id', 'subscriptions.account_id')
    .select('customer_id')
    .where('deleted_at', 'is', null)
    .where((is) =>
      is.or([is('as_of', '<', new Date(now - REREAD_AFTER_MS).toISOString()), is('as_of', '>', futureFrom(now))]),
    )
    .orderBy('as_of')
    .limit(MAX_AT_ONCE)
    .execute()
  for (const { customer_id } of due)
    await synchroniseSubscription(dependencies, billing, customer_id, { isRoutine: true })
}

export const rereadSubscriptionsTask: PeriodicTask = {
  name: 'read subscriptions again',
  every_ms: HOUR_MS / 4,
  run: rereadSubscriptions,
}
