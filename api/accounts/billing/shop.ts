import type Stripe from 'stripe'
import type { Tier } from '../../../config/domain.ts'
import { HoldshortError, type ParameterFault, SettingsError } from '../../../config/errors.ts'
import { environmentName, type Settings } from '../../../config/settings.ts'
import type { AccountDependencies } from '../dependencies.ts'

export type PaidTier = Exclude<Tier, 'free'>
export const PAID_TIERS = ['pro', 'enterprise'] as const satisfies readonly PaidTier[]

/** What Stripe has of a tier: its monthly price and, where calls beyond the month's are billed, how. */
export interface Offer {
  price: string
  overage: { price: string; meter: string } | null
}

/** Stripe, and what is sold through it. */
export interface Shop {
  stripe: Stripe
  webhook_secret: string
  offers: Partial<Record<PaidTier, Offer>>
}

/** Pinned, so that answers keep the shapes that this code was written for, whatever the account's own version is. */
const API_VERSION = '2026-10-28.endive'

/**
 * The shop that the settings describe; null without a secret key of Stripe: plans are then granted by the operator alone.
 * @throws SettingsError when the settings of Stripe are there by halves.
 */
export async function openShop(settings: Settings): Promise<Shop | null> {
  const { stripe_secret_key: key, stripe_webhook_secret: webhook_secret, stripe_api_url: url } = settings
  if (key === undefined) return null
  const faults: ParameterFault[] = []
  const missing = (name: keyof Settings, message: string) => faults.push({ parameter: environmentName(name), message })
  if (webhook_secret === undefined) missing('stripe_webhook_secret', 'must be set beside STRIPE_SECRET_KEY')
  const offers: Shop['offers'] = {}
  for (const tier of PAID_TIERS) {
    const price = settings[`stripe_price_${tier}`]
    const [overage, meter] = [settings[`stripe_overage_price_${tier}`], settings[`stripe_meter_${tier}`]]
    if ((overage === undefined) !== (meter === undefined))
      missing(`stripe_meter_${tier}`, 'a meter and its overage price are set together or not at all')
    if (price !== undefined)
      offers[tier] = { price, overage: overage !== undefined && meter !== undefined ? { price: overage, meter } : null }
  }
  if (Object.keys(offers).length === 0) missing('stripe_price_pro', 'no tier has a price, so nothing can be sold')
  if (webhook_secret === undefined || faults.length > 0) throw new SettingsError(faults)
  // Its library takes 20 MB and a third of a second to load: not for those who do not sell.
  const { default: Library } = await import('stripe')
  const stripe = new Library(key, {
    apiVersion: API_VERSION,
    maxNetworkRetries: 1,
    timeout: 10_000,
    telemetry: false,
    ...(url !== undefined && placeOf(url)),
  })
  return { stripe, webhook_secret, offers }
}

function placeOf(text: string) {
  const { hostname: host, port, protocol } = new URL(text)
  return { host, port, protocol: protocol === 'http:' ? 'http' : 'https' } as const
}

/** What the library throws: what Stripe answered, or that it did not. */
type StripeError = InstanceType<typeof Stripe.errors.StripeError>

/** Whether something thrown is of Stripe; with a kind, whether it is of that kind. */
export function isStripeError(thrown: unknown, kind = /^Stripe\w*Error$/): thrown is StripeError {
  return thrown instanceof Error && 'type' in thrown && typeof thrown.type === 'string' && kind.test(thrown.type)
}

/**
 * Asks Stripe something.
 * @throws HoldshortError STRIPE_FAILED without a usable answer; what Stripe said is in the log alone.
 */
export async function asked<T>(logger: AccountDependencies['logger'], question: Promise<T>): Promise<T> {
  try {
    return await question
  } catch (cause) {
    if (!isStripeError(cause)) throw cause
    const { type, code, statusCode, requestId, message } = cause
    logger?.error({ type, code, status: statusCode, stripe_request: requestId, said: message }, 'Stripe failed')
    throw new HoldshortError('STRIPE_FAILED', 'the payment service gave no usable answer; try again in a minute', {
      cause,
    })
  }
}
