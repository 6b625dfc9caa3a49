import { HoldshortError, RateLimitedError } from '../../config/errors.ts'
import { TIERS, type TierTerms } from '../../config/tiers.ts'
import type { State } from '../state/open.ts'
import type { KeyRow } from '../state/tables.ts'
import { isWellFormedKey, keyedHash } from './key-format.ts'
import { MinuteWindow } from './minute-window.ts'
import { MonthMeter, monthEnd, type Settle } from './month-meter.ts'

/** A key as the gate holds it, with its window. */
export interface KnownKey {
  row: KeyRow
  terms: TierTerms
  window: MinuteWindow
}

/** The gate's answer for one call with a valid key. */
export interface Admission {
  key: KnownKey
  /** Why the call is refused; null when it may go on. */
  refusal: RateLimitedError | null
  /** Says how the call ended; without effect for a call that cannot be billed. */
  settle: Settle
}

const NOT_BILLABLE: Settle = () => undefined
const INVALID = 'the API key is unknown or has been revoked'
/** Keys held in memory at most; beyond it all are let go and read again when next used. */
const MAX_KNOWN = 50_000

/**
 * The one gate that every call with a key passes: key state, sliding minute and calendar month, decided together
 * without a pause between looking and counting, so that limits are exact under concurrency.
 */
export class Gate {
  readonly meter: MonthMeter
  /** How calls were decided so far. */
  readonly decisions = { admitted: 0, refused_minute: 0, refused_month: 0, invalid_key: 0 }
  readonly #state: State
  readonly #known = new Map<string, KnownKey>()
  readonly #windows = new Map<string, MinuteWindow>()
  #epoch: number

  constructor(state: State) {
    this.#state = state
    this.#epoch = state.epoch()
    this.meter = new MonthMeter(state.db)
  }

  /**
   * Decides on a call. Known keys are decided at once; others after one look-up.
   * @throws HoldshortError INVALID_API_KEY for a malformed, unknown or revoked key.
   */
  admit(key: string, now: number, billable: boolean): Admission | Promise<Admission> {
    this.#forgetIfChanged()
    const known = this.#known.get(key)
    if (known) return this.#decide(known, now, billable)
    if (!isWellFormedKey(key)) throw this.#invalid('the API key is malformed')
    return this.#lookUp(key, now).then((found) => this.#decide(found, now, billable))
  }

  /** Calls left in the month; null where further calls are metered, not refused. */
  monthRemaining({ row, terms }: KnownKey, now: number): number | null {
    if (terms.overage_usd_per_1000 !== null) return null
    return Math.max(0, terms.calls_per_month - this.meter.used(row.account_id, now))
  }

  /** Writes usage and lets go of windows nobody uses; to be called about once a second. */
  async flush(now: number): Promise<void> {
    await this.meter.flush()
    if (this.#known.size > MAX_KNOWN) {
      this.#known.clear()
      this.meter.forgetIdle()
    }
    if (this.#windows.size > MAX_KNOWN)
      for (const [id, window] of this.#windows) if (window.idle(now)) this.#windows.delete(id)
  }

  #decide(known: KnownKey, now: number, billable: boolean): Admission {
    const { row, terms, window } = known
    if (billable && this.monthRemaining(known, now) === 0) {
      this.decisions.refused_month++
      return { key: known, refusal: monthRefusal(terms, now), settle: NOT_BILLABLE }
    }
    if (!window.take(now)) {
      this.decisions.refused_minute++
      return { key: known, refusal: minuteRefusal(window, now), settle: NOT_BILLABLE }
    }
    this.decisions.admitted++
    return { key: known, refusal: null, settle: billable ? this.meter.reserve(row.account_id, now) : NOT_BILLABLE }
  }

  #invalid(message: string): HoldshortError {
    this.decisions.invalid_key++
    return new HoldshortError('INVALID_API_KEY', message)
  }

  #forgetIfChanged(): boolean {
    const epoch = this.#state.epoch()
    if (epoch === this.#epoch) return false
    this.#epoch = epoch
    this.#known.clear()
    return true
  }

  /** Reads key and usage until nothing changed meanwhile: what is then remembered is the truth of this instant. */
  async #lookUp(key: string, now: number): Promise<KnownKey> {
    const hash = keyedHash(key, this.#state.pepper)
    for (;;) {
      const epoch = this.#epoch
      const row = await this.#state.db.selectFrom('keys').selectAll().where('hash', '=', hash).executeTakeFirst()
      if (!row || row.revoked_at !== null) throw this.#invalid(INVALID)
      await this.meter.load(row.account_id, now)
      if (this.#forgetIfChanged() || epoch !== this.#epoch) continue
      const known = { row, terms: TIERS[row.tier], window: this.#windowOf(row) }
      this.#known.set(key, known)
      return known
    }
  }

  #windowOf(row: KeyRow): MinuteWindow {
    const limit = TIERS[row.tier].requests_per_minute
    const known = this.#windows.get(row.id)
    if (known?.limit === limit) return known
    const window = new MinuteWindow(limit)
    this.#windows.set(row.id, window)
    return window
  }
}

function minuteRefusal(window: MinuteWindow, now: number): RateLimitedError {
  const message = `more than ${window.limit} requests in a minute; wait for Retry-After`
  return new RateLimitedError('minute', window.resetSeconds(now), message)
}

function monthRefusal(terms: TierTerms, now: number): RateLimitedError {
  const message = `the ${terms.calls_per_month} calls of this month are used up`
  return new RateLimitedError('month', Math.ceil((monthEnd(now) - now) / 1000), message)
}
