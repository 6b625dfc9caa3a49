import type { Command } from 'commander'

/** Adds a command with its options and action to the program. */
export type RegisterCommand = (program: Command) => void

/** A command as the help lists it, and how to load it. */
export interface CommandEntry {
  name: string
  /** A few words for the list of commands. */
  summary: string
  load: () => Promise<RegisterCommand>
}

/**
 * Every command, in the order of the help. A new command is a file in this folder and an entry here. Each is imported only
 * when it is needed: the help must not wait for code that it does not run, and `serve` must start fast and stay small.
 */
export const commands: readonly CommandEntry[] = [
  {
    name: 'demo',
    summary: 'run the whole service offline on a simulated world',
    load: async () => (await import('./demo.ts')).demoCommand,
  },
  {
    name: 'start',
    summary: 'run the whole service on the live sources',
    load: async () => (await import('./start.ts')).startCommand,
  },
  {
    name: 'serve',
    summary: 'run only the api: REST, MCP and the site',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  {
    name: 'work',
    summary: 'run only the pipeline: collect, forecast and publish',
    load: async () => (await import('./work.ts')).workCommand,
  },
  {
    name: 'run',
    summary: 'do one step of the pipeline: collect, replay, rollup, record, publish',
    load: async () => (await import('./run.ts')).runCommand,
  },
  {
    name: 'live',
    summary: 'ask the sources of an airport for the current wait',
    load: async () => (await import('./live.ts')).liveCommand,
  },
  {
    name: 'import',
    summary: 'import CSV files of waits or throughput',
    load: async () => (await import('./import.ts')).importCommand,
  },
  {
    name: 'train',
    summary: 'train and backtest a model for every airport with history',
    load: async () => (await import('./train.ts')).trainCommand,
  },
  {
    name: 'models',
    summary: 'list and compare training runs, and decide which models serve',
    load: async () => (await import('./models.ts')).modelsCommand,
  },
  {
    name: 'backtest',
    summary: 'forecast from every origin of a period and write the forecasts',
    load: async () => (await import('./backtest.ts')).backtestCommand,
  },
  {
    name: 'score',
    summary: 'check and score a CSV of forecasts',
    load: async () => (await import('./score.ts')).scoreCommand,
  },
  {
    name: 'features',
    summary: 'write the training table as Parquet',
    load: async () => (await import('./features.ts')).featuresCommand,
  },
  {
    name: 'export',
    summary: 'write the warehouse as open data: Parquet, CSV and their description',
    load: async () => (await import('./export.ts')).exportCommand,
  },
  {
    name: 'query',
    summary: 'run SQL that reads the warehouse',
    load: async () => (await import('./query.ts')).queryCommand,
  },
  {
    name: 'keys',
    summary: 'issue, list and revoke API keys',
    load: async () => (await import('./keys.ts')).keysCommand,
  },
  {
    name: 'accounts',
    summary: 'list, grant, export and delete accounts; sign-in links',
    load: async () => (await import('./accounts.ts')).accountsCommand,
  },
  {
    name: 'backup',
    summary: 'back up the data folder while everything is running',
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'restore a backup into a new data folder',
    load: async () => (await import('./restore.ts')).restoreCommand,
  },
  {
    name: 'repair',
    summary: 'replace a damaged warehouse by its last copy',
    load: async () => (await import('./repair.ts')).repairCommand,
  },
  {
    name: 'carry-over',
    summary: 'take the Parquet folders of an earlier version into the warehouse',
    load: async () => (await import('./carry-over.ts')).carryOverCommand,
  },
  {
    name: 'state',
    summary: 'move accounts to another database, or go on with a state that lacks data',
    load: async () => (await import('./state.ts')).stateCommand,
  },
  {
    name: 'store',
    summary: 'move the warehouse between the data folder and a bucket',
    load: async () => (await import('./store.ts')).storeCommand,
  },
  {
    name: 'sources',
    summary: 'list or check the sources; parse a saved payload',
    load: async () => (await import('./sources.ts')).sourcesCommand,
  },
  {
    name: 'doctor',
    summary: 'check whether this installation can work, and say what to fix',
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
  else for (const { name: listed, summary } of commands) program.command(listed).summary(summary)
}
