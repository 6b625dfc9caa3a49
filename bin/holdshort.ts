#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { HoldshortError, UsageError } from '../config/errors.ts'
import { wantedCommands } from './commands/index.ts'
import { VERSION } from './environment.ts'

/** Exit codes: 0 done, 1 failed, 2 misused. */
const MISUSED = new Set(['USAGE', 'SETTINGS_INVALID', 'INVALID_PARAMETER', 'SOURCE_UNKNOWN'])

function failed(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof HoldshortError) {
    process.stderr.write(`${error.code}: ${error.message}\n`)
    return error instanceof UsageError || MISUSED.has(error.code) ? 2 : 1
  }
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  return 1
}

const program = new Command('holdshort')
  .description('Airport wait-time and delay intelligence: collect, warehouse, forecast, serve.')
  .version(VERSION)
  .exitOverride()
  .configureHelp({ sortSubcommands: false })
for (const register of await wantedCommands(process.argv[2])) register(program)
for (const command of program.commands) command.exitOverride()

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = failed(error)
}
