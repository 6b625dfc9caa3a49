import { EventEmitter, once } from 'node:events'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FakeEvent, FakeStripe } from './fake-stripe.ts'
import { openSelling, PRICES, type Selling } from './billing-setup.ts'

const STATUSES = ['active', 'past_due', 'unpaid', 'canceled', 'paused', 'trialing', 'incomplete_expired']

const step = fc.oneof(
  fc.record({ status: fc.constantFrom(...STATUSES) }),
  fc.record({ price: fc.constantFrom(PRICES.pro, PRICES.enterprise) }),
  fc.record({ cancel_at_period_end: fc.boolean() }),
  fc.constantFrom('invoice.payment_failed', 'invoice.paid', 'invoice.voided'),
)
type Step = Parameters<FakeStripe['change']>[1] | string

function happen(stripe: FakeStripe, id: string, what: Step): FakeEvent {
  if (typeof what !== 'string') return stripe.change(id, what)
  const status = what === 'invoice.paid' ? 'paid' : what === 'invoice.voided' ? 'void' : 'open'
  return stripe.invoice(stripe.subscriptions.get(id)!.customer, what, { id: 'in_drawn', status })
}

/** All that money has written of an account, but for when. */
async function written({ state: { db } }: Selling, account_id: string) {
  const mine = { account: await db.selectFrom('accounts').select('tier').where('id', '=', account_id).execute() }
  const subscriptions = await db.selectFrom('subscriptions').selectAll().where('account_id', '=', account_id).execute()
  const invoices = await db.selectFrom('invoices').selectAll().where('account_id', '=', account_id).execute()
  const failed = await db
    .selectFrom('audit')
    .select('detail')
    .where('account_id', '=', account_id)
    .where('action', '=', 'payment_failed')
    .execute()
  const timeless = <T extends { as_of: string }>(rows: T[]) => rows.map(({ as_of: _, ...row }) => row)
  return { ...mine, subscriptions: timeless(subscriptions), invoices: timeless(invoices), failed: failed.length }
}

test('events in any order, twice, late and at once end in the same state as one by one', async () => {
  const selling = await openSelling()
  const { stripe, deliver } = selling
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 7 }),
      fc.infiniteStream(fc.nat()),
      async (steps, draw) => {
        const next = (below: number) => draw.next().value! % below
        const ada = await selling.person()
        const { id } = await selling.buy(ada, 'pro')
        const events: FakeEvent[] = []
        // Some come while things still happen, in any order.
        for (const what of steps) {
          events.push(happen(stripe, id, what))
          if (next(3) === 0) await deliver(events[next(events.length)]!)
        }
        const queue = [...events, ...events.filter(() => next(2) === 0)]
        while (queue.length > 0) {
          const batch = Array.from({ length: Math.min(queue.length, 1 + next(3)) }, () =>
            queue.splice(next(queue.length), 1),
          )
          await Promise.all(batch.flat().map((event) => deliver(event)))
        }
        const shuffled = await written(selling, ada.account_id)
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
        const gives = ['active', 'past_due', 'trialing'].includes(status)
        expect(shuffled.account).toEqual([{ tier: gives ? shuffled.subscriptions[0]!.tier : 'free' }])
        expect(shuffled.failed).toBe(events.filter(({ type }) => type === 'invoice.payment_failed').length)
        const drawn = stripe.invoices.get('in_drawn')
        const kept = shuffled.invoices.find((invoice) => invoice.id === 'in_drawn')
        expect(kept?.status).toBe(drawn?.status)
        stripe.invoices.delete('in_drawn')
        await selling.state.db.deleteFrom('invoices').where('id', '=', 'in_drawn').execute()
        // Once more, one by one: nothing is left to change.
        for (const event of events) await deliver(event)
        const again = await written(selling, ada.account_id)
        expect(again.subscriptions).toEqual(shuffled.subscriptions)
      },
    ),
    { numRuns: 8, seed: 4 },
  )
})

test('who has read Stripe before another wrote does not overwrite him', async () => {
  const selling = await openSelling()
  const { stripe, deliver, tierOf } = selling
  const ada = await selling.person()
  const { id } = await selling.buy(ada, 'pro')
  const first = stripe.change(id, { price: PRICES.enterprise })
  const gate = new EventEmitter()
  const held = once(gate, 'open').then(() => undefined)
  let reads = 0
  // The first reader gets Enterprise, and is held up while all is cancelled and written down.
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
