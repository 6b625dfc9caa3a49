import { TIERS, type TierTerms } from '../../../config/tiers.ts'
import { overageCents } from '../../data/gate/billing-month.ts'
import { escaped } from '../../site/pages/html.ts'
import { amount, counted } from './amounts.ts'
import { monthAfter, monthInWords } from './months.ts'
import { section } from './parts.ts'
import type { Overview } from './read.ts'

/** Tier, price, limits, and how much of the month is used. `sold`: whether plans can be bought on `/plans`. */
export function planSection(overview: Overview, sold: boolean): string {
  const { account, calls, months, payment_due } = overview
  const terms = TIERS[account.tier]
  const { name, price_usd_per_month, calls_per_month } = terms
  const price = `${amount(price_usd_per_month * 100, 'USD')} a month`
  const change = sold
    ? '<p><a class="button second" href="/plans">Change plan</a></p>'
    : `<p class="hint">Plans are granted by the operator of this installation. Your account is <code>${escaped(account.id)}</code>.</p>`
  return section(
    'plan',
    'Plan',
    `${payment_due && sold ? due : ''}<p class="tier"><strong>${name}</strong> <span>${price}</span></p>
${meter(calls, calls_per_month)}
<p>${used(calls, calls_per_month, monthInWords(months.latest))} ${beyond(overview)}</p>
${limits(terms)}
${change}`,
  )
}

const due =
  '<p class="warning">The last payment did not go through. <a href="/plans">See to it</a>, so that your plan goes on.</p>\n'

const used = (calls: number, included: number, month: string) =>
  calls > included
    ? `<b>${counted(calls)}</b> calls in ${month}; the plan includes ${counted(included)}.`
    : `<b>${counted(calls)}</b> of ${counted(included)} calls of ${month} used, ${counted(included - calls)} left.`

function beyond({ account, overage_calls, months: { latest } }: Overview): string {
  const terms = TIERS[account.tier]
  if (terms.overage_usd_per_1000 === null)
    return `Beyond them calls are refused until 1 ${monthInWords(monthAfter(latest, 1))}.`
  const cost = amount(overageCents(terms, overage_calls), 'USD')
  return `Overage so far: <b>${counted(overage_calls)}</b> ${overage_calls === 1 ? 'call' : 'calls'}, <b>${cost}</b>.`
}

function limits(terms: TierTerms): string {
  const { requests_per_minute, calls_per_month, overage_usd_per_1000: price, max_keys } = terms
  const { prediction_hours, history_days, granularity, bulk_airports } = terms
  const all = [
    `${counted(requests_per_minute)} requests a minute for each key`,
    `${counted(calls_per_month)} calls a month${price === null ? '' : `, then USD ${price} per 1,000`}`,
    ...(prediction_hours > 0
      ? [`predictions for ${prediction_hours === 24 ? '24 hours' : `${prediction_hours / 24} days`}`]
      : []),
    ...(history_days > 0 ? [`history of ${history_days} days`] : []),
    ...(granularity === 'none' ? ['airports, delays and the free MCP tools'] : [`figures by ${granularity}`]),
    ...(bulk_airports > 0 ? [`up to ${bulk_airports} airports in one bulk call`] : []),
    max_keys === 1 ? 'one key' : `up to ${max_keys} keys`,
  ]
  return `<ul class="terms">${all.map((limit) => `<li>${limit}</li>`).join('')}</ul>`
}

/** How much of the month is used, and what is beyond it, for the eye; the sentence below it says the same. */
function meter(calls: number, of: number): string {
  const percent = (part: number) => `${Math.round((part / Math.max(calls, of)) * 1_000) / 10}%`
  const included = percent(Math.min(calls, of))
  const used = `<rect class="${calls < of * 0.8 || calls > of ? 'used' : 'near'}" width="${included}" height="12"/>`
  const over = calls > of ? `<rect class="near" x="${included}" width="${percent(calls - of)}" height="12"/>` : ''
  return `<svg class="meter" aria-hidden="true" width="100%" height="12"><rect class="track" width="100%" height="12"/>${used}${over}</svg>`
}
