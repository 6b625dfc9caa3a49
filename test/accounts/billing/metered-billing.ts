import { reportOverage } from '../../../accounts/billing/report-overage.ts'
import { addUsage } from '../../../api/gate/usage.ts'
import { readSettings } from '../../../config/settings.ts'
import type { SignedInPerson } from '../people/signed-in-person.ts'
import { type BillingHarness, openBilling, stripeSettings } from './billing-setup.ts'

/** Opens the app with both tiers for sale; `use` counts calls of an account and `report` runs the periodic report. */
export async function openMeteredBilling(environment: Record<string, string> = {}) {
  const billing = await openBilling(environment)
  const { state, controls, stripe } = billing
  const settings = readSettings({ ...stripeSettings(stripe.url), ...environment })
  const use = ({ account_id }: SignedInPerson, calls: number) =>
    addUsage(state.db, [
      { account_id, day: new Date(controls.now).toISOString().slice(0, 10), endpoint: 'getWaitTimes', calls },
    ])
  return { ...billing, use, report: () => reportOverage({ settings, state }, controls.now) }
}

/** The number of calls that were reported to a meter. */
export function metered({ stripe }: BillingHarness, meter = 'calls_pro') {
  const events = [...stripe.metered.values()].filter(({ event_name }) => event_name === meter)
  return events.reduce((sum, fields) => sum + Number(fields['payload[value]']), 0)
}
