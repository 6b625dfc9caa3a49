import { type ChildProcess, spawn } from 'node:child_process'
import { projectFile } from '../../config/paths.ts'
import type { Log } from './log.ts'
import { EXIT_MISUSED } from './report-error.ts'
import { stdioWithLife, watchedBy, watchLife } from './signs-of-life.ts'
import { EXIT_FOLDER_GONE } from './stop-when-gone.ts'

export const CLI = projectFile('dist', 'bin', 'holdshort.js')
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000
/** After this lifetime, the pause before a restart is the shortest again. */
const STABLE_AFTER_MS = 60_000

/** A command of this program that a supervisor keeps running. */
export interface Command {
  name: string
  args: string[]
}

export interface Surroundings {
  environment: NodeJS.ProcessEnv
  log: Log
  /** A child that gives no sign of life for this long is killed. */
  limit_ms: number
  /** Called when a child found the data folder gone. */
  folderGone: () => void
  /** Called when the child refuses its settings at its first start. */
  refused: () => void
  /** Called each second while a child is silent, and with 0 when it gives signs again. */
  silent: (child: SupervisedChild, silent_ms: number) => void
}

/** Starts a command and starts it again whenever it ends, after growing pauses if that goes on, until `stop`. */
export class SupervisedChild {
  readonly name: string
  readonly #args: string[]
  readonly #surroundings: Surroundings
  #process: ChildProcess | null = null
  #startedAt = 0
  #starts = 0
  #pause = FIRST_PAUSE_MS
  #timer: NodeJS.Timeout | undefined
  #isKept = true

  constructor({ name, args }: Command, surroundings: Surroundings) {
    this.name = name
    this.#args = args
    this.#surroundings = surroundings
  }

  /** The running process; null while there is none. */
  get process(): ChildProcess | null {
    return this.#process
  }

  start(): void {
    this.#startedAt = performance.now()
    this.#starts += 1
    try {
      this.#follow(
        spawn(process.execPath, [CLI, ...this.#args], {
          env: { ...this.#surroundings.environment, ...watchedBy(process.pid) },
          stdio: stdioWithLife('inherit'),
        }),
      )
    } catch (error) {
      // ENOMEM is thrown; Node.js reports EAGAIN and EMFILE by the event instead.
      this.#notStarted(error as Error)
    }
  }

  /** Does not start it again, whatever ends it. */
  release(): void {
    this.#isKept = false
    clearTimeout(this.#timer)
  }

  /** Sends SIGTERM, and SIGKILL if it has not ended after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.release()
    const child = this.#process
    if (!child || child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
    await ended
    clearTimeout(timer)
  }

  #follow(child: ChildProcess): void {
    this.#process = child
    this.#watch(child)
    child.on('error', (error) => {
      // An error of a running child is one of its channel; its end is reported apart.
      if (child.pid !== undefined)
        return this.#surroundings.log.error({ child: this.name, error: error.message }, 'cannot be reached')
      this.#process = null
      this.#notStarted(error)
    })
    child.on('exit', (code, signal) => {
      if (child.pid === undefined) return
      this.#process = null
      this.#ended(code, signal)
    })
  }

  #ended(code: number | null, signal: NodeJS.Signals | null): void {
    const { log, folderGone, refused } = this.#surroundings
    // A new child would begin anew in an empty folder.
    if (code === EXIT_FOLDER_GONE) folderGone()
    if (!this.#isKept) return
    const wasStable = performance.now() - this.#startedAt > STABLE_AFTER_MS
    // One that ran had settings that it took.
    if (code === EXIT_MISUSED && this.#starts === 1 && !wasStable) {
      refused()
      return
    }
    if (wasStable) this.#pause = FIRST_PAUSE_MS
    log.warn({ child: this.name, code, signal, restart_in_ms: this.#pause }, 'ended; starting it again')
    this.#startLater()
  }

  #notStarted({ message }: Error): void {
    if (!this.#isKept) return
    const fields = { child: this.name, error: message, retry_in_ms: this.#pause }
    this.#surroundings.log.error(fields, 'could not be started; trying again')
    this.#startLater()
  }

  #startLater(): void {
    this.#timer = setTimeout(() => this.start(), this.#pause)
    this.#pause = Math.min(this.#pause * 2, MAX_PAUSE_MS)
  }

  #watch(child: ChildProcess): void {
    const { log, limit_ms, silent } = this.#surroundings
    const { pid = null } = child
    watchLife(child, {
      limit_ms,
      onSilence: (silent_ms) => {
        if (this.#isKept) silent(this, silent_ms)
      },
      onKill: (silent_ms) => {
        const fields = {
          code: 'PROCESS_SILENT',
          child: this.name,
          child_pid: pid,
          silent_s: Math.round(silent_ms / 1_000),
        }
        log.error(fields, 'gives no sign of life; killing it')
      },
    })
  }
}
