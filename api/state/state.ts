import type { Kysely } from 'kysely'
import type { HoldshortError } from '../../config/errors.ts'
import type { Peppers } from './peppers.ts'
import type { StateTables } from './tables.ts'

/**
 * The open state database: accounts, keys, usage, alerts, reports. Several processes may have it open at the same time.
 *
 * A *change of access* is a write that decides which credentials are valid and in which tier: a key issued or revoked, a
 * tier changed, an MCP client connected or disconnected. The *access version* counts these changes; a gate caches callers
 * only as long as the version stays the same.
 */
export interface State extends AsyncDisposable {
  db: Kysely<StateTables>
  /** The installation's secret with which keys, network addresses and cookies are hashed. */
  readonly pepper: string
  /** That secret and the former ones; presented secrets are looked up under each. */
  peppers: Peppers
  /**
   * A number that grows with each change of access by any process. Once a change has been acknowledged to its caller, every
   * process reads the new number. Synchronous on SQLite, a promise on PostgreSQL.
   */
  accessVersion: () => number | Promise<number>
  /**
   * Runs a change of access in one transaction; changes by different processes run one after the other. When it resolves,
   * the change is on disk and no gate of any process still decides by its older cache.
   */
  changeAccess: <T>(work: (transaction: Kysely<StateTables>) => Promise<T>) => Promise<T>
  /** Why the database could not be reached last, or refused the newest write; null when it did neither. */
  fault: () => HoldshortError | null
  close: () => Promise<void>
}

/** The parts that SQLite and PostgreSQL each implement: the connection, and notice of access changes by other processes. */
export interface StateDatabase {
  db: Kysely<StateTables>
  accessVersion: State['accessVersion']
  fault: State['fault']
  /** Runs after the change has been committed. */
  announceAccessChange: () => Promise<void> | void
  close: () => Promise<void>
}
