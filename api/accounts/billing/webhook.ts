import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ERROR_CODES, HoldshortError, ParameterError } from '../../../config/errors.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { openShop, type Shop } from './shop.ts'
import { type CustomerEvent, synchronise } from './synchronise.ts'

/** Seconds that a signature holds; Stripe signs each delivery anew. */
const TOLERANCE_SECONDS = 300

/** Every event that something of ours hangs on. A new one is a line here and in OPERATING.md; all others are passed over. */
export const EVENTS = [
  'checkout.session.completed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.finalized',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.voided',
  'invoice.marked_uncollectible',
] as const

const Id = z.string().min(1).max(255)
const CustomerEventShape = z.object({
  id: Id,
  type: z.enum(EVENTS),
  created: z.int().min(0).max(1e11),
  data: z.object({ object: z.object({ id: Id, customer: Id.nullable() }) }),
})

/**
 * POST /api/stripe/webhook, where Stripe tells of purchases, payments and cancellations; without Stripe there is nothing.
 * Signed with a secret that Stripe and we share; whoever cannot sign learns no more than that.
 */
export async function addStripeWebhook(app: FastifyInstance, dependencies: AccountDependencies): Promise<void> {
  const shop = await openShop(dependencies.settings)
  if (!shop) return
  const { logger, clock = Date.now } = dependencies
  await app.register(async (scope) => {
    // The signature is of the bytes as they were sent.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post('/api/stripe/webhook', { schema: { hide: true } }, async ({ body, headers }, reply) => {
      const event = customerEvent(signedEvent(shop, body, headers['stripe-signature'], clock()))
      if (event) {
        try {
          const row = await synchronise(dependencies, shop, event.customer, event)
          if (!row) logger?.warn({ event: event.id, customer: event.customer }, 'Stripe tells of an unknown customer')
        } catch (error) {
          if (!(error instanceof HoldshortError) || error.code !== 'STRIPE_FAILED') throw error
          // Not a fault of ours, and Stripe sends the event again.
          const { status, title } = ERROR_CODES.STRIPE_FAILED
          return reply.code(status).type('application/problem+json').send({ title, status, code: error.code })
        }
      }
      return reply.header('cache-control', 'no-store').send({ received: true })
    })
  })
}

/** @throws ParameterError for whatever Stripe has not signed within the last minutes; why is not said. */
function signedEvent(shop: Shop, body: unknown, signature: unknown, now: number): unknown {
  const refused = () => new ParameterError([{ parameter: 'body', message: 'is not a signed event' }])
  if (!Buffer.isBuffer(body) || typeof signature !== 'string') throw refused()
  try {
    const { webhooks } = shop.stripe
    return webhooks.constructEvent(body, signature, shop.webhook_secret, TOLERANCE_SECONDS, undefined, now)
  } catch {
    throw refused()
  }
}

/** What an event says of a customer; null for one that nothing of ours hangs on. */
function customerEvent(event: unknown): (CustomerEvent & { customer: string }) | null {
  const known = CustomerEventShape.safeParse(event).data
  const customer = known?.data.object.customer
  if (!known || !customer) return null
  const { id, type, created, data } = known
  const invoice_id = type.startsWith('invoice.') ? data.object.id : null
  return { id, type, created_at: new Date(created * 1000).toISOString(), customer, invoice_id }
}
