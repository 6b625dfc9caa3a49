import type { Kysely } from 'kysely'
import type { StateTables } from './tables.ts'

/** The open state: accounts, keys, usage and all that people do here. Several processes may hold it at the same time. */
export interface State {
  db: Kysely<StateTables>
  /** The secret that keys, addresses and cookies are hashed with. */
  pepper: string
  /**
   * A number that grows whenever keys, tiers or connections may have been changed by anyone, here or in another process:
   * asked after such a change was acknowledged, it is a new one. At once on SQLite, a promise where a server must be asked.
   */
  accessVersion: () => number | Promise<number>
  /**
   * Does writes to keys, tiers or connections in one transaction, of all processes one after the other. When it returns
   * they are on the disk, and no gate of any process lets in by what it knew before.
   */
  changeAccess: <T>(work: (transaction: Kysely<StateTables>) => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

/** What a kind of database brings: the connection, and how changes of access are told to other processes. */
export interface StateDatabase {
  db: Kysely<StateTables>
  accessVersion: State['accessVersion']
  /** First in the transaction of a change of access: from then on no other change is under way. */
  beginAccessChange: (transaction: Kysely<StateTables>) => Promise<void>
  /** Once it is committed. */
  announceAccessChange: () => Promise<void> | void
  close: () => Promise<void>
}
