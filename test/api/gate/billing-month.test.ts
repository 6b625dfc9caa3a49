import { expect, test } from 'vitest'
import { overageOf } from '../../../api/gate/billing-month.ts'
import { TIERS } from '../../../config/tiers.ts'

test.each([
  // Pro: 5,000 calls, then 3 USD per 1,000, which is 0.3 cents a call.
  ['pro', 0, 0, 0],
  ['pro', 4_999, 0, 0],
  ['pro', 5_000, 0, 0],
  ['pro', 5_001, 1, 0],
  ['pro', 5_002, 2, 0.01],
  ['pro', 5_005, 5, 0.02],
  ['pro', 6_000, 1_000, 3],
  ['pro', 6_234, 1_234, 3.7],
  ['pro', 5_000 + 333_333, 333_333, 1_000],
  // Enterprise: 100,000 calls, then 1 USD per 1,000, which is 0.1 cents a call.
  ['enterprise', 100_000, 0, 0],
  ['enterprise', 100_004, 4, 0],
  ['enterprise', 100_005, 5, 0.01],
  ['enterprise', 187_654, 87_654, 87.65],
  // The free tier refuses calls beyond the limit; calls under an earlier paid plan in the same month were billed there.
  ['free', 1_000, 0, 0],
  ['free', 7_000, 0, 0],
] as const)('%s: %i calls give an overage of %i calls for %f USD', (tier, calls, overage_calls, overage_usd) => {
  expect(overageOf(calls, TIERS[tier])).toEqual({ overage_calls, overage_usd })
})

test('computes prices with fractions of a dollar to the exact cent', () => {
  const terms = { calls_per_month: 0, overage_usd_per_1000: 0.29 }
  expect(overageOf(1_000, terms).overage_usd).toBe(0.29)
  expect(overageOf(100_000, terms).overage_usd).toBe(29)
})
