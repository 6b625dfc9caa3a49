import { EventEmitter, once } from 'node:events'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { type BillingHarness, openBilling, PRICES } from './billing-setup.ts'
import type { FakeEvent, FakeStripe } from './fake-stripe.ts'

const STATUSES = ['active', 'past_due', 'unpaid', 'canceled', 'paused', 'trialing', 'incomplete_expired']

const change = fc.oneof(
  fc.record({ status: fc.constantFrom(...STATUSES) }),
  fc.record({ price: fc.constantFrom(PRICES.pro, PRICES.enterprise) }),
  fc.record({ cancel_at_period_end: fc.boolean() }),
  fc.constant('invoice.payment_failed'),
)
type Change = Parameters<FakeStripe['change']>[1] | string

function applyChange(stripe: FakeStripe, id: string, what: Change): FakeEvent {
  if (typeof what !== 'string') return stripe.change(id, what)
  return stripe.invoice(stripe.subscriptions.get(id)!.customer, what)
}

/** Everything that billing has stored about an account, without times. */
async function storedBilling({ state: { db } }: BillingHarness, account_id: string) {
  const account = await db.selectFrom('accounts').select('tier').where('id', '=', account_id).execute()
  const subscriptions = await db.selectFrom('subscriptions').selectAll().where('account_id', '=', account_id).execute()
  const failed = await db
    .selectFrom('audit')
    .select('detail')
    .where('account_id', '=', account_id)
    .where('action', '=', 'payment_failed')
    .execute()
  const withoutTime = <T extends { as_of: string }>(rows: T[]) => rows.map(({ as_of: _, ...row }) => row)
  return {
    account,
    subscriptions: withoutTime(subscriptions),
    failed: failed.length,
  }
}

test.runIf(EXHAUSTIVE)(
  'events that arrive in any order, twice, late or concurrently lead to the same state as one by one',
  async () => {
    const billing = await openBilling()
    const { stripe, deliver } = billing
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 7 }),
        fc.infiniteStream(fc.nat()),
        async (steps, draw) => {
          const next = (below: number) => draw.next().value! % below
          const ada = await billing.createPerson()
          const { id } = await billing.buy(ada, 'pro')
          const events: FakeEvent[] = []
          // Some events arrive while later changes still happen.
          for (const what of steps) {
            events.push(applyChange(stripe, id, what))
            if (next(3) === 0) await deliver(events[next(events.length)]!)
          }
          const queue = [...events, ...events.filter(() => next(2) === 0)]
          while (queue.length > 0) {
            const batch = Array.from({ length: Math.min(queue.length, 1 + next(3)) }, () =>
              queue.splice(next(queue.length), 1),
            )
            await Promise.all(batch.flat().map((event) => deliver(event)))
          }
          const shuffled = await storedBilling(billing, ada.account_id)
          const { status, items, cancel_at_period_end } = stripe.subscriptions.get(id)!
          const price = items.data[0]!.price.id
          expect(shuffled.subscriptions).toMatchObject([
            {
              status,
              subscription_id: id,
              tier: price === PRICES.pro ? 'pro' : 'enterprise',
              cancel_at_period_end: Number(cancel_at_period_end),
            },
          ])
          const grants = ['active', 'past_due', 'trialing'].includes(status)
          expect(shuffled.account).toEqual([{ tier: grants ? shuffled.subscriptions[0]!.tier : 'free' }])
          expect(shuffled.failed).toBe(events.filter(({ type }) => type === 'invoice.payment_failed').length)
          // Delivered once more, one by one, the events change nothing.
          for (const event of events) await deliver(event)
          const again = await storedBilling(billing, ada.account_id)
          expect(again.subscriptions).toEqual(shuffled.subscriptions)
        },
      ),
      { numRuns: 8, seed: 4 },
    )
  },
)

test('a read of Stripe that another write has overtaken does not overwrite it', async () => {
  const billing = await openBilling()
  const { stripe, deliver, tierOf } = billing
  const ada = await billing.createPerson()
  const { id } = await billing.buy(ada, 'pro')
  const first = stripe.change(id, { price: PRICES.enterprise })
  const gate = new EventEmitter()
  const held = once(gate, 'open').then(() => undefined)
  let reads = 0
  // The first read gets Enterprise and is delayed until the cancellation has been stored.
  stripe.beforeAnswer = (request) => (request === 'GET /v1/subscriptions' && ++reads === 1 ? held : undefined)
  const slow = deliver(first)
  while (reads === 0) await new Promise((done) => setTimeout(done, 5))
  await deliver(stripe.change(id, { status: 'canceled' }))
  expect(await tierOf(ada.account_id)).toBe('free')
  gate.emit('open')
  expect((await slow).statusCode).toBe(200)
  expect(await tierOf(ada.account_id)).toBe('free')
  expect(reads).toBe(3)
})
