import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { DAY_MS } from '../../../config/domain.ts'
import type { RateLimitedError } from '../../../config/errors.ts'
import type { State } from '../../state/state.ts'
import type { StateTables } from '../../state/tables.ts'
import { isUnreachable } from '../../state/unreachable.ts'
import { type IssuedKey, type NewKeyOptions, newAccountWithKey } from './keys.ts'

/** Most registrations that share a transaction. */
const BATCH = 100
const KEPT_MS = 2 * DAY_MS
const CLEAN_EVERY_MS = 60_000

export interface QueuedRegistration {
  source_hash: string
  order: NewKeyOptions
  now: number
  /** Why it is refused when its source has registered at these instants, oldest first; null when it is not. */
  refusal: (instants: number[]) => RateLimitedError | null
}

interface Waiting extends QueuedRegistration {
  resolve: (issued: IssuedKey) => void
  reject: (error: unknown) => void
}

/**
 * Takes registrations in the order in which they come. All that come while the disk is busy with others share the next
 * transaction, so that a slow disk is waited for once for many; each is decided by itself, and exactly.
 */
export class RegistrationQueue {
  readonly #state: State
  #waiting: Waiting[] = []
  #working = false
  #cleaned = Number.NEGATIVE_INFINITY

  constructor(state: State) {
    this.#state = state
  }

  /** Resolves once it is on the disk. @throws RateLimitedError when it is refused. */
  register(order: QueuedRegistration): Promise<IssuedKey> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...order, resolve, reject })
      if (!this.#working) void this.#work()
    })
  }

  async #work(): Promise<void> {
    this.#working = true
    while (this.#waiting.length > 0) {
      // Lets all requests be read that have arrived.
      await turn()
      await this.#settle(this.#waiting.splice(0, BATCH))
    }
    this.#working = false
  }

  async #settle(batch: Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#state.db.transaction().execute((transaction) => this.#decide(transaction, batch))
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index]!
        if (outcome instanceof Error) reject(outcome)
        else resolve(outcome)
      }
    } catch (error) {
      // What fails one must not fail the others; but where nothing can be written, trying again is no use.
      if (batch.length === 1 || isUnreachable(error)) for (const { reject } of batch) reject(error)
      else for (const one of batch) await this.#settle([one])
    }
  }

  async #decide(transaction: Kysely<StateTables>, batch: Waiting[]): Promise<(IssuedKey | RateLimitedError)[]> {
    await lockRegistrations(transaction)
    const earliest = Math.min(...batch.map(({ now }) => now))
    await this.#forgetOld(transaction, earliest)
    const instantsOf = await recentRegistrations(
      transaction,
      [...new Set(batch.map((one) => one.source_hash))],
      earliest - DAY_MS,
    )

    const made: (ReturnType<typeof newAccountWithKey> & { source_hash: string })[] = []
    const outcomes = batch.map(({ source_hash, order, now, refusal }) => {
      const instants = instantsOf.get(source_hash) ?? []
      const refused = refusal(instants)
      if (refused) return refused
      instantsOf.set(source_hash, [...instants, now])
      const one = newAccountWithKey(this.#state.pepper, order, now)
      made.push({ ...one, source_hash })
      return one.issued
    })
    if (made.length === 0) return outcomes
    const registrations = made.map(({ source_hash, account }) => {
      return { id: randomUUID(), source_hash, registered_at: account.created_at }
    })
    await transaction.insertInto('registrations').values(registrations).execute()
    await transaction
      .insertInto('accounts')
      .values(made.map(({ account }) => account))
      .execute()
    await transaction
      .insertInto('keys')
      .values(made.map(({ row }) => row))
      .execute()
    return outcomes
  }

  async #forgetOld(transaction: Kysely<StateTables>, now: number): Promise<void> {
    if (now < this.#cleaned + CLEAN_EVERY_MS) return
    this.#cleaned = now
    const before = new Date(now - KEPT_MS).toISOString()
    await transaction.deleteFrom('registrations').where('registered_at', '<', before).execute()
  }
}

/** Has all others that count registrations wait until this transaction is committed: what they then count has its own in it. */
export async function lockRegistrations(transaction: Kysely<StateTables>): Promise<void> {
  await transaction
    .updateTable('access_version')
    .set((expression) => ({ version: expression('version', '+', 1) }))
    .where('id', '=', 2)
    .execute()
}

/** When each source has registered since an instant, oldest first. */
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
  const instants = new Map<string, number[]>()
  for (const { source_hash, registered_at } of rows) {
    const of = instants.get(source_hash) ?? []
    of.push(Date.parse(registered_at))
    instants.set(source_hash, of)
  }
  return instants
}
