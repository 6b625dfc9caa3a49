import type { Command } from 'commander'

/** Adds a command with its options and action to the program. */
export type RegisterCommand = (program: Command) => void

/**
 * Every command, in the order of the help. A new command is a file in this folder and a line here. Each is imported only when
 * it is needed: `serve` must start fast and stay small, so it must not load the code for training, collecting or queries.
 */
export const commands: Readonly<Record<string, () => Promise<RegisterCommand>>> = {
  demo: async () => (await import('./demo.ts')).demoCommand,
  start: async () => (await import('./start.ts')).startCommand,
  serve: async () => (await import('./serve.ts')).serveCommand,
  work: async () => (await import('./work.ts')).workCommand,
  collect: async () => (await import('./collect.ts')).collectCommand,
  live: async () => (await import('./live.ts')).liveCommand,
  replay: async () => (await import('./replay.ts')).replayCommand,
  parse: async () => (await import('./parse.ts')).parseCommand,
  import: async () => (await import('./import.ts')).importCommand,
  rollup: async () => (await import('./rollup.ts')).rollupCommand,
  train: async () => (await import('./train.ts')).trainCommand,
  backtest: async () => (await import('./backtest.ts')).backtestCommand,
  measure: async () => (await import('./measure.ts')).measureCommand,
  prior: async () => (await import('./prior.ts')).priorCommand,
  assimilation: async () => (await import('./assimilation.ts')).assimilationCommand,
  publish: async () => (await import('./publish.ts')).publishCommand,
  query: async () => (await import('./query.ts')).queryCommand,
  keys: async () => (await import('./keys.ts')).keysCommand,
  'export-account': async () => (await import('./export-account.ts')).exportAccountCommand,
  'delete-account': async () => (await import('./delete-account.ts')).deleteAccountCommand,
  accounts: async () => (await import('./accounts.ts')).accountsCommand,
  sources: async () => (await import('./sources.ts')).sourcesCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
}

/** Loads the named command, or all commands for the help and for an unknown name. */
export function loadCommands(name: string | undefined): Promise<RegisterCommand[]> {
  const named = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined
  return Promise.all((named ? [named] : Object.values(commands)).map((load) => load()))
}
