import { randomUUID } from 'node:crypto'
import { lockAccount } from '../../api/state/lock-account.ts'
import type { DeliveryRow } from '../../api/state/tables.ts'
import { transactionInTurn } from '../../api/state/transaction-in-turn.ts'
import { RateLimitedError } from '../../config/errors.ts'
import { MAX_CLOCK_SKEW_MS } from '../../config/steady-clock.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { findBrowser, listBrowsers } from './connected-browsers.ts'
import { attemptDelivery, createPushSender } from './deliver-messages.ts'
import { testMessage } from './push-message.ts'

/** How many tests an account may send in the window: each is a request to an address that a stranger supplied. */
const MAX_TESTS = 5
const TEST_WINDOW_MS = 600_000

/**
 * Sends a test message to a browser of an account and waits for the push service: `sent`, `waiting` for a retry, `dropped`, or
 * `gone` when the push service no longer knows the browser.
 * @throws HoldshortError NOT_FOUND; RateLimitedError
 */
export async function sendTestMessage(
  dependencies: AccountDependencies,
  account_id: string,
  subscription_id: string,
  now: number,
): Promise<DeliveryRow['state'] | 'gone'> {
  const { db } = dependencies.state
  const sent_at = new Date(now).toISOString()
  const row = await transactionInTurn({ db }, account_id, async (transaction): Promise<DeliveryRow> => {
    await lockAccount(transaction, account_id)
    const { label } = await findBrowser(transaction, account_id, subscription_id)
    const browsers = await listBrowsers(transaction, account_id)
    const { tests } = await transaction
      .selectFrom('deliveries')
      .select(transaction.fn.count('id').as('tests'))
      .where('alert_id', 'is', null)
      .where(
        'subscription_id',
        'in',
        browsers.map(({ id }) => id),
      )
      .where('created_at', '>', new Date(now - TEST_WINDOW_MS).toISOString())
      .where('created_at', '<=', new Date(now + MAX_CLOCK_SKEW_MS).toISOString())
      .executeTakeFirstOrThrow()
    if (Number(tests) >= MAX_TESTS)
      throw new RateLimitedError(
        'push_test',
        TEST_WINDOW_MS / 1000,
        `at most ${MAX_TESTS} tests in ten minutes; wait a little`,
      )
    const delivery: DeliveryRow = {
      id: `delivery_${randomUUID()}`,
      alert_id: null,
      subscription_id,
      payload: JSON.stringify(testMessage(label, now)),
      created_at: sent_at,
      due_at: sent_at,
      expires_at: new Date(now + TEST_WINDOW_MS).toISOString(),
      attempts: 0,
      state: 'waiting',
      error: null,
    }
    await transaction.insertInto('deliveries').values(delivery).execute()
    return delivery
  })
  await attemptDelivery(dependencies, await createPushSender(dependencies, now), row)
  const after = await db.selectFrom('deliveries').select('state').where('id', '=', row.id).executeTakeFirst()
  return after?.state ?? 'gone'
}
