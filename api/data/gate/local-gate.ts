import { HoldshortError } from '../../../config/errors.ts'
import { TIERS, type TierTerms } from '../../../config/tiers.ts'
import type { State } from '../../state/state.ts'
import {
  type Admission,
  type Caller,
  type DecisionCounts,
  type Gate,
  INVALID_KEY,
  MALFORMED_KEY,
  minuteRefusal,
  monthQuota,
  monthRefusal,
  type Quotas,
  SETTLE_NOTHING,
  zeroDecisionCounts,
} from './admission.ts'
import { type CredentialReader, keyReader } from './credentials.ts'
import { MinuteWindow } from './minute-window.ts'
import { MonthMeter } from './month-meter.ts'

/** A caller as the gate holds it, with its window. */
interface KnownCaller {
  caller: Caller
  terms: TierTerms
  window: MinuteWindow
  /** When the credential ends by itself, in epoch milliseconds. */
  expires: number
}

/** Credentials held in memory at most; beyond it all are let go and read again when next used. */
const MAX_KNOWN = 50_000

/** The gate of one process: decides without a pause between looking and counting, so that limits are exact under concurrency. */
export class LocalGate implements Gate {
  readonly decisions: DecisionCounts = zeroDecisionCounts()
  readonly #state: State
  readonly #reader: CredentialReader
  readonly #meter: MonthMeter
  readonly #known = new Map<string, KnownCaller>()
  readonly #windows = new Map<string, MinuteWindow>()
  #epoch = -1

  constructor(state: State, reader: CredentialReader = keyReader(state)) {
    this.#state = state
    this.#reader = reader
    this.#meter = new MonthMeter(state.db)
  }

  /** Decides on a call. Known credentials of the embedded state are decided at once; others after a look-up. */
  admit(presented: string, now: number, billable: boolean): Admission | Promise<Admission> {
    const epoch = this.#state.accessVersion()
    if (typeof epoch !== 'number') return epoch.then((read) => this.#admit(read, presented, now, billable))
    return this.#admit(epoch, presented, now, billable)
  }

  async flush(now: number): Promise<void> {
    await this.#meter.flush(now)
    if (this.#known.size > MAX_KNOWN) {
      this.#known.clear()
      this.#meter.forgetIdle()
    }
    if (this.#windows.size > MAX_KNOWN)
      for (const [id, window] of this.#windows) if (window.idle(now)) this.#windows.delete(id)
  }

  #admit(epoch: number, presented: string, now: number, billable: boolean): Admission | Promise<Admission> {
    this.#forgetBefore(epoch)
    const known = this.#known.get(presented)
    if (known && now < known.expires) return this.#decide(known, now, billable)
    if (!this.#reader.wellFormed(presented)) throw this.#invalid(MALFORMED_KEY)
    return this.#lookUp(presented, now).then((found) => this.#decide(found, now, billable))
  }

  #decide(known: KnownCaller, now: number, billable: boolean): Admission {
    const { caller, terms, window } = known
    if (billable && this.#monthRemaining(known, now) === 0) {
      this.decisions.refused_month++
      const standing = this.#standing(known, now)
      return { caller, terms, quotas: standing, refusal: monthRefusal(terms, now), settle: SETTLE_NOTHING }
    }
    if (!window.take(now)) {
      this.decisions.refused_minute++
      const standing = this.#standing(known, now)
      return { caller, terms, quotas: standing, refusal: minuteRefusal(standing), settle: SETTLE_NOTHING }
    }
    this.decisions.admitted++
    const settle = billable ? this.#meter.reserve(caller.account_id, now) : SETTLE_NOTHING
    return { caller, terms, quotas: this.#standing(known, now), refusal: null, settle }
  }

  #standing(known: KnownCaller, now: number): Quotas {
    const { caller, window, terms } = known
    const { calls_per_month, overage_usd_per_1000 } = terms
    const used = () => this.#meter.used(caller.account_id, now)
    return {
      minute: { limit: window.limit, remaining: window.remaining(now), reset_seconds: window.resetSeconds(now) },
      month: overage_usd_per_1000 === null ? monthQuota(calls_per_month, used(), now) : null,
    }
  }

  /** Calls left in the month; null where further calls are metered, not refused. */
  #monthRemaining({ caller, terms }: KnownCaller, now: number): number | null {
    if (terms.overage_usd_per_1000 !== null) return null
    return Math.max(0, terms.calls_per_month - this.#meter.used(caller.account_id, now))
  }

  #invalid(message: string): HoldshortError {
    this.decisions.invalid_key++
    return new HoldshortError('INVALID_API_KEY', message)
  }

  #forgetBefore(epoch: number): void {
    if (epoch <= this.#epoch) return
    this.#epoch = epoch
    this.#known.clear()
  }

  /** Reads caller and usage until nothing changed meanwhile: what is then remembered is the truth of this instant. */
  async #lookUp(presented: string, now: number): Promise<KnownCaller> {
    for (;;) {
      const epoch = this.#epoch
      const found = await this.#reader.read(presented, now)
      if (!found) throw this.#invalid(INVALID_KEY)
      const { caller, expires } = found
      await this.#meter.load(caller.account_id, now)
      this.#forgetBefore(await this.#state.accessVersion())
      if (epoch !== this.#epoch) continue
      const known = { caller, expires, terms: TIERS[caller.tier], window: this.#windowOf(caller) }
      this.#known.set(presented, known)
      return known
    }
  }

  /** A caller whose tier changes gets the minute of its new tier at once. */
  #windowOf({ id, tier }: Caller): MinuteWindow {
    const limit = TIERS[tier].requests_per_minute
    const name = `${id} ${limit}`
    const window = this.#windows.get(name) ?? new MinuteWindow(limit)
    this.#windows.set(name, window)
    return window
  }
}
