import { randomUUID } from 'node:crypto'
import { RateLimitedError } from '../../../config/errors.ts'
import type { DeliveryRow } from '../../state/tables.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { attemptDelivery, pushDoor } from './deliver.ts'
import { lockAccount } from './lock-account.ts'
import { testMessage } from './message.ts'
import { browserOf, subscriptionsOf } from './subscriptions.ts'

/** Tests that an account may send in so long a time: each is a request to an address that a stranger gave. */
const MOST_TESTS = 5
const WITHIN_MS = 600_000

/**
 * Sends a test to a browser of an account, and waits for the push service to take it: `sent`, `waiting` for another try,
 * `dropped`, or `gone` when the browser is no longer known there.
 * @throws HoldshortError NOT_FOUND, rate_limited
 */
export async function sendTest(
  dependencies: AccountDependencies,
  account_id: string,
  subscription_id: string,
  now: number,
): Promise<DeliveryRow['state'] | 'gone'> {
  const { db } = dependencies.state
  const at = new Date(now).toISOString()
  const row = await db.transaction().execute(async (transaction): Promise<DeliveryRow> => {
    await lockAccount(transaction, account_id)
    const { label } = await browserOf(transaction, account_id, subscription_id)
    const browsers = await subscriptionsOf(transaction, account_id)
    const { tests } = await transaction
      .selectFrom('deliveries')
      .select(transaction.fn.count('id').as('tests'))
      .where('alert_id', 'is', null)
      .where(
        'subscription_id',
        'in',
        browsers.map(({ id }) => id),
      )
      .where('created_at', '>', new Date(now - WITHIN_MS).toISOString())
      .executeTakeFirstOrThrow()
    if (Number(tests) >= MOST_TESTS)
      throw new RateLimitedError(
        'push_test',
        WITHIN_MS / 1000,
        `at most ${MOST_TESTS} tests in ten minutes; wait a little`,
      )
    const delivery: DeliveryRow = {
      id: `delivery_${randomUUID()}`,
      alert_id: null,
      subscription_id,
      payload: JSON.stringify(testMessage(label, now)),
      created_at: at,
      due_at: at,
      expires_at: new Date(now + WITHIN_MS).toISOString(),
      attempts: 0,
      state: 'waiting',
      error: null,
    }
    await transaction.insertInto('deliveries').values(delivery).execute()
    return delivery
  })
  await attemptDelivery(dependencies, await pushDoor(dependencies, now), row)
  const after = await db.selectFrom('deliveries').select('state').where('id', '=', row.id).executeTakeFirst()
  return after?.state ?? 'gone'
}
