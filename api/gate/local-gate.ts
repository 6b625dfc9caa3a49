import { getOrCreate } from '../../config/once.ts'
import { TIERS, type TierTerms } from '../../config/tiers.ts'
import type { State } from '../state/state.ts'
import {
  type Admission,
  admissionOf,
  type Caller,
  type DecisionCounts,
  type Gate,
  invalidKey,
  monthQuota,
  SETTLE_NOTHING,
  zeroDecisionCounts,
} from './admission.ts'
import { type CredentialReader, keyReader } from './credentials.ts'
import { MinuteWindow } from './minute-window.ts'
import { MonthMeter } from './month-meter.ts'

/** A caller in the cache, with the sliding window of its minute. */
interface CachedCaller {
  caller: Caller
  terms: TierTerms
  window: MinuteWindow
  /** When the credential expires, in epoch milliseconds. */
  expires: number
}

/** Maximum size of each map. When it is exceeded, cached callers are dropped and read again when next used. */
const MAX_CACHED = 50_000

/** The gate of a single process. It checks and counts without an await in between, so limits are exact under concurrency. */
export class LocalGate implements Gate {
  readonly decisions: DecisionCounts = zeroDecisionCounts()
  readonly #state: State
  readonly #reader: CredentialReader
  readonly #meter: MonthMeter
  readonly #callers = new Map<string, CachedCaller>()
  readonly #windows = new Map<string, MinuteWindow>()
  /** The clock of the minute windows; without one, they follow the time of the call. */
  readonly #steady: (() => number) | undefined
  /** The access version (see `State`) under which the cached callers were read. */
  #accessVersion = -1
  #pepper: string | undefined

  constructor(state: State, reader: CredentialReader = keyReader(state), steady?: () => number) {
    this.#steady = steady
    this.#state = state
    this.#reader = reader
    this.#meter = new MonthMeter(state.db)
  }

  /** Decides on a call: synchronously for a cached credential on SQLite, otherwise after a lookup. */
  admit(presented: string, now: number, billable: boolean): Admission | Promise<Admission> {
    const version = this.#state.accessVersion()
    if (typeof version !== 'number') return version.then((read) => this.#admit(read, presented, now, billable))
    return this.#admit(version, presented, now, billable)
  }

  async flush(now: number): Promise<void> {
    await this.#meter.flush(now)
    if (this.#callers.size > MAX_CACHED) {
      this.#callers.clear()
      this.#meter.forgetIdle()
    }
    if (this.#windows.size > MAX_CACHED)
      for (const [id, window] of this.#windows) if (window.idle(this.#steady?.() ?? now)) this.#windows.delete(id)
  }

  #admit(version: number, presented: string, now: number, billable: boolean): Admission | Promise<Admission> {
    const cached = this.#cached(version, presented, now)
    if (cached) return this.#decide(cached, now, billable)
    if (!this.#reader.wellFormed(presented)) throw invalidKey(this.decisions, 'malformed')
    return this.#lookUp(presented, now).then((found) => this.#decide(found, now, billable))
  }

  /** A caller about whom everything is known. */
  #cached(version: number, presented: string, now: number): CachedCaller | null {
    this.#dropCallersBefore(version)
    const cached = this.#callers.get(presented)
    const isKnown = cached && now < cached.expires && this.#meter.isLoaded(cached.caller.account_id, now)
    return isKnown ? cached : null
  }

  #decide(cached: CachedCaller, now: number, billable: boolean): Admission {
    const { caller, terms, window } = cached
    const steady = this.#steady?.() ?? now
    const used = () => this.#meter.used(caller.account_id, now)
    const isUsedUp = billable && terms.overage_usd_per_1000 === null && used() >= terms.calls_per_month
    const taken = () => (window.take(steady) ? 'admitted' : 'minute')
    const outcome = isUsedUp ? 'month' : taken()
    const settle = billable && outcome === 'admitted' ? this.#meter.reserve(caller.account_id, now) : SETTLE_NOTHING
    const quotas = { minute: window.quota(steady), month: monthQuota(terms, used, now) }
    return admissionOf(this.decisions, outcome, { caller, terms, quotas, settle }, now)
  }

  #dropCallersBefore(version: number): void {
    const pepper = this.#state.peppers.current
    // After a rotation each key is read again, which stores it under the new pepper.
    if (version <= this.#accessVersion && pepper === this.#pepper) return
    this.#pepper = pepper
    this.#accessVersion = Math.max(version, this.#accessVersion)
    this.#callers.clear()
  }

  /** Reads caller and usage, again if access changed meanwhile, so that the cached result is current. */
  async #lookUp(presented: string, now: number): Promise<CachedCaller> {
    for (;;) {
      const version = this.#accessVersion
      const found = await this.#reader.read(presented, now)
      if (!found) throw invalidKey(this.decisions, 'unknown')
      const { caller, expires } = found
      await this.#meter.load(caller.account_id, now)
      this.#dropCallersBefore(await this.#state.accessVersion())
      if (version !== this.#accessVersion) continue
      const cached = { caller, expires, terms: TIERS[caller.tier], window: this.#windowOf(caller) }
      this.#callers.set(presented, cached)
      return cached
    }
  }

  /** The window of a caller in its tier; after a change of tier the caller starts with an empty window of the new limit. */
  #windowOf({ id, tier }: Caller): MinuteWindow {
    const limit = TIERS[tier].requests_per_minute
    return getOrCreate(this.#windows, `${id} ${limit}`, () => new MinuteWindow(limit))
  }
}
