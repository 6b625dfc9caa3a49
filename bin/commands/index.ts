import type { Command } from 'commander'

/** Adds a command with its options and its action to the program. */
export type Registration = (program: Command) => void

/**
 * Every command, in the order of the help. A new one is a file and a line here. Each is imported when it is asked for:
 * `serve` must start fast and stay small, so it does not carry what trains, collects or queries.
 */
export const commands: Readonly<Record<string, () => Promise<Registration>>> = {
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
  publish: async () => (await import('./publish.ts')).publishCommand,
  query: async () => (await import('./query.ts')).queryCommand,
  keys: async () => (await import('./keys.ts')).keysCommand,
  'export-account': async () => (await import('./export-account.ts')).exportAccountCommand,
  'delete-account': async () => (await import('./delete-account.ts')).deleteAccountCommand,
  accounts: async () => (await import('./accounts.ts')).accountsCommand,
  sources: async () => (await import('./sources.ts')).sourcesCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
}

/** The commands that an invocation needs: the one it names, or all of them for the help and for a word unknown. */
export function wantedCommands(name: string | undefined): Promise<Registration[]> {
  const one = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined
  return Promise.all((one ? [one] : Object.values(commands)).map((load) => load()))
}
