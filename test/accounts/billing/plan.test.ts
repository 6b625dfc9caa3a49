import { expect, test } from 'vitest'
import { canStillBeCharged, effectivePlan, grantsTier, STATUS_GRANTS_TIER } from '../../../accounts/billing/plan.ts'
import type { Tier } from '../../../config/vocabulary.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const grant = (tier: Tier, until: string | null = null, ended_at: string | null = null) => ({ tier, until, ended_at })
const GRANTS = {
  none: [],
  pro: [grant('pro')],
  enterprise: [grant('enterprise', '2026-11-21T12:00:00.001Z')],
  ended: [grant('enterprise', '2026-11-21T12:00:00.000Z'), grant('enterprise', null, '2026-11-01T00:00:00.000Z')],
}

/** The expected tier by status of a Pro subscription and by grants. */
const TABLE: Record<string, Record<keyof typeof GRANTS, Tier>> = {
  none: { none: 'free', pro: 'pro', enterprise: 'enterprise', ended: 'free' },
  incomplete: { none: 'free', pro: 'pro', enterprise: 'enterprise', ended: 'free' },
  incomplete_expired: { none: 'free', pro: 'pro', enterprise: 'enterprise', ended: 'free' },
  trialing: { none: 'pro', pro: 'pro', enterprise: 'enterprise', ended: 'pro' },
  active: { none: 'pro', pro: 'pro', enterprise: 'enterprise', ended: 'pro' },
  past_due: { none: 'pro', pro: 'pro', enterprise: 'enterprise', ended: 'pro' },
  unpaid: { none: 'free', pro: 'pro', enterprise: 'enterprise', ended: 'free' },
  canceled: { none: 'free', pro: 'pro', enterprise: 'enterprise', ended: 'free' },
  paused: { none: 'free', pro: 'pro', enterprise: 'enterprise', ended: 'free' },
  a_future_status: { none: 'free', pro: 'pro', enterprise: 'enterprise', ended: 'free' },
}

test('a subscription status and grants give the tier of the table', () => {
  for (const [status, row] of Object.entries(TABLE))
    for (const [name, tier] of Object.entries(row)) {
      const grants = GRANTS[name as keyof typeof GRANTS]
      expect(effectivePlan(grants, { status, tier: 'pro' }, NOW).tier, `${status} × ${name}`).toBe(tier)
      if (status === 'none') expect(effectivePlan(grants, null, NOW).tier, name).toBe(tier)
    }
  expect(Object.keys(TABLE)).toEqual(expect.arrayContaining(Object.keys(STATUS_GRANTS_TIER)))
})

test('a plan names a grant as its origin only where the grant is higher than the subscription', () => {
  expect(effectivePlan(GRANTS.pro, { status: 'active', tier: 'pro' }, NOW).why).toBe('subscription')
  expect(effectivePlan(GRANTS.pro, { status: 'active', tier: 'enterprise' }, NOW)).toMatchObject({ tier: 'enterprise' })
  expect(effectivePlan(GRANTS.enterprise, { status: 'active', tier: 'pro' }, NOW)).toEqual({
    tier: 'enterprise',
    why: 'grant',
    until: '2026-11-21T12:00:00.001Z',
  })
  expect(effectivePlan([], null, NOW)).toEqual({ tier: 'free', why: null, until: null })
})

test('a subscription to an unknown price grants no tier but still prevents a second purchase', () => {
  expect(grantsTier({ status: 'active', tier: null })).toBe(false)
  expect(canStillBeCharged({ status: 'active' })).toBe(true)
  const free = ['none', 'canceled', 'incomplete_expired']
  for (const status of Object.keys(TABLE)) expect(canStillBeCharged({ status }), status).toBe(!free.includes(status))
  expect(canStillBeCharged(null)).toBe(false)
})
