import { readFileSync } from 'node:fs'
import pino from 'pino'
import { terminalJson } from '../../config/outside-text.ts'
import { projectFile } from '../../config/paths.ts'
import { readSettings, type Settings } from '../../config/settings.ts'

export const VERSION = (JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as { version: string }).version

/** Settings of a command: the environment variables, overridden by the command's flags. */
export function settingsFor(flags: { dataDir?: string; port?: string | number } = {}): Settings {
  return readSettings({
    ...process.env,
    ...(flags.dataDir === undefined ? {} : { HOLDSHORT_DATA_DIR: flags.dataDir }),
    ...(flags.port === undefined ? {} : { HOLDSHORT_PORT: String(flags.port) }),
  })
}

/** The environment for a child process with the same settings; `over` adds or replaces variables. */
export function environmentOf(settings: Settings, over: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { ...process.env, HOLDSHORT_DATA_DIR: settings.data_dir, HOLDSHORT_PORT: String(settings.port), ...over }
}

export type Log = pino.Logger

/** Opens the log: JSON lines on stderr, because stdout carries only the result. Never log secrets. */
export function openLog(settings: Pick<Settings, 'log_level'>, name: string): Log {
  const stderr = pino.destination({ dest: 2, sync: true })
  return pino(
    { name, level: settings.log_level, base: { name, pid: process.pid } },
    // JSON escapes only some of the characters that control a terminal.
    { write: (line: string) => stderr.write(terminalJson(line)) },
  )
}
