import type { SubscriptionRow } from '../../state/tables.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { asked, type Shop } from './shop.ts'

/** The account as Stripe's customer; made with the first purchase, and kept. */
export async function customerOf(
  { state, logger, clock = Date.now }: Pick<AccountDependencies, 'state' | 'logger' | 'clock'>,
  { stripe }: Shop,
  account_id: string,
  email: string,
): Promise<SubscriptionRow> {
  const known = await knownCustomer(state, account_id)
  if (known) return known
  // The key makes two that ask at once, or a try after a crash, get the same customer.
  const order = { email, metadata: { account_id } }
  const { id: customer_id } = await asked(
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
  return (await knownCustomer(state, account_id))!
}

/** Makes an account a customer anew that Stripe does not know any more: deleted there, or of Stripe's test mode. */
export async function renewCustomer(
  { state, logger }: Pick<AccountDependencies, 'state' | 'logger'>,
  { stripe }: Shop,
  { account_id, customer_id: gone }: Pick<SubscriptionRow, 'account_id' | 'customer_id'>,
  email: string,
): Promise<void> {
  const order = { email, metadata: { account_id } }
  const idempotencyKey = `customer ${account_id} after ${gone}`
  const { id: customer_id } = await asked(logger, stripe.customers.create(order, { idempotencyKey }))
  await state.db
    .updateTable('subscriptions')
    .set({ customer_id, checkout: null })
    .where('account_id', '=', account_id)
    .where('customer_id', '=', gone)
    .execute()
}

/** The same, if it is one. */
export async function knownCustomer(
  { db }: Pick<AccountDependencies['state'], 'db'>,
  account_id: string,
): Promise<SubscriptionRow | null> {
  const search = db.selectFrom('subscriptions').selectAll().where('account_id', '=', account_id)
  return (await search.executeTakeFirst()) ?? null
}
