import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ERROR_CODES, HoldshortError, ParameterError } from '../../config/errors.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { openStripeBilling, type StripeBilling } from './stripe-client.ts'
import { type CustomerEvent, synchroniseSubscription } from './synchronise-subscription.ts'

/** How long a signature is valid, in seconds; Stripe signs each delivery anew. */
const TOLERANCE_SECONDS = 300

/** The events that change something here; all others are ignored. To add one, add a line here and in docs/operate/money.md. */
export const EVENTS = [
  'checkout.session.completed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.payment_failed',
] as const

const Id = z.string().min(1).max(255)
const CustomerEventShape = z.object({
  id: Id,
  type: z.enum(EVENTS),
  created: z.int().min(0).max(1e11),
  data: z.object({ object: z.object({ id: Id, customer: Id.nullable() }) }),
})

/**
 * POST /api/stripe/webhook: Stripe reports purchases, payments and cancellations, signed with a shared secret. The route exists
 * only with Stripe. A request without a valid signature learns nothing else.
 */
export async function addStripeWebhook(app: FastifyInstance, dependencies: AccountDependencies): Promise<void> {
  const billing = await openStripeBilling(dependencies.settings)
  if (!billing) return
  const { logger, clock = Date.now } = dependencies
  await app.register(async (scope) => {
    // The signature covers the bytes as they were sent.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post('/api/stripe/webhook', async ({ body, headers }, reply) => {
      const event = customerEvent(signedEvent(billing, body, headers['stripe-signature'], clock()))
      if (event) {
        try {
          const row = await synchroniseSubscription(dependencies, billing, event.customer, { event })
          if (!row)
            logger?.warn({ event: event.id, customer: event.customer }, 'Stripe sent an event of an unknown customer')
        } catch (error) {
          if (!(error instanceof HoldshortError) || error.code !== 'STRIPE_FAILED') throw error
          // Stripe could not be read; it sends the event again.
          const { status, title } = ERROR_CODES.STRIPE_FAILED
          return reply.code(status).type('application/problem+json').send({ title, status, code: error.code })
        }
      }
      return reply.header('cache-control', 'no-store').send({ received: true })
    })
  })
}

/** @throws ParameterError, without a reason, unless Stripe signed the body within the last minutes */
function signedEvent(billing: StripeBilling, body: unknown, signature: unknown, now: number): unknown {
  const refused = () => ParameterError.of('body', 'is not a signed event')
  if (!Buffer.isBuffer(body) || typeof signature !== 'string') throw refused()
  try {
    const { webhooks } = billing.stripe
    return webhooks.constructEvent(body, signature, billing.webhook_secret, TOLERANCE_SECONDS, undefined, now)
  } catch {
    throw refused()
  }
}

/** The customer event in a Stripe event; null when it changes nothing here. */
function customerEvent(event: unknown): (CustomerEvent & { customer: string }) | null {
  const known = CustomerEventShape.safeParse(event).data
  const customer = known?.data.object.customer
  if (!known || !customer) return null
  const { id, type, created, data } = known
  return { id, type, object_id: data.object.id, created_at: new Date(created * 1000).toISOString(), customer }
}
