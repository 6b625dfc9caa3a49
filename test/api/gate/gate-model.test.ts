import fc from 'fast-check'
import { afterAll, test as always, beforeAll, expect } from 'vitest'
import { type IssuedKey, issueFurtherKey, issueKey, revokeKey } from '../../../accounts/keys/keys.ts'
import type { Gate } from '../../../api/gate/admission.ts'
import { DistributedGate } from '../../../api/gate/distributed-gate.ts'
import { LocalGate } from '../../../api/gate/local-gate.ts'
import { RedisLimiter } from '../../../api/gate/redis-limiter.ts'
import { callsOfMonth } from '../../../api/gate/usage.ts'
import { announceAccessChangesOverRedis } from '../../../api/state/access-changes-over-redis.ts'
import { openStateAt } from '../../../api/state/open.ts'
import type { State } from '../../../api/state/state.ts'
import { TIERS } from '../../../config/tiers.ts'
import { type Tier, Tier as Tiers } from '../../../config/vocabulary.ts'
import { redisForTests, redisInstalled } from '../../jobs/redis/redis-server.ts'
import { NOW } from '../example-snapshot.ts'

/** A decision with the remaining calls of minute and month. */
type Decision =
  | { outcome: 'invalid' }
  | { outcome: 'admitted' | 'minute' | 'month'; minute_left: number; month_left: number | null }

/** A reference model of the gate: it keeps lists of everything that happened and counts them on each call. */
class GateModel {
  readonly #accounts: { tier: Tier; calls: { month: string; billed: boolean | null }[] }[] = []
  readonly #keys: { account: number; revoked: boolean; admitted: { admitted_ms: number; tier: Tier }[] }[] = []

  addAccount(tier: Tier, keys: number): void {
    const account = this.#accounts.push({ tier, calls: [] }) - 1
    for (let i = 0; i < keys; i++) this.#keys.push({ account, revoked: false, admitted: [] })
  }

  setTier(account: number, tier: Tier): void {
    this.#accounts[account]!.tier = tier
  }

  revoke(key: number): void {
    this.#keys[key]!.revoked = true
  }

  /** Decides on a call; `settle` ends it. */
  admit(key: number, now: number, billable: boolean): { decision: Decision; settle: (billed: boolean) => void } {
    const { account, revoked, admitted } = this.#keys[key]!
    const { tier, calls } = this.#accounts[account]!
    const settleNothing = () => undefined
    if (revoked) return { decision: { outcome: 'invalid' }, settle: settleNothing }
    const terms = TIERS[tier]
    const month = new Date(now).toISOString().slice(0, 7)
    const monthLeft = () =>
      terms.calls_per_month - calls.filter((call) => call.month === month && call.billed !== false).length
    const minuteLeft = () =>
      terms.requests_per_minute -
      admitted.filter((admission) => admission.tier === tier && admission.admitted_ms > now - 60_000).length
    const decision = (outcome: 'admitted' | 'minute' | 'month'): Decision => ({
      outcome,
      minute_left: minuteLeft(),
      month_left: terms.overage_usd_per_1000 === null ? Math.max(0, monthLeft()) : null,
    })
    if (billable && terms.overage_usd_per_1000 === null && monthLeft() <= 0)
      return { decision: decision('month'), settle: settleNothing }
    if (minuteLeft() <= 0) return { decision: decision('minute'), settle: settleNothing }
    admitted.push({ admitted_ms: now, tier })
    if (!billable) return { decision: decision('admitted'), settle: settleNothing }
    const call: { month: string; billed: boolean | null } = { month, billed: null }
    calls.push(call)
    return {
      decision: decision('admitted'),
      settle: (billed) => {
        call.billed ??= billed
      },
    }
  }

  /** Billed calls of an account's month (YYYY-MM). */
  billed(account: number, month: string): number {
    return this.#accounts[account]!.calls.filter((call) => call.month === month && call.billed === true).length
  }
}

const redis_url = redisForTests(16_394)
const ACCOUNTS = 2
const KEYS_EACH = 2
/** Other scenarios, or more of them: MODEL_SEED=7 MODEL_RUNS=400 npx vitest run test/api/gate/gate-model */
const SCENARIOS = { seed: Number(process.env.MODEL_SEED ?? 20_261_121), numRuns: Number(process.env.MODEL_RUNS ?? 20) }
const ALL_OUTCOMES = ['admitted', 'invalid', 'minute', 'month']

/** One installation; its keys are in the same order as the model's. */
interface Installation {
  state: State
  gate: Gate
  issued: IssuedKey[]
}

type Step =
  | { step: 'call'; key: number; billable: boolean; instance: number }
  | { step: 'settle'; call: number; billed: boolean }
  | { step: 'wait'; ms: number }
  | { step: 'revoke'; key: number }
  | { step: 'tier'; account: number; tier: Tier }
  | { step: 'flush' }

const key = fc.nat(ACCOUNTS * KEYS_EACH - 1)
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({ step: fc.constant('call'), key, billable: fc.boolean(), instance: fc.nat(1) }),
    },
    { weight: 4, arbitrary: fc.record({ step: fc.constant('settle'), call: fc.nat(60), billed: fc.boolean() }) },
    {
      weight: 4,
      arbitrary: fc.record({
        step: fc.constant('wait'),
        ms: fc.oneof(fc.nat(40_000), fc.constantFrom(1, 59_999, 60_000, 10 * 86_400_000)),
      }),
    },
    { weight: 1, arbitrary: fc.record({ step: fc.constant('revoke'), key }) },
    {
      weight: 2,
      arbitrary: fc.record({
        step: fc.constant('tier'),
        account: fc.nat(ACCOUNTS - 1),
        tier: fc.constantFrom(...Tiers.options),
      }),
    },
    { weight: 1, arbitrary: fc.record({ step: fc.constant('flush') }) },
  ) as fc.Arbitrary<Step>,
  { minLength: 30, maxLength: 60 },
)

const productionTiers = structuredClone(TIERS)
let limiters: RedisLimiter[] = []

// Limits so low that a few steps reach them.
beforeAll(async () => {
  Object.assign(TIERS.free, { requests_per_minute: 4, calls_per_month: 3, max_keys: KEYS_EACH })
  Object.assign(TIERS.pro, { requests_per_minute: 5, calls_per_month: 4 })
  if (!redisInstalled) return
  limiters = [new RedisLimiter(redis_url), new RedisLimiter(redis_url)]
  for (const limiter of limiters) await limiter.ready(2_000)
})
afterAll(() => {
  Object.assign(TIERS, productionTiers)
  for (const limiter of limiters) limiter.close()
})

async function installation(wrap: (state: State) => State, gateOn: (state: State) => Gate): Promise<Installation> {
  const state = wrap(await openStateAt(':memory:', 'pepper of the model'))
  const issued: IssuedKey[] = []
  for (let account = 0; account < ACCOUNTS; account++) {
    const first = await issueKey(state, { tier: 'free' }, NOW)
    issued.push(first, await issueFurtherKey(state, first.account_id, NOW))
  }
  return { state, issued, gate: gateOn(state) }
}

async function decide({ gate, issued }: Installation, key: number, now: number, billable: boolean) {
  try {
    const { refusal, quotas, settle } = await gate.admit(issued[key]!.key, now, billable)
    const outcome = refusal === null ? 'admitted' : (refusal.scope as 'minute' | 'month')
    const remaining = { minute_left: quotas.minute.remaining, month_left: quotas.month?.remaining ?? null }
    return { decision: { outcome, ...remaining } satisfies Decision, settle }
  } catch (error) {
    expect(error).toMatchObject({ code: 'INVALID_API_KEY' })
    return { decision: { outcome: 'invalid' } as const, settle: () => undefined }
  }
}

/** Every outcome so far: scenarios that never reach a limit would prove nothing. */
const outcomes = new Set<string>()

/** Runs a scenario on the model and the instances, and compares each decision. `settled` runs after each settled call. */
async function runScenario(
  scenario: Step[],
  instances: Installation[],
  settled: () => Promise<unknown>,
): Promise<void> {
  const model = new GateModel()
  for (let account = 0; account < ACCOUNTS; account++) model.addAccount('free', KEYS_EACH)
  const [first] = instances as [Installation]
  const accountOf = (account: number) => first.issued[account * KEYS_EACH]!.account_id
  const calls: ((billed: boolean) => void)[] = []
  let now = NOW
  for (const step of scenario) {
    if (step.step === 'wait') now += step.ms
    if (step.step === 'flush') for (const { gate } of instances) await gate.flush(now)
    if (step.step === 'settle') {
      calls[step.call]?.(step.billed)
      await settled()
    }
    if (step.step === 'revoke') {
      model.revoke(step.key)
      await revokeKey(first.state, first.issued[step.key]!.key_id, now)
    }
    if (step.step === 'tier') {
      model.setTier(step.account, step.tier)
      await first.state.changeAccess((transaction) =>
        transaction
          .updateTable('accounts')
          .set({ tier: step.tier })
          .where('id', '=', accountOf(step.account))
          .execute(),
      )
    }
    if (step.step === 'call') {
      const expected = model.admit(step.key, now, step.billable)
      const found = await decide(instances[step.instance % instances.length]!, step.key, now, step.billable)
      expect(found.decision).toEqual(expected.decision)
      outcomes.add(found.decision.outcome)
      calls.push((billed) => {
        expected.settle(billed)
        found.settle(billed, 'getDelays')
      })
    }
  }
  for (const settle of calls) settle(false)
  for (const { gate } of instances) await gate.flush(now)
  const months = new Set([NOW, now].map((instant) => new Date(instant).toISOString().slice(0, 7)))
  for (const month of months)
    for (let account = 0; account < ACCOUNTS; account++)
      expect(await callsOfMonth(first.state.db, accountOf(account), month)).toBe(model.billed(account, month))
}

always('the local gate decides like the model in random scenarios', async () => {
  outcomes.clear()
  const property = fc.asyncProperty(steps, async (scenario) => {
    const first = await installation(
      (state) => state,
      (state) => new LocalGate(state),
    )
    await runScenario(scenario, [first], async () => undefined)
    await first.state.close()
  })
  await fc.assert(property, SCENARIOS)
  expect([...outcomes].sort()).toEqual(ALL_OUTCOMES)
})

always.skipIf(!redisInstalled)(
  'two instances of the distributed gate decide like the model in random scenarios (needs redis-server)',
  async () => {
    outcomes.clear()
    const property = fc.asyncProperty(steps, async (scenario) => {
      const first = await installation(
        (state) => announceAccessChangesOverRedis(state, redis_url),
        (state) => new DistributedGate(state, limiters[0]!),
      )
      const other = { ...first, gate: new DistributedGate(first.state, limiters[1]!) }
      // `release` does not wait for Redis; a later command on the same connection runs after it.
      await runScenario(scenario, [first, other], () => Promise.all(limiters.map((limiter) => limiter.dropCallers())))
      await first.state.close()
    })
    await fc.assert(property, SCENARIOS)
    expect([...outcomes].sort()).toEqual(ALL_OUTCOMES)
  },
)
