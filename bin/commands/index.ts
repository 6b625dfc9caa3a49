import type { Command } from 'commander'
import { summaryOf } from '../runtime/help.ts'

/**
 * Every command, in the order of the help. A new command is a file in this folder, a line here and a section of docs/operate/commands.md. Each is imported only
 * when it is needed: the help must not wait for code that it does not run, and `serve` must start fast and stay small.
 */
export const COMMANDS: Record<string, () => Promise<{ register: (program: Command) => void }>> = {
  demo: () => import('./demo.ts'),
  start: () => import('./start.ts'),
  serve: () => import('./serve.ts'),
  work: () => import('./work.ts'),
  mcp: () => import('./mcp.ts'),
  run: () => import('./run.ts'),
  live: () => import('./live.ts'),
  import: () => import('./import.ts'),
  train: () => import('./train.ts'),
  models: () => import('./models.ts'),
  backtest: () => import('./backtest.ts'),
  score: () => import('./score.ts'),
  features: () => import('./features.ts'),
  export: () => import('./export.ts'),
  query: () => import('./query.ts'),
  keys: () => import('./keys.ts'),
  accounts: () => import('./accounts.ts'),
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
  repair: () => import('./repair.ts'),
  state: () => import('./state.ts'),
  store: () => import('./store.ts'),
  sources: () => import('./sources.ts'),
  doctor: () => import('./doctor.ts'),
}

/**
 * Adds the named command with its options and action to a program. For any other name, and for the help, it adds the names and
 * summaries of all commands, without loading one.
 */
export async function registerCommands(program: Command, name = ''): Promise<void> {
  if (Object.hasOwn(COMMANDS, name)) (await COMMANDS[name]!()).register(program)
  else for (const listed of Object.keys(COMMANDS)) program.command(listed).summary(summaryOf(listed))
}
