import type Stripe from 'stripe'
import { HoldshortError, type ParameterFault, SettingsError } from '../../config/errors.ts'
import { environmentName, type Settings } from '../../config/settings.ts'
import type { Tier } from '../../config/vocabulary.ts'
import type { AccountDependencies } from '../dependencies.ts'

export type PaidTier = Exclude<Tier, 'free'>
export const PAID_TIERS = ['pro', 'enterprise'] as const satisfies readonly PaidTier[]

/** The Stripe prices of a tier. `overage` is null if calls beyond the month's allowance are not billed. */
export interface Offer {
  price: string
  overage: { price: string; meter: string } | null
}

/** The Stripe client, its webhook secret and the tiers that are sold. */
export interface StripeBilling {
  stripe: Stripe
  webhook_secret: string
  offers: Partial<Record<PaidTier, Offer>>
}

/** Pinned, so that Stripe's answers keep the shape this code expects whatever the account's default version is. */
const API_VERSION = '2026-10-28.endive'

/**
 * The tiers that are sold by the settings, and the secret of the webhook.
 * @throws SettingsError when some Stripe settings are set and others they need are missing, or when two tiers have one price.
 */
export function stripeOffers(settings: Settings): Pick<StripeBilling, 'webhook_secret' | 'offers'> {
  const { stripe_webhook_secret: webhook_secret } = settings
  const faults: ParameterFault[] = []
  const add = (name: keyof Settings, message: string) => faults.push({ parameter: environmentName(name), message })
  if (webhook_secret === undefined) add('stripe_webhook_secret', 'must be set beside STRIPE_SECRET_KEY')
  const offers: StripeBilling['offers'] = {}
  for (const tier of PAID_TIERS) {
    const price = settings[`stripe_price_${tier}`]
    const overage = settings[`stripe_overage_price_${tier}`]
    const meter = settings[`stripe_meter_${tier}`]
    if ((overage === undefined) !== (meter === undefined))
      add(`stripe_meter_${tier}`, 'a meter and its overage price are set together or not at all')
    if (price !== undefined)
      offers[tier] = { price, overage: overage !== undefined && meter !== undefined ? { price: overage, meter } : null }
  }
  if (Object.keys(offers).length === 0) add('stripe_price_pro', 'no tier has a price, so nothing can be sold')
  if (offers.pro !== undefined && offers.pro.price === offers.enterprise?.price)
    add(
      'stripe_price_enterprise',
      'is the price of Pro: who buys Enterprise would get Pro; name the price of Enterprise',
    )
  if (webhook_secret === undefined || faults.length > 0) throw new SettingsError(faults)
  return { webhook_secret, offers }
}

/**
 * Opens Stripe as the settings describe it. Returns null without a Stripe secret key: only the operator grants plans then.
 * @throws SettingsError as `stripeOffers` does.
 */
export async function openStripeBilling(settings: Settings): Promise<StripeBilling | null> {
  const { stripe_secret_key: key, stripe_api_url: url } = settings
  if (key === undefined) return null
  const { webhook_secret, offers } = stripeOffers(settings)
  // The library takes 20 MB and a third of a second to load, so installations without Stripe do not load it.
  const { default: Library } = await import('stripe')
  const stripe = new Library(key, {
    apiVersion: API_VERSION,
    maxNetworkRetries: 1,
    timeout: 10_000,
    telemetry: false,
    ...(url !== undefined && apiAddress(url)),
  })
  return { stripe, webhook_secret, offers }
}

function apiAddress(text: string) {
  const { hostname: host, port, protocol } = new URL(text)
  return { host, port, protocol: protocol === 'http:' ? 'http' : 'https' } as const
}

type StripeError = InstanceType<typeof Stripe.errors.StripeError>

/** Whether a thrown value is an error of the Stripe library whose type matches `kind`. */
export function isStripeError(thrown: unknown, kind = /^Stripe\w*Error$/): thrown is StripeError {
  return thrown instanceof Error && 'type' in thrown && typeof thrown.type === 'string' && kind.test(thrown.type)
}

const UNAVAILABLE = 'the payment service gave no usable answer; try again in a minute'
const REFUSED =
  'the payment service refused this and would refuse it again. Please write to the operator of this service (Contact)'

/** Errors of a request that Stripe has read and will refuse again. */
const REFUSED_REQUEST = /^StripeInvalidRequestError$/
/** Errors of the operator's key, which no customer can mend. */
const REFUSED_KEY = /^Stripe(Authentication|Permission)Error$/

/**
 * Awaits a Stripe request. Stripe's own error message goes to the log only. `refused` says what to do when Stripe refuses what is asked for.
 * @throws HoldshortError STRIPE_FAILED when Stripe gave no usable answer
 */
export async function callStripe<T>(
  logger: AccountDependencies['logger'],
  request: Promise<T>,
  refused = REFUSED,
): Promise<T> {
  try {
    return await request
  } catch (cause) {
    if (!isStripeError(cause)) throw cause
    const { type, code, statusCode, requestId, message } = cause
    logger?.error(
      { type, code, status: statusCode, stripe_request: requestId, stripe_message: message },
      'Stripe failed',
    )
    throw new HoldshortError('STRIPE_FAILED', adviceOn(cause, refused), { cause })
  }
}

function adviceOn(cause: StripeError, refused: string): string {
  if (isStripeError(cause, REFUSED_KEY)) return REFUSED
  return isStripeError(cause, REFUSED_REQUEST) ? refused : UNAVAILABLE
}
