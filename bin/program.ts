import { Command, Help, type Option } from 'commander'
import { UsageError } from '../config/errors.ts'
import { isReadablePath, NOT_UTF_8 } from '../config/readable-path.ts'
import { terminalLines, terminalText } from '../config/untrusted-text.ts'
import { registerCommands } from './commands/index.ts'
import { reportError } from './runtime/report-error.ts'
import { versionText } from './runtime/version.ts'

/** Builds the command line with the named command, or with the list of all commands for the help and for an unknown name. */
export async function createProgram(name?: string): Promise<Command> {
  const program = withSafeOutput(new Command('holdshort'))
    .description('Airport wait-time and delay intelligence: collect, warehouse, forecast, serve.')
    .version(versionText())
    .configureHelp({ sortSubcommands: false, optionDescription: describeOption })
  await registerCommands(program, name)
  return program
}

/** As Commander describes an option, without the empty list with which a repeatable one begins. */
function describeOption(option: Option): string {
  const isEmptyList = Array.isArray(option.defaultValue) && option.defaultValue.length === 0
  return isEmptyList ? option.description : new Help().optionDescription(option)
}

/** Lets a program throw instead of ending the process, and write nothing that a terminal takes for a command. */
export function withSafeOutput(program: Command): Command {
  return (
    program
      .exitOverride()
      // These messages repeat the user's input.
      .configureOutput({
        writeErr: (text) => process.stderr.write(terminalLines(text)),
        outputError: (text, write) => write(`${terminalText(text.trimEnd().replace('\n(Did', ' (Did'))}\n`),
        writeOut: (text) => process.stdout.write(terminalLines(text)),
      })
  )
}

/** Refuses a path that Node.js could not read: it would be the name of another file. @throws UsageError */
function requireReadableArguments(args: string[]): void {
  const unreadable = args.find((argument) => !isReadablePath(argument))
  if (unreadable !== undefined) throw new UsageError(`${unreadable}: ${NOT_UTF_8}`)
}

/** Refuses an argument or option without a text, as of a variable of the shell that is not set: as a path it is the current folder. @throws UsageError */
function requireTexts(command: Command): void {
  const named = [
    ...command.registeredArguments.map((argument, index): [string, unknown] => [
      argument.name(),
      command.processedArgs[index],
    ]),
    ...command.options
      .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
      .map((option): [string, unknown] => [
        option.long ?? option.flags,
        command.getOptionValue(option.attributeName()),
      ]),
  ]
  for (const [name, value] of named) if ([value].flat().includes('')) throw new UsageError(`${name}: is empty`)
}

/** Runs a command line (the arguments after node and script) and sets the exit code: 0 done, 1 failed, 2 misused. */
export const runProgram = (args: string[]): Promise<void> => runCommandLine(args, () => createProgram(args[0]))

/** Does the same for any program. */
export async function runCommandLine(args: string[], create: () => Command | Promise<Command>): Promise<void> {
  try {
    requireReadableArguments(args)
    const program = await create()
    program.hook('preAction', (_program, command) => requireTexts(command))
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    process.exitCode = reportError(error)
  }
}
