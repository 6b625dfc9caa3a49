import { readFileSync } from 'node:fs'
import pino from 'pino'
import { projectFile } from '../../config/paths.ts'
import { readSettings, type Settings } from '../../config/settings.ts'

export const VERSION = (JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as { version: string }).version

/** Settings of a command: the environment, with what its flags say on top. */
export function settingsFor(flags: { dataDir?: string; port?: string | number } = {}): Settings {
  return readSettings({
    ...process.env,
    ...(flags.dataDir === undefined ? {} : { HOLDSHORT_DATA_DIR: flags.dataDir }),
    ...(flags.port === undefined ? {} : { HOLDSHORT_PORT: String(flags.port) }),
  })
}

/** The environment that gives a child process the same settings. */
export function environmentOf(settings: Settings, over: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { ...process.env, HOLDSHORT_DATA_DIR: settings.data_dir, HOLDSHORT_PORT: String(settings.port), ...over }
}

export type Log = pino.Logger

/** The log: lines of JSON on stderr, so that stdout is the result alone. Secrets are never given to it. */
export function openLog(settings: Pick<Settings, 'log_level'>, name: string): Log {
  return pino(
    { name, level: settings.log_level, base: { name, pid: process.pid } },
    pino.destination({ dest: 2, sync: true }),
  )
}

/** Prints a result on stdout: JSON where a program reads it, text for a person. */
export function print(result: unknown, json: boolean | undefined, text: () => string): void {
  process.stdout.write(`${json ? JSON.stringify(result, null, 2) : text()}\n`)
}

/** A plain table for a terminal. */
export function textTable(header: string[], rows: (string | number | null)[][]): string {
  const cells = [header, ...rows.map((row) => row.map((cell) => (cell === null ? '–' : String(cell))))]
  const widths = header.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)))
  return cells
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
