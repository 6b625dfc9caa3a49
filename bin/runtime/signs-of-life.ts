import type { ChildProcess, StdioOptions } from 'node:child_process'
import { z } from 'zod'
import { HoldshortError } from '../../config/errors.ts'
import { BEAT_MS, LIFE_FD, SUPERVISOR_PID } from './watch-parent.ts'

/** The streams by which a process of this program gives signs of life: a channel of messages, and a pipe at `LIFE_FD`. `output` is its stdout. */
export const stdioWithLife = (output: 'ignore' | 'inherit'): StdioOptions => {
  const stdio = ['ignore', output, 'inherit', 'ipc']
  stdio[LIFE_FD] = 'pipe'
  return stdio as StdioOptions
}

/** The variables of a child that this process watches. */
export const watchedBy = (pid: number): Record<string, string> => ({ [SUPERVISOR_PID]: String(pid) })

const TICK_MS = 1_000
/** From here on, the silence is reported. */
const NOTEWORTHY_MS = 5 * BEAT_MS

export interface LifeOptions {
  /** A child that is silent for this long is killed. */
  limit_ms: number
  /** Called each second once a child has been silent for ten seconds, and with 0 when it gives signs again. */
  onSilence?: (silent_ms: number) => void
  /** Called once, when the child is killed. */
  onKill: (silent_ms: number) => void
}

/**
 * Kills a child that gives no sign of life: it was stopped, or what it waits for never comes. Only the time in which this process ran itself
 * counts: a machine that slept, or a process group that was stopped as a whole, was not silent.
 */
export function watchLife(child: ChildProcess, { limit_ms, onSilence, onKill }: LifeOptions): void {
  // One that could not be started has no id; its error follows as an event.
  if (child.pid === undefined) return
  let silent_ms = 0
  let isKilled = false
  let tickedAt = performance.now()
  const noteworthy = Math.min(NOTEWORTHY_MS, limit_ms / 2)
  const timer = setInterval(() => {
    const now = performance.now()
    silent_ms += Math.min(now - tickedAt, 2 * TICK_MS)
    tickedAt = now
    if (silent_ms >= noteworthy) onSilence?.(silent_ms)
    if (silent_ms < limit_ms || isKilled) return
    isKilled = true
    onKill(silent_ms)
    child.kill('SIGKILL')
  }, TICK_MS)
  timer.unref()
  const life = child.stdio[LIFE_FD]
  const hear = () => {
    if (silent_ms >= noteworthy) onSilence?.(0)
    silent_ms = 0
  }
  life?.on('data', hear)
  life?.on('error', () => undefined)
  child.once('exit', () => {
    clearInterval(timer)
    hear()
    life?.destroy()
  })
}

/** A supervisor's message to its other children about a silent one; 0 seconds when it gives signs again. */
const Silence = z.strictObject({
  kind: z.literal('silence'),
  name: z.string(),
  pid: z.int().nullable(),
  silent_seconds: z.int(),
  limit_seconds: z.number(),
})
type Silence = z.infer<typeof Silence>

/** Reports a silent process to another child. */
export function reportSilence(child: ChildProcess, silence: Omit<Silence, 'kind'>): void {
  // It may be ending, and then it needs no news.
  if (child.connected) child.send({ kind: 'silence', ...silence }, () => undefined)
}

/** Listens to the supervisor of this process. Returns the fault of another process of it that gives no sign of life; null while there is none. */
export function listenForSilence(): () => HoldshortError | null {
  const silent = new Map<string, Silence>()
  process.on('message', (message) => {
    const { data } = Silence.safeParse(message)
    if (data) silent.set(data.name, data)
  })
  return () => {
    const found = [...silent.values()].find(({ silent_seconds }) => silent_seconds > 0)
    if (!found) return null
    const { name, pid, silent_seconds, limit_seconds } = found
    return new HoldshortError(
      'PROCESS_SILENT',
      `the ${name}${pid === null ? '' : ` (process ${pid})`} has given no sign of life for ${silent_seconds} s; after ${limit_seconds} s it is killed and started again`,
    )
  }
}
