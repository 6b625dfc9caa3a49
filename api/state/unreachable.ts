import { HoldshortError } from '../../config/errors.ts'

/**
 * What PostgreSQL says (SQLSTATE) when it cannot serve now: connection and login refused, no such database, too many
 * connections, shutting down, not the writable server, a statement or an idle transaction cut off.
 */
const SQLSTATES = /^(08|28)...$|^(3D000|53300|57P0[1-5]|57014|25006|25P03)$/
const SYSTEM =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT|ENOTFOUND|EAI_AGAIN)$/
/** The driver's own faults have no code. */
const DRIVER = /^(Connection terminated|timeout e|Query read timeout|Client (was closed|has encountered))/

/** A fault of reaching the database as HoldshortError STATE_UNREACHABLE, with what it said as the cause only; any other as it is. */
export function asStateError(error: unknown): unknown {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (!SQLSTATES.test(code) && !SYSTEM.test(code) && !DRIVER.test(message)) return error
  // Callers read this: it tells nothing of hosts and names.
  const told = 'the database of accounts and keys cannot be reached now; try again shortly'
  return new HoldshortError('STATE_UNREACHABLE', told, { cause: error })
}

/** Whether a write failed so that nobody knows whether it was done. */
export const isUnreachable = (error: unknown) => error instanceof HoldshortError && error.code === 'STATE_UNREACHABLE'
