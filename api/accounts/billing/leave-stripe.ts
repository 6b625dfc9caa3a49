import type { AccountDependencies } from '../dependencies.ts'
import { knownCustomer } from './customer.ts'
import { asked, isStripeError, openShop } from './shop.ts'

/**
 * Ends all that Stripe may charge an account for, at once, and has Stripe forget the customer; to be done before an account
 * is deleted. Doing it again is the same as once.
 * @throws HoldshortError STRIPE_FAILED when that could not be done: the account must then stay.
 */
export async function leaveStripe(
  { settings, state, logger }: Pick<AccountDependencies, 'settings' | 'state' | 'logger'>,
  account_id: string,
): Promise<void> {
  const shop = await openShop(settings)
  const customer = await knownCustomer(state, account_id)
  if (!shop || !customer) return
  await asked(
    logger,
    shop.stripe.customers.del(customer.customer_id).catch((error: unknown) => {
      if (!isStripeError(error) || error.code !== 'resource_missing') throw error
    }),
  )
  // Stripe's own word comes later, and then finds no account any more.
  await state.db.updateTable('subscriptions').set({ status: 'canceled' }).where('account_id', '=', account_id).execute()
}
