import type { IncomingMessage } from 'node:http'
import { serveLocally } from '../../local-server.ts'

/** The fields of a Stripe event that the api reads. */
export interface FakeEvent {
  id: string
  object: 'event'
  type: string
  created: number
  data: { object: Record<string, unknown> }
}

export interface FakeSubscription {
  id: string
  object: 'subscription'
  customer: string
  status: string
  created: number
  cancel_at: number | null
  ended_at: number | null
  pending_update: object | null
  cancel_at_period_end: boolean
  items: { data: { id: string; price: FakePrice; current_period_end: number }[] }
}

interface FakePrice {
  id: string
  metadata: Record<string, string>
  recurring: { meter: string | null }
}

interface FakeSession {
  id: string
  object: 'checkout.session'
  url: string
  status: 'open' | 'complete' | 'expired'
  customer: string
  client_reference_id: string
  prices: string[]
}

type Fields = Record<string, string>
type Answer = { status: number; body: unknown }
const refusal = (status: number, message: string, code = 'invalid', param = ''): Answer => ({
  status,
  body: { error: { type: 'invalid_request_error', code, message, param } },
})
const customerNotFound = () => refusal(404, 'No such customer', 'resource_missing', 'customer')

const MONTH_SECONDS = 30 * 86_400

/** A Stripe server in this process. It stores idempotency keys, refuses the requests that Stripe refuses and creates the same events. */
export class FakeStripe {
  readonly customers = new Map<string, Fields>()
  readonly sessions = new Map<string, FakeSession>()
  readonly subscriptions = new Map<string, FakeSubscription>()
  /** Accepted meter events by identifier; a repeated identifier is refused. */
  readonly metered = new Map<string, Fields>()
  readonly meters = new Set(['calls_pro', 'calls_enterprise'])
  /** The meter by which a price counts; those that are not here count by none. */
  readonly meterOfPrice = new Map([
    ['price_over_pro', 'mtr_pro'],
    ['price_over_ent', 'mtr_enterprise'],
  ])
  /** Prices in another currency than the subscriptions: no subscription changes to one. */
  readonly foreignPrices = new Set<string>()
  /** Prices, meters and webhook endpoints, by their path below /v1; a list is an array. */
  readonly catalogue = new Map<string, unknown>()
  readonly events: FakeEvent[] = []
  /** Every request so far, as "METHOD /path". */
  readonly requests: string[] = []
  /** Requests that are refused before they take effect, as "METHOD /path", with the status. */
  readonly refused = new Map<string, number>()
  /** Runs after a request took effect and before it is answered; throwing closes the connection. */
  beforeAnswer: (request: string) => void | Promise<void> = () => undefined
  /** Whether the bank asks for the customer's confirmation before a change is paid. */
  bankRequiresConfirmation = false
  url = ''
  readonly #answers = new Map<string, { fields: string; answer: Answer }>()
  #last = 0

  constructor(public now: number) {}

  /** Pays a checkout session. */
  pay(session_id: string): FakeSubscription {
    const session = this.sessions.get(session_id)!
    if (session.status !== 'open') throw new Error(`the session ${session_id} is not open`)
    session.status = 'complete'
    const subscription: FakeSubscription = {
      id: this.#id('sub'),
      object: 'subscription',
      customer: session.customer,
      status: 'active',
      created: this.#seconds(),
      cancel_at: null,
      ended_at: null,
      cancel_at_period_end: false,
      pending_update: null,
      items: { data: session.prices.map((price) => this.#itemOf(price)) },
    }
    this.subscriptions.set(subscription.id, subscription)
    this.#emit('checkout.session.completed', session)
    this.#emit('customer.subscription.created', subscription)
    return subscription
  }

  /** Changes a subscription; `price` replaces the price of its first item. */
  change(id: string, { price, ...over }: Partial<FakeSubscription> & { price?: string }): FakeEvent {
    const subscription = this.subscriptions.get(id)!
    Object.assign(subscription, over)
    if (price) subscription.items.data[0]!.price = this.#priceOf(price)
    const ended = over.status === 'canceled' ? 'deleted' : 'updated'
    return this.#emit(`customer.subscription.${ended}`, subscription)
  }

  /** Tells of a new invoice. */
  invoice(customer: string, type: string): FakeEvent {
    return this.#emit(type, { id: this.#id('in'), object: 'invoice', customer, created: this.#seconds() })
  }

  async listen(): Promise<this> {
    this.url = await serveLocally(async (request, reply) => {
      const path = request.url!.split('?')[0]!
      const { status, body } = this.#answer(request, path, await fieldsOf(request))
      try {
        await this.beforeAnswer(`${request.method} ${path}`)
      } catch {
        return void request.socket.destroy()
      }
      reply.writeHead(status, { 'content-type': 'application/json', 'stripe-should-retry': 'false' })
      reply.end(JSON.stringify(body))
    })
    return this
  }

  #answer({ method, headers }: IncomingMessage, path: string, fields: Fields): Answer {
    this.requests.push(`${method} ${path}`)
    if (headers.authorization !== 'Bearer sk_test_fake') return refusal(401, 'Invalid API Key')
    const refused = this.refused.get(`${method} ${path}`)
    if (refused) return refusal(refused, 'not now')
    const key = headers['idempotency-key']
    const before = typeof key === 'string' ? this.#answers.get(key) : undefined
    const written = path + JSON.stringify(fields)
    if (before) return before.fields === written ? before.answer : refusal(400, 'idempotency key used differently')
    const answer = this.#decide(`${method} ${path}`, fields)
    if (typeof key === 'string') this.#answers.set(key, { fields: written, answer })
    // A copy, so that later changes do not alter it.
    return structuredClone(answer)
  }

  #decide(request: string, fields: Fields): Answer {
    const id = request.split('/')[3] ?? ''
    const nested = request.split('/')[4] ?? ''
    if (request === 'POST /v1/customers') {
      const customer = this.#id('cus')
      this.customers.set(customer, fields)
      return { status: 200, body: { id: customer, object: 'customer' } }
    }
    if (request.startsWith('DELETE /v1/customers/')) {
      if (!this.customers.delete(id)) return customerNotFound()
      for (const subscription of this.subscriptions.values())
        if (subscription.customer === id && subscription.status !== 'canceled')
          this.change(subscription.id, { status: 'canceled' })
      return { status: 200, body: { id, object: 'customer', deleted: true } }
    }
    if (request === 'POST /v1/checkout/sessions') return this.#openSession(fields)
    if (request.startsWith('POST /v1/checkout/sessions/')) return this.#expire(nested)
    if (request.startsWith('GET /v1/checkout/sessions/')) return objectOr404(this.sessions.get(nested))
    if (request === 'POST /v1/billing_portal/sessions') {
      if (!this.customers.has(fields.customer!)) return customerNotFound()
      const url = `https://billing.stripe.com/p/${fields.customer}`
      return { status: 200, body: { id: this.#id('bps'), url } }
    }
    if (request === 'GET /v1/subscriptions') {
      const { customer } = fields
      if (customer !== undefined && !this.customers.has(customer)) return customerNotFound()
      const data = [...this.subscriptions.values()].filter((one) => customer === undefined || one.customer === customer)
      return { status: 200, body: { object: 'list', data, has_more: false, url: '/v1/subscriptions' } }
    }
    if (request.startsWith('GET /v1/subscriptions/')) return objectOr404(this.subscriptions.get(id))
    if (request.startsWith('POST /v1/subscriptions/')) return this.#update(this.subscriptions.get(id)!, fields)
    if (request === 'POST /v1/billing/meter_events') {
      const { identifier = '', event_name = '' } = fields
      if (!this.meters.has(event_name)) return refusal(400, `No active meter has the event name ${event_name}.`)
      if (this.metered.has(identifier)) return refusal(400, `An event already exists with identifier ${identifier}.`)
      this.metered.set(identifier, fields)
      return { status: 200, body: { object: 'billing.meter_event', identifier } }
    }
    const listed = this.catalogue.get(request.replace('GET /v1/', ''))
    if (Array.isArray(listed)) return { status: 200, body: { object: 'list', data: listed, has_more: false } }
    if (listed !== undefined) return { status: 200, body: listed }
    if (request.startsWith('GET /v1/prices/')) return { status: 200, body: this.#priceOf(id) }
    return refusal(404, `no route for ${request}`)
  }

  #openSession(fields: Fields): Answer {
    if (!this.customers.has(fields.customer!)) return customerNotFound()
    const id = this.#id('cs_test')
    const prices = [0, 1].map((index) => fields[`line_items[${index}][price]`]).filter((price) => price !== undefined)
    const session: FakeSession = {
      id,
      object: 'checkout.session',
      url: `https://checkout.stripe.com/c/${id}`,
      status: 'open',
      prices,
      customer: fields.customer!,
      client_reference_id: fields.client_reference_id!,
    }
    this.sessions.set(id, session)
    return { status: 200, body: session }
  }

  #update(subscription: FakeSubscription, fields: Fields): Answer {
    const latest_invoice = { id: 'in_change', hosted_invoice_url: 'https://invoice.stripe.com/i/in_change' }
    if (this.bankRequiresConfirmation && fields.payment_behavior === 'pending_if_incomplete')
      return { status: 200, body: { ...subscription, pending_update: {}, latest_invoice } }
    const items = subscription.items.data
    for (let index = 0; fields[`items[${index}][price]`]; index++) {
      const price = this.#priceOf(fields[`items[${index}][price]`]!)
      if (this.foreignPrices.has(price.id)) return refusal(400, 'The price specified only supports `usd`.')
      const known = items.find(({ id }) => id === fields[`items[${index}][id]`])
      if (known) known.price = price
      else if (items.some((item) => item.price.id === price.id)) return refusal(400, 'this price is already an item')
      else items.push(this.#itemOf(price.id))
    }
    this.#emit('customer.subscription.updated', subscription)
    return { status: 200, body: { ...subscription, latest_invoice } }
  }

  #expire(id: string): Answer {
    const session = this.sessions.get(id)
    if (session?.status !== 'open') return refusal(400, 'Only Checkout Sessions with a status of open can be expired.')
    session.status = 'expired'
    return { status: 200, body: session }
  }

  #priceOf(id: string): FakePrice {
    return { id, metadata: {}, recurring: { meter: this.meterOfPrice.get(id) ?? null } }
  }

  #itemOf(id: string) {
    const current_period_end = this.#seconds() + MONTH_SECONDS
    return { id: this.#id('si'), price: this.#priceOf(id), current_period_end }
  }

  #emit(type: string, object: object): FakeEvent {
    const event: FakeEvent = {
      id: this.#id('evt'),
      object: 'event',
      type,
      created: this.#seconds(),
      data: { object: structuredClone(object) as Record<string, unknown> },
    }
    this.events.push(event)
    return event
  }

  #seconds = () => Math.floor(this.now / 1000)
  #id = (kind: string) => `${kind}_${String(++this.#last).padStart(5, '0')}`
}

const objectOr404 = (body: unknown): Answer =>
  body === undefined ? refusal(404, 'No such object', 'resource_missing') : { status: 200, body }

async function fieldsOf(request: IncomingMessage): Promise<Fields> {
  let text = request.url!.split('?')[1] ?? ''
  for await (const chunk of request) text += chunk
  return Object.fromEntries(new URLSearchParams(text))
}
