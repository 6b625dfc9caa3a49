import type Stripe from 'stripe'
import { DAY_MS, HOUR_MS } from '../../../config/domain.ts'
import { TIERS } from '../../../config/tiers.ts'
import type { PeriodicTask } from '../../data/dependencies.ts'
import { monthOf } from '../../data/gate/billing-month.ts'
import { callsOfMonth } from '../../data/gate/usage.ts'
import type { State } from '../../state/state.ts'
import type { OverageReportRow, SubscriptionRow } from '../../state/tables.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { overageCalls } from './overage.ts'
import { overageRow } from './overage-rows.ts'
import { givesTier } from './plan-of.ts'
import { isStripeError, type Offer, openShop, type Shop } from './shop.ts'

/** Days into a month that the last calls of the month before are still told. */
const CLOSING_DAYS = 3
/** Stripe knows an identifier again for a day at least. What it may or may not have taken is not sent again after that. */
const SURE_MS = 20 * HOUR_MS

/** A subscription whose overage is billed, and by which meter. */
interface Billed {
  account_id: string
  customer_id: string
  /** Calls that the account's tier now includes. */
  included: number
  meter: string
}

/**
 * Tells Stripe's meters of the calls beyond the month's, each call once: what is about to be told is written first, under a
 * name that Stripe knows again, so that a process killed between the two repeats itself instead of counting anew.
 */
export async function tellOverage(
  { settings, state, logger }: Pick<AccountDependencies, 'settings' | 'state' | 'logger'>,
  now: number,
): Promise<void> {
  const shop = await openShop(settings)
  if (!shop || !Object.values(shop.offers).some(({ overage }) => overage)) return
  const month = monthOf(now)
  const monthBefore = monthOf(now - CLOSING_DAYS * DAY_MS)
  for (const billed of await billedSubscriptions(state, shop)) {
    try {
      // A month without a row is one in which there was no subscription.
      const closing = monthBefore === month ? undefined : await knownRow(state, billed.account_id, monthBefore)
      if (closing) await tellMonth({ state, shop, logger }, billed, closing, now)
      const row = await overageRow(state.db, billed.account_id, month, billed.included)
      await tellMonth({ state, shop, logger }, billed, row, now)
    } catch (error) {
      logger?.error({ err: error, account: billed.account_id }, 'overage could not be told; it is tried again')
    }
  }
}

export const tellOverageTask: PeriodicTask = { name: 'tell overage', every_ms: HOUR_MS / 4, run: tellOverage }

async function billedSubscriptions({ db }: State, { offers }: Shop): Promise<Billed[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .innerJoin('accounts', 'accounts.id', 'subscriptions.account_id')
    .selectAll('subscriptions')
    .select('accounts.tier as account_tier')
    .where('subscriptions.tier', 'is not', null)
    .execute()
  return rows.filter(givesTier).flatMap((row) => {
    const overage = offerOf(row, offers)?.overage
    const { account_id, customer_id, account_tier } = row
    return overage
      ? [{ account_id, customer_id, included: TIERS[account_tier].calls_per_month, meter: overage.meter }]
      : []
  })
}

const offerOf = ({ tier }: Pick<SubscriptionRow, 'tier'>, offers: Shop['offers']): Offer | undefined =>
  tier === 'pro' || tier === 'enterprise' ? offers[tier] : undefined

function knownRow({ db }: State, account_id: string, month: string): Promise<OverageReportRow | undefined> {
  const rows = db.selectFrom('overage_reports').selectAll().where('account_id', '=', account_id)
  return rows.where('month', '=', month).executeTakeFirst()
}

interface Teller {
  state: State
  shop: Shop
  logger: AccountDependencies['logger']
}

async function tellMonth({ state, shop, logger }: Teller, billed: Billed, row: OverageReportRow, now: number) {
  const { account_id, month, calls: told } = row
  let { telling, telling_since } = row
  if (telling === null) {
    const total = overageCalls(await callsOfMonth(state.db, account_id, month), row)
    if (total === told) return
    telling_since = new Date(now).toISOString()
    if (!(await replaceRow(state, row, { calls: told, telling: total, telling_since }))) return
    telling = total
  }
  const value = telling - told
  const outcome =
    now - Date.parse(telling_since!) > SURE_MS
      ? 'unknown'
      : await tell(shop.stripe, billed, { identifier: `${account_id}:${month}:${told}-${telling}`, value })
  if (outcome !== 'told') logger?.error({ account: account_id, month, value }, OUTCOMES[outcome])
  // Refused now, it may all the same have been taken at an earlier try.
  if (outcome === 'refused' && row.telling !== null) return
  const calls = outcome === 'refused' ? told : telling
  await replaceRow(state, { ...row, telling }, { calls, telling: null, telling_since: null })
}

const OUTCOMES = {
  unknown: 'Stripe may not have been told of these calls; they are not told again, lest they be billed twice',
  refused: 'Stripe refused to be told of these calls; is the meter there? They are told again',
}

/** Writes a row on, if it still is as it was read. */
async function replaceRow(
  { db }: State,
  { account_id, month, calls, telling }: OverageReportRow,
  next: Pick<OverageReportRow, 'calls' | 'telling' | 'telling_since'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('overage_reports')
    .set(next)
    .where('account_id', '=', account_id)
    .where('month', '=', month)
    .where('calls', '=', calls)
    .where('telling', telling === null ? 'is' : '=', telling)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** @throws StripeError when it is not known whether Stripe took it. */
async function tell(
  stripe: Stripe,
  { customer_id, meter }: Billed,
  { identifier, value }: { identifier: string; value: number },
): Promise<'told' | 'refused'> {
  const payload = { stripe_customer_id: customer_id, value: String(value) }
  try {
    await stripe.billing.meterEvents.create({ event_name: meter, identifier, payload })
    return 'told'
  } catch (error) {
    if (!isStripeError(error, /^StripeInvalidRequestError$/)) throw error
    return /already exists with identifier/.test(error.message) ? 'told' : 'refused'
  }
}
