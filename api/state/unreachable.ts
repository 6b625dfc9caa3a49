import { HoldshortError } from '../../config/errors.ts'
import { READ_ONLY_REMEDY } from '../../warehouse/storage/files.ts'

/**
 * SQLSTATE codes of a PostgreSQL that cannot serve now: connection or login refused, no such database or schema, a role without
 * rights, too many connections, shutting down, statement, transaction or idle transaction cancelled.
 */
const SQLSTATES = /^(08|28)...$|^(3D000|3F000|42501|53300|57P0[1-5]|57014|25P0[34])$/
/** It undid a transaction that another one stood in the way of: a deadlock, or a lock for which it waits no longer (`lock_timeout`). */
const IN_THE_WAY = /^(40P01|40001|55P03)$/
const SYSTEM =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT|ENOTFOUND|EAI_AGAIN)$/
/** The driver's own errors have no code, nor has that of Kysely for a statement after the one that was cut off. */
const DRIVER =
  /^(Connection terminated|Postgres connection has been discarded|timeout e|Query read timeout|Client (was closed|has encountered))/

/** Why a database that can be read does not take a write, by the code of PostgreSQL, SQLite or the file system. */
const UNWRITABLE: [RegExp, string][] = [
  [/^(53100|SQLITE_FULL|ENOSPC|EDQUOT)$/, 'its disk is full'],
  [/^(25006|SQLITE_READONLY.*|SQLITE_PERM|EROFS|EACCES|EPERM)$/, 'it is read-only'],
  [/^(58030|SQLITE_IOERR.*|SQLITE_CANTOPEN.*|EIO)$/, 'its disk is full or does not take what is written'],
]

/** The database can be read but not written to: nothing was stored. `text` is for clients, who try again. */
export class StateUnwritableError extends HoldshortError {
  readonly reason: string
  constructor(
    reason: string,
    options: { cause: unknown },
    text = `nothing was stored: the database of accounts and keys cannot be written (${reason}); reading goes on, try again later`,
  ) {
    super('STATE_UNWRITABLE', text, options)
    this.reason = reason
  }
}

const REMEDIES: [RegExp, string][] = [
  [/^(EROFS|SQLITE_READONLY.*)$/, READ_ONLY_REMEDY],
  [/^25006$/, 'name the primary server, not a standby, and let the role write (default_transaction_read_only)'],
  [/^/, 'free space, or make it writable'],
]

/** The same error for the operator of a process that could not open the file or database, and therefore ends. */
export function unopenedError(place: string, { reason, cause }: StateUnwritableError): StateUnwritableError {
  const { code = '' } = (cause ?? {}) as { code?: string }
  const [, remedy] = REMEDIES.find(([codes]) => codes.test(code))!
  return new StateUnwritableError(
    reason,
    { cause },
    `${place} cannot be opened, because it cannot be written (${reason}): ${remedy}`,
  )
}

/** The error of a database that cannot be written to; null for any other error. */
export function unwritableError(error: unknown): StateUnwritableError | null {
  const { code = '' } = (error ?? {}) as { code?: string }
  const found = UNWRITABLE.find(([codes]) => codes.test(code))
  return found ? new StateUnwritableError(found[1], { cause: error }) : null
}

/**
 * Whether the database could not be reached last, or the newest write was refused by its disk. Pages of status show it; a later
 * statement that succeeds ends it, so that nothing needs a restart.
 */
export class DatabaseHealth {
  #fault: HoldshortError | null = null
  #successes = 0
  get fault(): HoldshortError | null {
    return this.#fault
  }
  /** Statements that have succeeded so far. */
  get successes(): number {
    return this.#successes
  }

  /** Takes note that a statement failed; returns the error to throw. If another has succeeded since it began, the database can be reached. */
  failed(error: unknown, successesBefore = this.#successes): unknown {
    const isAway = isUnreachable(error) && !(error instanceof StateBusyError) && successesBefore === this.#successes
    if (isAway || error instanceof StateUnwritableError) this.#fault = error as HoldshortError
    return error
  }
  succeeded(sql: string): void {
    this.#successes++
    const isWrite = /^\s*(insert|update|delete|commit)\b/i.test(sql)
    if (isWrite || isUnreachable(this.#fault)) this.#fault = null
  }
}

/** Turns a connection failure into HoldshortError STATE_UNREACHABLE, with the original as its cause; returns other errors unchanged. */
export function asStateError(error: unknown): unknown {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  const unwritable = unwritableError(error)
  if (unwritable) return unwritable
  if (IN_THE_WAY.test(code)) return new StateBusyError({ cause: error })
  if (!SQLSTATES.test(code) && !SYSTEM.test(code) && !DRIVER.test(message)) return error
  // API callers read this message, so it does not name hosts or databases.
  const text = 'the database of accounts and keys is temporarily unavailable; try again shortly'
  return new HoldshortError('STATE_UNREACHABLE', text, { cause: error })
}

/** Another process holds the lock that a write needs, or too many writes wait for their turn: nothing was written. */
export class StateBusyError extends HoldshortError {
  constructor(options?: { cause?: unknown }) {
    super('STATE_UNREACHABLE', 'the database of accounts and keys is busy; try again shortly', options)
  }
}

/** Whether the database could not be reached. */
export const isUnreachable = (error: unknown) => error instanceof HoldshortError && error.code === 'STATE_UNREACHABLE'

/** Whether the next write would fail for the same reason. */
export const isStateFault = (error: unknown): error is HoldshortError =>
  isUnreachable(error) || error instanceof StateUnwritableError

/** Whether an error leaves it unknown if a write was executed. */
export const isOutcomeUnknown = (error: unknown) => isUnreachable(error) && !(error instanceof StateBusyError)
