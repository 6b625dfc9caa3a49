import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { DAY_MS } from '../../../config/domain.ts'
import type { StateTables } from '../../state/tables.ts'
import { isUnreachable } from '../../state/unreachable.ts'
import { dayOf, monthEnd, monthOf, type Settle } from './billing-month.ts'
import { addUsage, callsOfMonth } from './usage.ts'

/** What one account has used in one month: on the disk, being written, and counted since. */
interface AccountMonth {
  account_id: string
  month: string
  stored: number
  writing: number
  /** Places taken by calls under way, which may yet turn out not to be billed. */
  reserved: number
  /** Billed calls not yet on the disk, by day and endpoint with a blank between. */
  unwritten: Map<string, number>
}

/** Counts that are written together. */
interface Batch {
  number: number
  parts: { account: AccountMonth; counts: Map<string, number> }[]
}

/**
 * Billed calls by account and month: counted in memory, written behind. A crash loses at most the calls since the
 * last flush and never bills one twice.
 */
export class MonthMeter {
  readonly #db: Kysely<StateTables>
  readonly #accounts = new Map<string, AccountMonth>()
  readonly #dirty = new Set<AccountMonth>()
  #flushing: Promise<void> | null = null
  #flushes = 0
  /** What this process is called where batches of different processes are told apart. */
  readonly #writer = randomUUID()
  #batches = 0
  /** A batch whose writing broke off: it may be on the disk or not. */
  #doubtful: Batch | null = null
  #month = { name: '', end: Number.NEGATIVE_INFINITY }
  #day = { name: '', end: Number.NEGATIVE_INFINITY }

  constructor(db: Kysely<StateTables>) {
    this.#db = db
  }

  /** Reads what the disk says of an account's month; reads again if a flush came between, so that nothing counts twice. */
  async load(accountId: string, now: number): Promise<void> {
    for (;;) {
      await this.#flushing?.catch(() => undefined)
      // Of a batch in doubt nobody knows whether it is on the disk, until it has been tried again.
      if (this.#doubtful) await this.flush(now)
      const flushes = this.#flushes
      const stored = await callsOfMonth(this.#db, accountId, monthOf(now))
      if (this.#flushing !== null || flushes !== this.#flushes) continue
      this.#of(accountId, now).stored = stored
      return
    }
  }

  /** Calls that count against the month: written, unwritten and under way. The account must have been loaded. */
  used(accountId: string, now: number): number {
    const account = this.#of(accountId, now)
    let used = account.stored + account.writing + account.reserved
    for (const calls of account.unwritten.values()) used += calls
    return used
  }

  /** Takes a place in the month; how the call ends decides whether it is billed. */
  reserve(accountId: string, now: number): Settle {
    const account = this.#of(accountId, now)
    const day = this.#dayOf(now)
    account.reserved++
    let settled = false
    return (billed, endpoint) => {
      if (settled) return
      settled = true
      account.reserved--
      if (!billed) return
      const counted = `${day} ${endpoint}`
      account.unwritten.set(counted, (account.unwritten.get(counted) ?? 0) + 1)
      this.#dirty.add(account)
    }
  }

  /** Writes everything counted so far in one transaction. What could not be written is kept for the next time. */
  async flush(now: number): Promise<void> {
    while (this.#flushing) await this.#flushing.catch(() => undefined)
    if (this.#dirty.size === 0 && !this.#doubtful) return
    this.#flushing = this.#writeCounted(now)
    try {
      await this.#flushing
    } finally {
      this.#flushing = null
      this.#flushes++
    }
  }

  async #writeCounted(now: number): Promise<void> {
    if (this.#doubtful) await this.#write(this.#doubtful, now)
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

  async #write(batch: Batch, at: number): Promise<void> {
    const { number, parts } = batch
    const rows = parts.flatMap(({ account: { account_id }, counts }) =>
      [...counts].map(([counted, calls]) => {
        const [day = '', endpoint = ''] = counted.split(' ')
        return { account_id, day, endpoint, calls }
      }),
    )
    try {
      await addUsage(this.#db, rows, { writer: this.#writer, number, at })
      this.#doubtful = null
      for (const { account } of parts) account.stored += account.writing
    } catch (error) {
      // It may be written although nobody could say so: it must be tried again as it is, or calls would count twice.
      this.#doubtful = isUnreachable(error) ? batch : null
      if (!this.#doubtful) this.#takeBack(batch)
      throw error
    } finally {
      if (!this.#doubtful) for (const { account } of parts) account.writing = 0
    }
  }

  #takeBack({ parts }: Batch): void {
    for (const { account, counts } of parts) {
      for (const [counted, calls] of counts)
        account.unwritten.set(counted, (account.unwritten.get(counted) ?? 0) + calls)
      this.#dirty.add(account)
    }
  }

  /** Lets go of accounts with nothing under way or unwritten; they must be loaded again before use. */
  forgetIdle(): void {
    for (const [id, account] of this.#accounts)
      if (account.reserved + account.writing + account.unwritten.size === 0) this.#accounts.delete(id)
  }

  #dayOf(now: number): string {
    if (now >= this.#day.end) this.#day = { name: dayOf(now), end: (Math.floor(now / DAY_MS) + 1) * DAY_MS }
    return this.#day.name
  }

  /** A call that began in an old month settles there, since it holds that month's record. */
  #of(accountId: string, now: number): AccountMonth {
    if (now >= this.#month.end) this.#month = { name: monthOf(now), end: monthEnd(now) }
    const month = this.#month.name
    const known = this.#accounts.get(accountId)
    if (known?.month === month) return known
    const account = { account_id: accountId, month, stored: 0, writing: 0, reserved: 0, unwritten: new Map() }
    this.#accounts.set(accountId, account)
    return account
  }
}

const total = (counts: Map<string, number>) => [...counts.values()].reduce((sum, calls) => sum + calls, 0)
