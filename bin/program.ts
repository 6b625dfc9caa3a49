import { Command, CommanderError } from 'commander'
import { HoldshortError, UsageError } from '../config/errors.ts'
import { terminalLines } from '../config/outside-text.ts'
import { loadCommands } from './commands/index.ts'
import { VERSION } from './runtime/environment.ts'

/** Error codes for misuse of a command: exit code 2. */
const MISUSE_CODES = new Set(['USAGE', 'SETTINGS_INVALID', 'INVALID_PARAMETER', 'SOURCE_UNKNOWN'])

/** Builds the command line with the named command, or with all commands for the help and for an unknown name. */
export async function createProgram(name?: string): Promise<Command> {
  const program = new Command('holdshort')
    .description('Airport wait-time and delay intelligence: collect, warehouse, forecast, serve.')
    .version(VERSION)
    .exitOverride()
    .configureHelp({ sortSubcommands: false })
  for (const register of await loadCommands(name)) register(program)
  return program
}

/** The reason of a network error: when several addresses were tried, it has a code but no message. */
function reasonOf(cause: unknown): string {
  const { message, code } = cause as NodeJS.ErrnoException
  return message || code || 'no reason given'
}

/** Prints an error to stderr and returns the exit code. */
function reportError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof HoldshortError) {
    // Clients do not see the cause, but it helps the operator.
    const reason = error.code === 'STATE_UNREACHABLE' ? ` (${reasonOf(error.cause)})` : ''
    process.stderr.write(`${terminalLines(`${error.code}: ${error.message}${reason}`)}\n`)
    return error instanceof UsageError || MISUSE_CODES.has(error.code) ? 2 : 1
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`${terminalLines(text)}\n`)
  return 1
}

/** Runs a command line (the arguments after node and script) and sets the exit code: 0 done, 1 failed, 2 misused. */
export async function runProgram(args: string[]): Promise<void> {
  try {
    const program = await createProgram(args[0])
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    process.exitCode = reportError(error)
  }
}
