import { existsSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Writable } from 'node:stream'
import pino from 'pino'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { terminalJson, terminalLines } from '../../config/outside-text.ts'
import { readSettings, type Settings } from '../../config/settings.ts'

/**
 * Settings of a command: the environment variables, overridden by the command's flags.
 * @throws HoldshortError DATA_FOLDER_UNUSABLE when the data folder is something else.
 */
export function settingsFor(flags: { dataDir?: string; port?: string | number } = {}): Settings {
  const settings = anySettings(flags)
  const { data_dir } = settings
  if (existsSync(data_dir) && !statSync(data_dir).isDirectory())
    throw new HoldshortError('DATA_FOLDER_UNUSABLE', `${data_dir} cannot be used: it is not a folder`)
  return settings
}

/** The settings, whatever the data folder is. */
export function anySettings(flags: { dataDir?: string; port?: string | number }): Settings {
  // As of a variable of the shell that is not set.
  for (const [name, value] of [
    ['--data-dir', flags.dataDir],
    ['--port', flags.port],
  ] as const)
    if (value === '') throw new UsageError(`${name}: is empty`)
  return readSettings({
    ...process.env,
    ...(flags.dataDir === undefined ? {} : { HOLDSHORT_DATA_DIR: flags.dataDir }),
    ...(flags.port === undefined ? {} : { HOLDSHORT_PORT: String(flags.port) }),
  })
}

/** Whether a folder that may be read has nothing in it. */
function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(path).length === 0
  } catch {
    return false
  }
}

/** The settings of a command that needs a data folder. @throws UsageError where there is none, so that none is created */
export function settingsOfExisting(flags: { dataDir?: string } = {}): Settings {
  const settings = settingsFor(flags)
  if (existsSync(settings.data_dir)) return settings
  throw noInstallation(settings, 'does not exist')
}

/** The settings of a command that only reads what is there. @throws UsageError where there is no data folder, or nothing in it */
export function settingsOfInstallation(flags: { dataDir?: string } = {}): Settings {
  const settings = settingsOfExisting(flags)
  if (isEmptyFolder(settings.data_dir)) throw noInstallation(settings, 'is empty')
  return settings
}

const noInstallation = ({ data_dir }: Settings, fault: string) =>
  new UsageError(
    `data-dir: ${data_dir} ${fault}; name the folder of an installation with --data-dir or HOLDSHORT_DATA_DIR`,
  )

/** The environment for a child process with the same settings; `over` adds or replaces variables. */
export function environmentOf(settings: Settings, over: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { ...process.env, HOLDSHORT_DATA_DIR: settings.data_dir, HOLDSHORT_PORT: String(settings.port), ...over }
}

export type Log = pino.Logger

/** Lines that cannot be written are kept up to this size; then the next ones are lost. */
const MAX_KEPT_BYTES = 65_536

/**
 * Opens the log on stderr, because stdout carries only the result: lines for people on a terminal, JSON lines elsewhere. A full disk or
 * a reader that is gone stops nothing but the log. Never log secrets.
 */
export function openLog(settings: Pick<Settings, 'log_level'>, name: string): Log {
  const options = { name, level: settings.log_level, base: { name, pid: process.pid } }
  const stderr = pino.destination({ dest: 2, sync: true, maxLength: MAX_KEPT_BYTES })
  stderr.on('error', () => undefined)
  if (process.stderr.isTTY) return pino(options, linesForPeople(stderr))
  // JSON escapes only some of the characters that control a terminal.
  return pino(options, { write: (line: string) => stderr.write(terminalJson(line)) })
}

/** Without colours, so that every character that controls a terminal can be escaped. Loaded on a terminal only. */
function linesForPeople(stderr: { write: (text: string) => void }): pino.DestinationStream {
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty')
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      stderr.write(terminalLines(chunk.toString('utf8')))
      done()
    },
  })
  const time = 'SYS:HH:MM:ss'
  return pretty({ destination, colorize: false, ignore: 'pid,hostname', translateTime: time, singleLine: true })
}
