import { HoldshortError } from '../../config/errors.ts'

/**
 * SQLSTATE codes of a PostgreSQL that cannot serve now: connection or login refused, no such database, too many
 * connections, shutting down, read-only server, statement or idle transaction cancelled.
 */
const SQLSTATES = /^(08|28)...$|^(3D000|53300|57P0[1-5]|57014|25006|25P03)$/
const SYSTEM =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT|ENOTFOUND|EAI_AGAIN)$/
/** The driver's own errors have no code. */
const DRIVER = /^(Connection terminated|timeout e|Query read timeout|Client (was closed|has encountered))/

/** Turns a connection failure into HoldshortError STATE_UNREACHABLE, with the original as its cause; returns other errors unchanged. */
export function asStateError(error: unknown): unknown {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (!SQLSTATES.test(code) && !SYSTEM.test(code) && !DRIVER.test(message)) return error
  // API callers read this message, so it does not name hosts or databases.
  const text = 'the database of accounts and keys is temporarily unavailable; try again shortly'
  return new HoldshortError('STATE_UNREACHABLE', text, { cause: error })
}

/** Another process holds the lock of the SQLite file, or too many writes wait for their turn: nothing was written. */
export class StateBusyError extends HoldshortError {
  constructor(options?: { cause?: unknown }) {
    super('STATE_UNREACHABLE', 'the database of accounts and keys is busy; try again shortly', options)
  }
}

/** Whether the database could not be used. */
export const isUnreachable = (error: unknown) => error instanceof HoldshortError && error.code === 'STATE_UNREACHABLE'

/** Whether an error leaves it unknown if a write was executed. */
export const isOutcomeUnknown = (error: unknown) => isUnreachable(error) && !(error instanceof StateBusyError)
