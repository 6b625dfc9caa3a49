import type { Command } from 'commander'
import { summaryOf } from '../runtime/help.ts'

/** Adds a command with its options and action to the program. */
export type RegisterCommand = (program: Command) => void

/** A command as the help lists it, and how to load it. */
export interface CommandEntry {
  name: string
  load: () => Promise<RegisterCommand>
}

/**
 * Every command, in the order of the help. A new command is a file in this folder, an entry here and a section of docs/operate/commands.md. Each is imported only
 * when it is needed: the help must not wait for code that it does not run, and `serve` must start fast and stay small.
 */
export const commands: readonly CommandEntry[] = [
  {
    name: 'demo',
    load: async () => (await import('./demo.ts')).demoCommand,
  },
  {
    name: 'start',
    load: async () => (await import('./start.ts')).startCommand,
  },
  {
    name: 'serve',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  {
    name: 'work',
    load: async () => (await import('./work.ts')).workCommand,
  },
  {
    name: 'run',
    load: async () => (await import('./run.ts')).runCommand,
  },
  {
    name: 'live',
    load: async () => (await import('./live.ts')).liveCommand,
  },
  {
    name: 'import',
    load: async () => (await import('./import.ts')).importCommand,
  },
  {
    name: 'train',
    load: async () => (await import('./train.ts')).trainCommand,
  },
  {
    name: 'models',
    load: async () => (await import('./models.ts')).modelsCommand,
  },
  {
    name: 'backtest',
    load: async () => (await import('./backtest.ts')).backtestCommand,
  },
  {
    name: 'score',
    load: async () => (await import('./score.ts')).scoreCommand,
  },
  {
    name: 'features',
    load: async () => (await import('./features.ts')).featuresCommand,
  },
  {
    name: 'export',
    load: async () => (await import('./export.ts')).exportCommand,
  },
  {
    name: 'query',
    load: async () => (await import('./query.ts')).queryCommand,
  },
  {
    name: 'keys',
    load: async () => (await import('./keys.ts')).keysCommand,
  },
  {
    name: 'accounts',
    load: async () => (await import('./accounts.ts')).accountsCommand,
  },
  {
    name: 'backup',
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    load: async () => (await import('./restore.ts')).restoreCommand,
  },
  {
    name: 'repair',
    load: async () => (await import('./repair.ts')).repairCommand,
  },
  {
    name: 'carry-over',
    load: async () => (await import('./carry-over.ts')).carryOverCommand,
  },
  {
    name: 'state',
    load: async () => (await import('./state.ts')).stateCommand,
  },
  {
    name: 'store',
    load: async () => (await import('./store.ts')).storeCommand,
  },
  {
    name: 'sources',
    load: async () => (await import('./sources.ts')).sourcesCommand,
  },
  {
    name: 'doctor',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
]

/**
 * Adds the named command to a program. For any other name, and for the help, it adds the names and summaries of all
 * commands, without loading one.
 */
export async function registerCommands(program: Command, name: string | undefined): Promise<void> {
  const named = commands.find((command) => command.name === name)
  if (named) (await named.load())(program)
  else for (const { name: listed } of commands) program.command(listed).summary(summaryOf(listed))
}
