import { expect, test } from 'vitest'
import { vapidSubject } from '../../accounts/alerts/vapid.ts'
import { overageCalls } from '../../accounts/billing/overage.ts'
import { canStillBeCharged, effectivePlan, grantsTier, STATUS_GRANTS_TIER } from '../../accounts/billing/plan.ts'
import { dollars } from '../../accounts/dashboard/dashboard-parts.tsx'
import { daysIn, monthAfter, shownMonths } from '../../accounts/dashboard/months.ts'
import { browserName } from '../../accounts/people/browser-name.ts'
import { safeRedirectPath } from '../../accounts/people/signed-in.ts'
import { overageCents } from '../../api/gate/billing-month.ts'
import { sourceNetwork } from '../../api/gate/source-network.ts'
import { readSettings } from '../../config/settings.ts'
import { TIERS } from '../../config/tiers.ts'
import type { Tier } from '../../config/vocabulary.ts'
import { scaleTop } from '../../site/charts/usage-chart.ts'
import { readCases, testValues } from '../values.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const grant = (tier: Tier, until: string | null = null, ended_at: string | null = null) => ({ tier, until, ended_at })
const GRANTS = {
  none: [],
  pro: [grant('pro')],
  enterprise: [grant('enterprise', '2026-11-21T12:00:00.001Z')],
  ended: [grant('enterprise', '2026-11-21T12:00:00.000Z'), grant('enterprise', null, '2026-11-01T00:00:00.000Z')],
}

testValues('accounts/values.json', {
  safeRedirectPath,
  browserName,
  vapidSubject: (environment: Record<string, string>) => vapidSubject(readSettings(environment)),
  effectivePlan: (grants: keyof typeof GRANTS, subscription: Parameters<typeof effectivePlan>[1]) =>
    effectivePlan(GRANTS[grants], subscription, NOW),
  grantsTier,
  canStillBeCharged,
  overageCalls,
  overageCents: (tier: Tier, calls: number) => overageCents(TIERS[tier], calls),
  dollars,
  monthAfter,
  daysIn,
  shownMonths: (selected: string | null, since: string) => shownMonths(selected ?? undefined, since, NOW),
  scaleTop,
  sourceNetwork,
})

test('the tables have every status of a subscription', () => {
  const tables = JSON.stringify(readCases('accounts/values.json'))
  for (const status of Object.keys(STATUS_GRANTS_TIER)) expect(tables).toContain(`"status":"${status}"`)
})
