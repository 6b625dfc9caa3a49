import type { Tier } from '../../../../config/domain.ts'
import { TIERS } from '../../../../config/tiers.ts'

/** A decision with the remaining calls of minute and month. */
export type Decision =
  | { outcome: 'invalid' }
  | { outcome: 'admitted' | 'minute' | 'month'; minute_left: number; month_left: number | null }

/** A reference model of the gate: it keeps lists of everything that happened and counts them on each call. */
export class GateModel {
  readonly #accounts: { tier: Tier; calls: { month: string; billed: boolean | null }[] }[] = []
  readonly #keys: { account: number; revoked: boolean; admitted: { at: number; tier: Tier }[] }[] = []

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
      terms.calls_per_month - calls.filter((one) => one.month === month && one.billed !== false).length
    const minuteLeft = () =>
      terms.requests_per_minute - admitted.filter((one) => one.tier === tier && one.at > now - 60_000).length
    const decision = (outcome: 'admitted' | 'minute' | 'month'): Decision => ({
      outcome,
      minute_left: minuteLeft(),
      month_left: terms.overage_usd_per_1000 === null ? Math.max(0, monthLeft()) : null,
    })
    if (billable && terms.overage_usd_per_1000 === null && monthLeft() <= 0)
      return { decision: decision('month'), settle: settleNothing }
    if (minuteLeft() <= 0) return { decision: decision('minute'), settle: settleNothing }
    admitted.push({ at: now, tier })
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
