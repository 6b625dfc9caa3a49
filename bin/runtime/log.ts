import { createRequire } from 'node:module'
import { Writable } from 'node:stream'
import pino from 'pino'
import type { Settings } from '../../config/settings.ts'
import { terminalJson, terminalLines } from '../../config/untrusted-text.ts'

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
