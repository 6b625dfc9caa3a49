import type { Kysely } from 'kysely'
import { getOrCreate } from '../../config/once.ts'
import type { State } from './state.ts'
import type { StateTables } from './tables.ts'
import { WriteTurns } from './write-turns.ts'

/** How long a transaction waits for those before it in this process. */
const TURN_MS = 10_000

interface Lock {
  turns: WriteTurns
  /** Transactions that have the lock or wait for it. */
  users: number
}

const locksOfDatabases = new WeakMap<Kysely<StateTables>, Map<string, Lock>>()

/**
 * Runs a transaction that begins by taking a lock of the database, such as `lockAccount`; those of one `lock` run one after another in this
 * process. If they waited in the database instead, those of one account would hold every connection of the pool, and calls of others would fail.
 * @throws StateBusyError after ten seconds of waiting
 */
export async function transactionInTurn<T>(
  { db }: Pick<State, 'db'>,
  lock: string,
  work: (transaction: Kysely<StateTables>) => Promise<T>,
): Promise<T> {
  const locks = getOrCreate(locksOfDatabases, db, () => new Map<string, Lock>())
  const own = getOrCreate(locks, lock, () => ({ turns: new WriteTurns(TURN_MS), users: 0 }))
  own.users += 1
  try {
    await own.turns.begin()
    try {
      return await db.transaction().execute(work)
    } finally {
      own.turns.end()
    }
  } finally {
    own.users -= 1
    if (own.users === 0) locks.delete(lock)
  }
}
