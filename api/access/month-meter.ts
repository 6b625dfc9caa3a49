import type { Kysely } from 'kysely'
import type { StateTables, UsageRow } from '../state/tables.ts'

/** What one account has used in one month: on the disk, being written, and counted since. */
interface AccountMonth {
  account_id: string
  month: string
  stored: number
  writing: number
  /** Places taken by calls under way, which may yet turn out not to be billed. */
  reserved: number
  /** Billed calls not yet on the disk, by endpoint. */
  unwritten: Map<string, number>
}

/** The calendar month of an instant, in UTC: YYYY-MM. */
export function monthOf(now: number): string {
  return new Date(now).toISOString().slice(0, 7)
}

/** First instant after the month of `now`, in UTC. */
export function monthEnd(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/** Says how a call that took a place ended: whether it is billed, and to which endpoint. The first word counts. */
export type Settle = (billed: boolean, endpoint: string) => void

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
  #month = { name: '', end: Number.NEGATIVE_INFINITY }

  constructor(db: Kysely<StateTables>) {
    this.#db = db
  }

  /** Reads what the disk says of an account's month; reads again if a flush came between, so that nothing counts twice. */
  async load(accountId: string, now: number): Promise<void> {
    for (;;) {
      await this.#flushing?.catch(() => undefined)
      const flushes = this.#flushes
      const stored = await storedCalls(this.#db, accountId, monthOf(now))
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
    account.reserved++
    let settled = false
    return (billed, endpoint) => {
      if (settled) return
      settled = true
      account.reserved--
      if (!billed) return
      account.unwritten.set(endpoint, (account.unwritten.get(endpoint) ?? 0) + 1)
      this.#dirty.add(account)
    }
  }

  /** Writes everything counted so far in one transaction. What could not be written is kept for the next time. */
  async flush(): Promise<void> {
    while (this.#flushing) await this.#flushing.catch(() => undefined)
    if (this.#dirty.size === 0) return
    this.#flushing = this.#writeDirty()
    try {
      await this.#flushing
    } finally {
      this.#flushing = null
      this.#flushes++
    }
  }

  async #writeDirty(): Promise<void> {
    const parts = [...this.#dirty].map((account) => ({ account, counts: account.unwritten }))
    this.#dirty.clear()
    for (const { account, counts } of parts) {
      account.unwritten = new Map()
      account.writing = total(counts)
    }
    try {
      await addUsage(
        this.#db,
        parts.flatMap(({ account: { account_id, month }, counts }) =>
          [...counts].map(([endpoint, calls]) => ({ account_id, month, endpoint, calls })),
        ),
      )
      for (const { account } of parts) account.stored += account.writing
    } catch (error) {
      for (const { account, counts } of parts) {
        for (const [endpoint, calls] of counts)
          account.unwritten.set(endpoint, (account.unwritten.get(endpoint) ?? 0) + calls)
        this.#dirty.add(account)
      }
      throw error
    } finally {
      for (const { account } of parts) account.writing = 0
    }
  }

  /** Lets go of accounts with nothing under way or unwritten; they must be loaded again before use. */
  forgetIdle(): void {
    for (const [id, account] of this.#accounts)
      if (account.reserved + account.writing + account.unwritten.size === 0) this.#accounts.delete(id)
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

async function storedCalls(db: Kysely<StateTables>, accountId: string, month: string): Promise<number> {
  const rows = await usageByEndpoint(db, accountId, month)
  return rows.reduce((sum, row) => sum + row.calls, 0)
}

/** Billed calls of an account's month by endpoint, as far as they are written. */
export function usageByEndpoint(db: Kysely<StateTables>, accountId: string, month: string) {
  return db
    .selectFrom('usage')
    .select(['endpoint', 'calls'])
    .where('account_id', '=', accountId)
    .where('month', '=', month)
    .orderBy('endpoint')
    .execute()
}

async function addUsage(db: Kysely<StateTables>, rows: UsageRow[]): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const row of rows) {
      await transaction
        .insertInto('usage')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'month', 'endpoint'])
            .doUpdateSet((expression) => ({ calls: expression('usage.calls', '+', row.calls) })),
        )
        .execute()
    }
  })
}
