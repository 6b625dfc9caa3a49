import { type ChildProcess, spawn } from 'node:child_process'
import { projectFile } from '../../config/paths.ts'
import type { Log } from './environment.ts'

export const CLI = projectFile('dist', 'bin', 'holdshort.js')
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** A child that lived this long starts again without a pause. */
const SETTLED_MS = 60_000

export interface Supervised {
  /** Process id of a child, null while it is down. */
  pid: (name: string) => number | null
  /** Tells the children to stop, waits, and ends what does not. */
  stop: (graceMs?: number) => Promise<void>
}

interface Member {
  name: string
  child: ChildProcess | null
  started: number
  pause: number
  timer: NodeJS.Timeout | null
}

/**
 * Keeps processes of ours running, each on its own: one that dies is started again, with growing pauses while it keeps
 * dying, and the others go on. A child whose supervisor dies ends itself (see `toldToStop`).
 */
export function supervise(
  commands: { name: string; args: string[] }[],
  environment: NodeJS.ProcessEnv,
  log: Log,
): Supervised {
  let stopping = false
  const members = commands.map(
    ({ name }): Member => ({ name, child: null, started: 0, pause: FIRST_PAUSE_MS, timer: null }),
  )

  const launch = (member: Member, args: string[]) => {
    member.started = Date.now()
    const child = spawn(process.execPath, [CLI, ...args], {
      env: environment,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    member.child = child
    child.on('error', (error) => log.error({ child: member.name, error: error.message }, 'could not be started'))
    child.on('exit', (code, signal) => {
      member.child = null
      if (stopping) return
      if (Date.now() - member.started > SETTLED_MS) member.pause = FIRST_PAUSE_MS
      log.warn({ child: member.name, code, signal, restart_in_ms: member.pause }, 'ended; starting it again')
      member.timer = setTimeout(() => launch(member, args), member.pause)
      member.pause = Math.min(member.pause * 2, LONGEST_PAUSE_MS)
    })
  }
  for (const [index, { args }] of commands.entries()) {
    const member = members[index]
    if (member) launch(member, args)
  }

  return {
    pid: (name) => members.find((member) => member.name === name)?.child?.pid ?? null,
    stop: async (graceMs = 4_000) => {
      stopping = true
      const ends = members.map(async (member) => {
        if (member.timer) clearTimeout(member.timer)
        const { child } = member
        if (!child || child.exitCode !== null || child.signalCode !== null) return
        const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
        child.kill('SIGTERM')
        const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
        await ended
        clearTimeout(timer)
      })
      await Promise.all(ends)
    },
  }
}

/** Calls back when the process that started us is gone, also when it went before we looked. */
function onceParentGone(gone: () => void): void {
  if (!process.send) return
  if (process.connected) process.once('disconnect', gone)
  else gone()
}

/** Resolves at the first SIGINT or SIGTERM, or when the supervisor that started us is gone. */
export function toldToStop(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal))
    onceParentGone(() => resolve('supervisor gone'))
  })
}

/** Does work that nobody waits for once the process that started us is gone: then it is cut off. */
export async function whileParentLives<T>(work: () => Promise<T>): Promise<T> {
  const cutOff = () => process.exit(1)
  onceParentGone(cutOff)
  try {
    return await work()
  } finally {
    process.off('disconnect', cutOff)
  }
}
