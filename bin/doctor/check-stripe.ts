import type Stripe from 'stripe'
import {
  isStripeError,
  type Offer,
  openStripeBilling,
  PAID_TIERS,
  type PaidTier,
  type StripeBilling,
} from '../../accounts/billing/stripe-client.ts'
import { EVENTS } from '../../accounts/billing/webhook.ts'
import { addresses } from '../../config/addresses.ts'
import type { Settings } from '../../config/settings.ts'
import { TIERS } from '../../config/tiers.ts'
import { unknown, type Verdict, wrong } from './finding.ts'

/** Faults of the monthly price of a tier. */
function faultsOfPrice(tier: PaidTier, { id, active, currency, unit_amount, recurring }: Stripe.Price): string[] {
  const { price_usd_per_month: amount } = TIERS[tier]
  const faults: string[] = []
  if (!active) faults.push(`${id} is archived`)
  if (currency !== 'usd' || unit_amount !== amount * 100)
    faults.push(`${id} costs ${(unit_amount ?? 0) / 100} ${currency}, and /plans says ${amount} usd`)
  if (recurring?.interval !== 'month' || recurring.interval_count !== 1 || recurring.usage_type !== 'licensed')
    faults.push(`${id} is not a price for each month`)
  return faults
}

/** Faults of the price of further calls and of its meter. */
function faultsOfOverage(
  tier: PaidTier,
  price: Stripe.Price,
  meter_name: string,
  meters: readonly Stripe.Billing.Meter[],
): string[] {
  const { id, active, currency, recurring } = price
  const faults: string[] = []
  const centsPerCall = (TIERS[tier].overage_usd_per_1000 ?? 0) / 10
  if (!active) faults.push(`${id} is archived`)
  if (currency !== 'usd' || Number(price.unit_amount_decimal) !== centsPerCall)
    faults.push(
      `${id} costs ${Number(price.unit_amount_decimal) / 100} ${currency} a call, and /plans says ${centsPerCall / 100} usd`,
    )
  if (recurring?.usage_type !== 'metered') faults.push(`${id} is not metered`)
  const meter = meters.find(({ event_name }) => event_name === meter_name)
  if (!meter) return [...faults, `there is no meter with the event name ${meter_name}`]
  if (meter.status !== 'active') faults.push(`the meter ${meter_name} is not active`)
  if (recurring?.meter !== meter.id) faults.push(`${id} does not count by the meter ${meter_name}`)
  if (meter.default_aggregation.formula !== 'sum') faults.push(`the meter ${meter_name} does not sum`)
  if (meter.customer_mapping.event_payload_key !== 'stripe_customer_id')
    faults.push(`the meter ${meter_name} does not map customers by stripe_customer_id`)
  if (meter.value_settings.event_payload_key !== 'value') faults.push(`the meter ${meter_name} does not read value`)
  return faults
}

/** Faults of the webhook endpoint of this service. */
function faultsOfWebhook(url: string, endpoints: readonly Stripe.WebhookEndpoint[]): string[] {
  const endpoint = endpoints.find((candidate) => candidate.url === url)
  if (!endpoint) return [`there is no webhook endpoint at ${url}`]
  if (endpoint.status !== 'enabled') return [`the webhook endpoint at ${url} is switched off`]
  const sent = new Set<string>(endpoint.enabled_events)
  const absent = sent.has('*') ? [] : [...EVENTS].filter((event) => !sent.has(event))
  return absent.length === 0 ? [] : [`the webhook endpoint does not send ${absent.join(', ')}`]
}

async function faultsOfOffer(
  { stripe }: StripeBilling,
  tier: PaidTier,
  { price, overage }: Offer,
  meters: readonly Stripe.Billing.Meter[],
): Promise<string[]> {
  const faults = faultsOfPrice(tier, await stripe.prices.retrieve(price))
  if (overage) faults.push(...faultsOfOverage(tier, await stripe.prices.retrieve(overage.price), overage.meter, meters))
  return faults
}

/** Whether prices, meters and webhook events at Stripe are those that the service expects. It changes nothing there. */
export async function checkStripe(settings: Settings): Promise<Verdict> {
  const billing = (await openStripeBilling(settings))!
  const { stripe, offers } = billing
  try {
    const { data: meters } = await stripe.billing.meters.list({ limit: 100 })
    const { data: endpoints } = await stripe.webhookEndpoints.list({ limit: 100 })
    const faults = faultsOfWebhook(`${addresses(settings).site_url}/api/stripe/webhook`, endpoints)
    for (const tier of PAID_TIERS) {
      const offer = offers[tier]
      if (offer) faults.push(...(await faultsOfOffer(billing, tier, offer, meters)))
    }
    if (faults.length > 0) return wrong(`${faults.join('; ')}; see docs/operate/money.md`)
    return `prices of ${Object.keys(offers).join(' and ')}, meters and webhook events are as expected`
  } catch (error) {
    if (!isStripeError(error)) throw error
    const { type, message } = error
    // A restricted key may sell without being allowed to read these; the network may be absent.
    if (/^Stripe(Permission|Connection|RateLimit|API)Error$/.test(type))
      return unknown(`Stripe did not answer (${type}: ${message})`)
    return wrong(`Stripe refuses: ${message}`)
  }
}
