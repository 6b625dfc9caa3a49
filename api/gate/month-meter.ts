import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { batched } from '../../config/batched.ts'
import { getOrCreate } from '../../config/once.ts'
import { DAY_MS, utcDayOf } from '../../config/vocabulary.ts'
import type { StateTables } from '../state/tables.ts'
import { isOutcomeUnknown } from '../state/unreachable.ts'
import type { Settle } from './admission.ts'
import { monthEnd, monthOf } from './billing-month.ts'
import { addUsage, callsOfMonths } from './usage.ts'

/** The usage of one account in one month: stored, being written, and counted since. */
interface AccountMonth {
  account_id: string
  stored: number
  writing: number
  /** How many writes of its calls have ended. */
  writes: number
  /** Reservations of calls in progress, which may or may not be billed. */
  reserved: number
  /** Billed calls that are not stored yet, by `${day} ${endpoint}`. */
  unwritten: Map<string, number>
}

interface Month {
  /** Its bounds in epoch milliseconds; the end does not belong to it. */
  start: number
  end: number
  accounts: Map<string, AccountMonth>
  /** Reads the stored calls of an account; undefined if there are none. */
  storedOf: (accountId: string) => Promise<number | undefined>
}

interface Batch {
  number: number
  parts: { account: AccountMonth; counts: Map<string, number> }[]
}

/** How long reading an account waits for a write of its calls; a write may wait for the disk or for another process. */
const WRITE_WAIT_MS = 10

/**
 * Meters billed calls by account and month: counts in memory and writes behind. A crash loses at most the calls since the
 * last flush and never bills a call twice.
 */
export class MonthMeter {
  readonly #db: Kysely<StateTables>
  /** Counts by month, then account: a clock that goes back over the end of a month finds its earlier counts. */
  readonly #accounts = new Map<string, Map<string, AccountMonth>>()
  readonly #dirty = new Set<AccountMonth>()
  #flushing: Promise<void> | null = null
  /** Id of this process as a writer of batches. */
  readonly #writer = randomUUID()
  #batches = 0
  /** A batch whose write lost its connection: it may or may not be stored. */
  #unconfirmed: Batch | null = null
  #month: Month = {
    start: 0,
    end: Number.NEGATIVE_INFINITY,
    accounts: new Map(),
    storedOf: async () => undefined,
  }
  /** The current day, with the keys of its counts by endpoint. */
  #day = { name: '', start: 0, end: Number.NEGATIVE_INFINITY, keys: new Map<string, string>() }

  constructor(db: Kysely<StateTables>) {
    this.#db = db
  }

  /**
   * Loads the stored calls of an account's month; reads again if calls of it were written meanwhile, so that none counts
   * twice. While a write of its calls takes long, what is known of it stays.
   */
  async load(accountId: string, now: number): Promise<void> {
    for (;;) {
      const account = this.#accountMonth(accountId, now)
      if (account.writing > 0) {
        const flushing = this.#flushing?.catch(() => undefined)
        // Whether an unconfirmed batch is stored is only known after it has been retried.
        if (flushing === undefined) await this.flush(now)
        else if (await Promise.race([flushing.then(() => false), wait(WRITE_WAIT_MS, true, { ref: false })])) return
        continue
      }
      const { writes } = account
      const stored = (await this.#monthOf(now).storedOf(accountId)) ?? 0
      if (account.writing > 0 || writes !== account.writes) continue
      this.#accountMonth(accountId, now).stored = stored
      return
    }
  }

  /** Calls that count against the month: stored, not yet stored and in progress. The account must have been loaded. */
  used(accountId: string, now: number): number {
    const account = this.#accountMonth(accountId, now)
    let used = account.stored + account.writing + account.reserved
    for (const calls of account.unwritten.values()) used += calls
    return used
  }

  /** Reserves one call of the month until it is settled. */
  reserve(accountId: string, now: number): Settle {
    const account = this.#accountMonth(accountId, now)
    const { name, keys } = this.#dayOf(now)
    account.reserved++
    let settled = false
    return (billed, endpoint) => {
      if (settled) return
      settled = true
      account.reserved--
      if (!billed) return
      const key = getOrCreate(keys, endpoint, () => `${name} ${endpoint}`)
      account.unwritten.set(key, (account.unwritten.get(key) ?? 0) + 1)
      this.#dirty.add(account)
    }
  }

  /** Writes everything counted so far in one transaction. After a failure the counts are written by the next flush. */
  async flush(now: number): Promise<void> {
    while (this.#flushing) await this.#flushing.catch(() => undefined)
    if (this.#dirty.size === 0 && !this.#unconfirmed) return
    this.#flushing = this.#writeCounted(now)
    try {
      await this.#flushing
    } finally {
      this.#flushing = null
    }
  }

  async #writeCounted(now: number): Promise<void> {
    if (this.#unconfirmed) await this.#write(this.#unconfirmed, now)
    if (this.#dirty.size > 0) await this.#write(this.#takeDirty(), now)
  }

  #takeDirty(): Batch {
    const parts = [...this.#dirty].map((account) => ({ account, counts: account.unwritten }))
    this.#dirty.clear()
    for (const { account, counts } of parts) {
      account.unwritten = new Map()
      account.writing = total(counts)
    }
    return { number: ++this.#batches, parts }
  }

  async #write(batch: Batch, written_ms: number): Promise<void> {
    const { number, parts } = batch
    const rows = parts.flatMap(({ account: { account_id }, counts }) =>
      [...counts].map(([key, calls]) => {
        const [day = '', endpoint = ''] = key.split(' ')
        return { account_id, day, endpoint, calls }
      }),
    )
    try {
      await addUsage(this.#db, rows, { writer: this.#writer, number, written_ms })
      this.#unconfirmed = null
      for (const { account } of parts) account.stored += account.writing
    } catch (error) {
      // The batch may be stored although no confirmation arrived: it must be retried unchanged, or calls would count twice.
      this.#unconfirmed = isOutcomeUnknown(error) ? batch : null
      if (!this.#unconfirmed) this.#restore(batch)
      throw error
    } finally {
      if (!this.#unconfirmed)
        for (const { account } of parts) {
          account.writing = 0
          account.writes++
        }
    }
  }

  /** Counts the calls of a failed batch as not yet stored again. */
  #restore({ parts }: Batch): void {
    for (const { account, counts } of parts) {
      for (const [key, calls] of counts) account.unwritten.set(key, (account.unwritten.get(key) ?? 0) + calls)
      this.#dirty.add(account)
    }
  }

  /** Drops accounts without calls in progress or counts to write; they must be loaded again before use. */
  forgetIdle(): void {
    for (const accounts of this.#accounts.values())
      for (const [id, account] of accounts)
        if (account.reserved + account.writing + account.unwritten.size === 0) accounts.delete(id)
  }

  #dayOf(now: number) {
    if (now < this.#day.start || now >= this.#day.end) {
      const start = Math.floor(now / DAY_MS) * DAY_MS
      this.#day = { name: utcDayOf(now), start, end: start + DAY_MS, keys: new Map() }
    }
    return this.#day
  }

  #monthOf(now: number) {
    if (now < this.#month.start || now >= this.#month.end) {
      const name = monthOf(now)
      const accounts = getOrCreate(this.#accounts, name, () => new Map())
      const storedOf = batched((accountIds) => callsOfMonths(this.#db, accountIds, name))
      this.#month = { start: Date.parse(`${name}-01T00:00:00Z`), end: monthEnd(now), accounts, storedOf }
    }
    return this.#month
  }

  /** Whether the stored calls of an account's month were read. */
  isLoaded(accountId: string, now: number): boolean {
    return this.#monthOf(now).accounts.has(accountId)
  }

  /** The record of the current month. A call that began in an earlier month settles there, because it holds that record. */
  #accountMonth(accountId: string, now: number): AccountMonth {
    return getOrCreate(this.#monthOf(now).accounts, accountId, () => ({
      account_id: accountId,
      stored: 0,
      writing: 0,
      writes: 0,
      reserved: 0,
      unwritten: new Map(),
    }))
  }
}

const total = (counts: Map<string, number>) => [...counts.values()].reduce((sum, calls) => sum + calls, 0)
