import { CommanderError } from 'commander'
import { HoldshortError, SettingsError, UsageError } from '../../config/errors.ts'
import { projectTable } from '../../config/project-text.ts'
import { terminalLines, terminalText } from '../../config/untrusted-text.ts'

/** Error codes for misuse of a command: exit code 2. */
const MISUSE_CODES = new Set(['USAGE', 'SETTINGS_INVALID', 'INVALID_PARAMETER', 'SOURCE_UNKNOWN'])

/** The reason of a network error: when several addresses were tried, it has a code but no message. */
export function reasonOf(error: unknown): string {
  const { message, code, cause } = error as NodeJS.ErrnoException
  return cause === undefined ? message || code || 'no reason given' : reasonOf(cause)
}

/** Advice on errors of the operating system. */
const ADVICE = projectTable<string>('bin/system-errors.json')

/** One line about an everyday mistake that the operating system reports, with its code; null for any other error. */
function systemErrorText(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const {
    code = '',
    path,
    address,
    hostname,
    port,
    syscall,
  } = error as NodeJS.ErrnoException & { address?: string; hostname?: string; port?: number }
  const advice = ADVICE[code]
  if (advice === undefined || syscall === undefined) return null
  const place = port === undefined ? (path ?? address ?? hostname) : `${address ?? 'every address'}, port ${port},`
  return `${code}: ${place ?? syscall} ${advice}`
}

/** The exit code of misuse: the same call fails again until somebody corrects it. */
export const EXIT_MISUSED = 2

/** Writes an error to stderr and returns the exit code: that of misuse, otherwise 1. */
export function reportError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_MISUSED
  if (error instanceof HoldshortError) {
    // Clients do not see the cause, but it helps the operator.
    const reason = error.code === 'STATE_UNREACHABLE' ? ` (${reasonOf(error.cause)})` : ''
    const text = `${error.code}: ${error.message}${reason}`
    // Each invalid setting has a line of its own; a line break in any other message comes from outside.
    process.stderr.write(`${error instanceof SettingsError ? terminalLines(text) : terminalText(text)}\n`)
    return error instanceof UsageError || MISUSE_CODES.has(error.code) ? EXIT_MISUSED : 1
  }
  const everyday = systemErrorText(error)
  if (everyday !== null) {
    process.stderr.write(`${terminalText(everyday)}\n`)
    return 1
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`${terminalLines(text)}\n`)
  return 1
}
