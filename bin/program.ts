import { Command, CommanderError } from 'commander'
import { HoldshortError, UsageError } from '../config/errors.ts'
import { wantedCommands } from './commands/index.ts'
import { VERSION } from './runtime/environment.ts'

/** Codes of a command that was misused. */
const MISUSED = new Set(['USAGE', 'SETTINGS_INVALID', 'INVALID_PARAMETER', 'SOURCE_UNKNOWN'])

/** The command line: with the command that `name` calls, or with all of them for the help and for a word unknown. */
export async function createProgram(name?: string): Promise<Command> {
  const program = new Command('holdshort')
    .description('Airport wait-time and delay intelligence: collect, warehouse, forecast, serve.')
    .version(VERSION)
    .exitOverride()
    .configureHelp({ sortSubcommands: false })
  for (const register of await wantedCommands(name)) register(program)
  return program
}

/** Of a fault of the network, which has a code only where several addresses were tried. */
function reasonOf(cause: unknown): string {
  const { message, code } = cause as NodeJS.ErrnoException
  return message || code || 'no reason given'
}

function failed(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof HoldshortError) {
    // What callers of the api are not told helps the operator.
    const reason = error.code === 'STATE_UNREACHABLE' ? ` (${reasonOf(error.cause)})` : ''
    process.stderr.write(`${error.code}: ${error.message}${reason}\n`)
    return error instanceof UsageError || MISUSED.has(error.code) ? 2 : 1
  }
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  return 1
}

/** Runs one command line (without node and script) and sets the exit code: 0 done, 1 failed, 2 misused. */
export async function runProgram(words: string[]): Promise<void> {
  try {
    const program = await createProgram(words[0])
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    process.exitCode = failed(error)
  }
}
