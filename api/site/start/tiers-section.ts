import { TIERS, type TierTerms } from '../../../config/tiers.ts'
import { head, table } from '../pages/html.ts'

const HEADS = [
  head('Tier'),
  ...['USD a month', 'Requests a minute', 'Calls a month', 'Prediction hours', 'History days'].map((text) =>
    head(text, 'number'),
  ),
  head('Bulk'),
]

function tierRow(tier: TierTerms): string {
  const { name, price_usd_per_month, requests_per_minute, calls_per_month, prediction_hours, history_days } = tier
  const numbers = [price_usd_per_month, requests_per_minute, calls_per_month, prediction_hours, history_days]
  const cells = numbers.map((number) => `<td class="number">${number.toLocaleString('en')}</td>`).join('')
  const bulk = tier.bulk_airports > 0 ? `up to ${tier.bulk_airports} airports` : 'no'
  return `<tr><th scope="row">${name}</th>${cells}<td>${bulk}</td></tr>`
}

/** What each tier may, from the one file that says so. */
export const tiersSection = `${table('Tiers', HEADS, Object.values(TIERS).map(tierRow))}
<p>The free tier needs no account: <a href="#key">one call gives a key</a>. With an account, which is free too, you see your usage and connect MCP clients by your consent. For a paid tier <a href="/signup">sign up</a>, then choose it under <a href="/plans">Plans</a>.</p>`
