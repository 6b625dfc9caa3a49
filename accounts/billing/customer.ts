import type { SubscriptionRow } from '../../api/state/tables.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { callStripe, isStripeError, openStripeBilling, type StripeBilling } from './stripe-client.ts'

/** The Stripe customer of an account, created with the first purchase. */
export async function findOrCreateCustomer(
  { state, logger, clock = Date.now }: Pick<AccountDependencies, 'state' | 'logger' | 'clock'>,
  { stripe }: StripeBilling,
  account_id: string,
  email: string,
): Promise<SubscriptionRow> {
  const known = await findCustomer(state, account_id)
  if (known) return known
  // With the idempotency key, concurrent calls and a retry after a crash get the same customer.
  const order = { email, metadata: { account_id } }
  const { id: customer_id } = await callStripe(
    logger,
    stripe.customers.create(order, { idempotencyKey: `customer ${account_id}` }),
  )
  await state.db
    .insertInto('subscriptions')
    .values({
      account_id,
      customer_id,
      subscription_id: null,
      tier: null,
      status: 'none',
      current_period_end: null,
      cancel_at_period_end: 0,
      checkout: null,
      as_of: new Date(clock()).toISOString(),
    })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .execute()
  return (await findCustomer(state, account_id))!
}

/** Creates a new Stripe customer for an account whose customer no longer exists there (deleted, or of Stripe's test mode). */
export async function recreateCustomer(
  { state, logger }: Pick<AccountDependencies, 'state' | 'logger'>,
  { stripe }: StripeBilling,
  { account_id, customer_id: gone }: Pick<SubscriptionRow, 'account_id' | 'customer_id'>,
  email: string,
): Promise<void> {
  const order = { email, metadata: { account_id } }
  const idempotencyKey = `customer ${account_id} after ${gone}`
  const { id: customer_id } = await callStripe(logger, stripe.customers.create(order, { idempotencyKey }))
  await state.db
    .updateTable('subscriptions')
    .set({ customer_id, checkout: null })
    .where('account_id', '=', account_id)
    .where('customer_id', '=', gone)
    .execute()
}

/** The Stripe customer of an account; null when it has none. */
export async function findCustomer(
  { db }: Pick<AccountDependencies['state'], 'db'>,
  account_id: string,
): Promise<SubscriptionRow | null> {
  const search = db.selectFrom('subscriptions').selectAll().where('account_id', '=', account_id)
  return (await search.executeTakeFirst()) ?? null
}

/**
 * Deletes the Stripe customer of an account, which ends its subscription at once. Call it before the account is deleted;
 * calling it again changes nothing.
 * @throws HoldshortError STRIPE_FAILED when Stripe could not do it: the account must then stay
 */
export async function deleteCustomer(
  { settings, state, logger }: Pick<AccountDependencies, 'settings' | 'state' | 'logger'>,
  account_id: string,
): Promise<void> {
  const billing = await openStripeBilling(settings)
  const customer = await findCustomer(state, account_id)
  if (!billing || !customer) return
  await callStripe(
    logger,
    billing.stripe.customers.del(customer.customer_id).catch((error: unknown) => {
      if (!isStripeError(error) || error.code !== 'resource_missing') throw error
    }),
  )
  // Stripe's own event arrives later, when the account is gone.
  await state.db.updateTable('subscriptions').set({ status: 'canceled' }).where('account_id', '=', account_id).execute()
}
