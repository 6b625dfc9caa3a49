import { Command, CommanderError } from 'commander'
import { HoldshortError, SettingsError, UsageError } from '../config/errors.ts'
import { terminalLines, terminalText } from '../config/outside-text.ts'
import { projectTable } from '../config/project-text.ts'
import { isReadablePath, NOT_UTF_8 } from '../config/readable-path.ts'
import { registerCommands } from './commands/index.ts'
import { versionText } from './runtime/version.ts'

/** Error codes for misuse of a command: exit code 2. */
const MISUSE_CODES = new Set(['USAGE', 'SETTINGS_INVALID', 'INVALID_PARAMETER', 'SOURCE_UNKNOWN'])

/** Builds the command line with the named command, or with the list of all commands for the help and for an unknown name. */
export async function createProgram(name?: string): Promise<Command> {
  const program = withSafeOutput(new Command('holdshort'))
    .description('Airport wait-time and delay intelligence: collect, warehouse, forecast, serve.')
    .version(versionText())
    .configureHelp({ sortSubcommands: false })
  await registerCommands(program, name)
  return program
}

/** Lets a program throw instead of ending the process, and write nothing that a terminal takes for a command. */
export function withSafeOutput(program: Command): Command {
  return (
    program
      .exitOverride()
      // What somebody typed is repeated in these messages.
      .configureOutput({
        writeErr: (text) => process.stderr.write(terminalLines(text)),
        outputError: (text, write) => write(`${terminalText(text.trimEnd().replace('\n(Did', ' (Did'))}\n`),
        writeOut: (text) => process.stdout.write(terminalLines(text)),
      })
  )
}

/** The reason of a network error: when several addresses were tried, it has a code but no message. */
function reasonOf(cause: unknown): string {
  const { message, code } = cause as NodeJS.ErrnoException
  return message || code || 'no reason given'
}

/** What to do about a mistake that the operating system reports. */
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

function reportError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof HoldshortError) {
    // Clients do not see the cause, but it helps the operator.
    const reason = error.code === 'STATE_UNREACHABLE' ? ` (${reasonOf(error.cause)})` : ''
    const text = `${error.code}: ${error.message}${reason}`
    // Each invalid setting has a line of its own; a line break in any other message comes from outside.
    process.stderr.write(`${error instanceof SettingsError ? terminalLines(text) : terminalText(text)}\n`)
    return error instanceof UsageError || MISUSE_CODES.has(error.code) ? 2 : 1
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

/** Refuses a path that Node.js could not read: it would be the name of another file. @throws UsageError */
function requireReadableArguments(args: string[]): void {
  const unreadable = args.find((argument) => !isReadablePath(argument))
  if (unreadable !== undefined) throw new UsageError(`${unreadable}: ${NOT_UTF_8}`)
}

/** Runs a command line (the arguments after node and script) and sets the exit code: 0 done, 1 failed, 2 misused. */
export const runProgram = (args: string[]): Promise<void> => runCommandLine(args, () => createProgram(args[0]))

/** Does the same for any program. */
export async function runCommandLine(args: string[], create: () => Command | Promise<Command>): Promise<void> {
  try {
    requireReadableArguments(args)
    const program = await create()
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    process.exitCode = reportError(error)
  }
}
