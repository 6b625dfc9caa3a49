import { randomUUID } from 'node:crypto'
import { setImmediate as nextEventLoopTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { State } from '../../api/state/state.ts'
import type { StateTables } from '../../api/state/tables.ts'
import { isStateFault } from '../../api/state/unreachable.ts'
import type { RateLimitedError } from '../../config/errors.ts'
import { groupBy } from '../../config/group-by.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import { type IssuedKey, type NewKeyOptions, newAccountWithKey } from './keys.ts'

const MAX_BATCH = 100
const RETENTION_MS = 2 * DAY_MS
const CLEANUP_INTERVAL_MS = 60_000

export interface QueuedRegistration {
  source_hash: string
  order: NewKeyOptions
  now: number
  /** Decides by the times of earlier registrations of its source, oldest first: the error, or null if it is allowed. */
  refusal: (instants: number[]) => RateLimitedError | null
}

interface Waiting extends QueuedRegistration {
  resolve: (issued: IssuedKey) => void
  reject: (error: unknown) => void
}

/**
 * Processes registrations in the order of arrival. All that arrive while a transaction is being written share the next one,
 * so that many registrations wait for a slow disk only once. Each is decided individually and exactly.
 */
export class RegistrationQueue {
  readonly #state: State
  #waiting: Waiting[] = []
  #working = false
  #lastCleanup = Number.NEGATIVE_INFINITY

  constructor(state: State) {
    this.#state = state
  }

  /** Resolves when the registration is on disk. @throws RateLimitedError when it is refused. */
  register(order: QueuedRegistration): Promise<IssuedKey> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...order, resolve, reject })
      if (!this.#working) void this.#work()
    })
  }

  async #work(): Promise<void> {
    this.#working = true
    while (this.#waiting.length > 0) {
      // Lets the event loop read all requests that have arrived.
      await nextEventLoopTurn()
      await this.#write(this.#waiting.splice(0, MAX_BATCH))
    }
    this.#working = false
  }

  async #write(batch: Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#state.db.transaction().execute((transaction) => this.#decide(transaction, batch))
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index]!
        if (outcome instanceof Error) reject(outcome)
        else resolve(outcome)
      }
    } catch (error) {
      // One failing registration must not fail the others, so each is retried alone, unless no write can succeed.
      if (batch.length === 1 || isStateFault(error)) for (const { reject } of batch) reject(error)
      else for (const registration of batch) await this.#write([registration])
    }
  }

  async #decide(transaction: Kysely<StateTables>, batch: Waiting[]): Promise<(IssuedKey | RateLimitedError)[]> {
    await lockRegistrations(transaction)
    const earliest = Math.min(...batch.map(({ now }) => now))
    await this.#deleteOld(transaction, earliest)
    const instantsOf = await recentRegistrations(
      transaction,
      [...new Set(batch.map(({ source_hash }) => source_hash))],
      earliest - DAY_MS,
    )

    const created: (ReturnType<typeof newAccountWithKey> & { source_hash: string })[] = []
    const outcomes = batch.map(({ source_hash, order, now, refusal }) => {
      const instants = instantsOf.get(source_hash) ?? []
      const refused = refusal(instants)
      if (refused) return refused
      instantsOf.set(source_hash, [...instants, now])
      const account = newAccountWithKey(this.#state.pepper, order, now)
      created.push({ ...account, source_hash })
      return account.issued
    })
    if (created.length === 0) return outcomes
    const registrations = created.map(({ source_hash, account }) => {
      return { id: randomUUID(), source_hash, registered_at: account.created_at }
    })
    await transaction.insertInto('registrations').values(registrations).execute()
    await transaction
      .insertInto('accounts')
      .values(created.map(({ account }) => account))
      .execute()
    await transaction
      .insertInto('keys')
      .values(created.map(({ row }) => row))
      .execute()
    return outcomes
  }

  async #deleteOld(transaction: Kysely<StateTables>, now: number): Promise<void> {
    if (now < this.#lastCleanup + CLEANUP_INTERVAL_MS) return
    this.#lastCleanup = now
    const before = new Date(now - RETENTION_MS).toISOString()
    await transaction.deleteFrom('registrations').where('registered_at', '<', before).execute()
  }
}

/** Blocks other transactions that count registrations until this one commits, so that they count its registrations too. */
export async function lockRegistrations(transaction: Kysely<StateTables>): Promise<void> {
  await transaction
    .updateTable('access_version')
    .set((expression) => ({ version: expression('version', '+', 1) }))
    .where('id', '=', 2)
    .execute()
}

/** The times at which each source has registered since an instant, oldest first. */
export async function recentRegistrations(
  transaction: Kysely<StateTables>,
  sources: string[],
  since: number,
): Promise<Map<string, number[]>> {
  const rows = await transaction
    .selectFrom('registrations')
    .select(['source_hash', 'registered_at'])
    .where('source_hash', 'in', sources)
    .where('registered_at', '>', new Date(since).toISOString())
    .orderBy('registered_at')
    .execute()
  const bySource = groupBy(rows, ({ source_hash }) => source_hash)
  return new Map(
    [...bySource].map(([source, registrations]) => [
      source,
      registrations.map(({ registered_at }) => Date.parse(registered_at)),
    ]),
  )
}
