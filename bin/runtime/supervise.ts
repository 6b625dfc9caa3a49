import { type ChildProcess, spawn } from 'node:child_process'
import { projectFile } from '../../config/paths.ts'
import type { Settings } from '../../config/settings.ts'
import { watchIdentity } from '../../warehouse/storage/identity.ts'
import type { Log } from './log.ts'
import { EXIT_MISUSED } from './report-error.ts'
import { stdioWithLife, watchedBy, watchLife } from './signs-of-life.ts'
import { reportSilence } from './silent-sibling.ts'
import { EXIT_FOLDER_GONE } from './stop-when-gone.ts'

export const CLI = projectFile('dist', 'bin', 'holdshort.js')
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000
/** After this lifetime, the pause before a restart is the shortest again. */
const STABLE_AFTER_MS = 60_000

export interface Supervised {
  /** The process id of a child; null while it is not running. */
  pid: (name: string) => number | null
  /** Resolves when the data folder, or what a child uses in it, was moved, deleted or replaced. */
  folderGone: Promise<'folder gone'>
  /** Resolves when a child refuses its settings at its first start: each further start would too. */
  refused: Promise<'refused'>
  /** Sends SIGTERM to the children, waits, and kills those that do not end. */
  stop: (graceMs?: number) => Promise<void>
}

interface Member {
  name: string
  args: string[]
  child: ChildProcess | null
  started: number
  starts: number
  pause: number
  timer: NodeJS.Timeout | null
}

/**
 * Keeps child processes of this program running. A child that dies, or cannot be started because the system has no process or
 * memory left for it, is started again, after growing pauses if that goes on; the others are unaffected. So is a child that
 * gives no sign of life for `silence_seconds`: it is killed first. None is started again once the data folder is gone. A child
 * whose supervisor dies ends itself (see `watchParent`).
 */
export function supervise(
  commands: { name: string; args: string[] }[],
  environment: NodeJS.ProcessEnv,
  log: Log,
  { silence_seconds }: Pick<Settings, 'silence_seconds'>,
): Supervised {
  const limit_ms = silence_seconds * 1_000
  let stopping = false
  let tellFolderGone: () => void = () => undefined
  const folderGone = new Promise<'folder gone'>((resolve) => {
    tellFolderGone = () => {
      stopping = true
      resolve('folder gone')
    }
  })
  let tellRefused: () => void = () => undefined
  const refused = new Promise<'refused'>((resolve) => {
    tellRefused = () => resolve('refused')
  })
  const { HOLDSHORT_DATA_DIR: dataDir } = environment
  if (dataDir !== undefined) void watchIdentity([dataDir], tellFolderGone)
  const members = commands.map(
    (command): Member => ({ ...command, child: null, started: 0, starts: 0, pause: FIRST_PAUSE_MS, timer: null }),
  )

  const launch = (member: Member) => {
    member.started = performance.now()
    member.starts += 1
    let child: ChildProcess
    try {
      child = spawn(process.execPath, [CLI, ...member.args], {
        env: { ...environment, ...watchedBy(process.pid) },
        stdio: stdioWithLife('inherit'),
      })
    } catch (error) {
      // ENOMEM is thrown; Node.js reports EAGAIN and EMFILE by the event instead.
      return notStarted(member, error as Error)
    }
    member.child = child
    watch(member, child)
    child.on('error', (error) => {
      // An error of a running child is one of its channel; its end is reported apart.
      if (child.pid !== undefined) return log.error({ child: member.name, error: error.message }, 'cannot be reached')
      member.child = null
      notStarted(member, error)
    })
    child.on('exit', (code, signal) => {
      if (child.pid === undefined) return
      member.child = null
      // A new child would begin anew in an empty folder.
      if (code === EXIT_FOLDER_GONE) tellFolderGone()
      if (stopping) return
      const wasStable = performance.now() - member.started > STABLE_AFTER_MS
      // One that ran had settings that it took.
      if (code === EXIT_MISUSED && member.starts === 1 && !wasStable) {
        stopping = true
        return tellRefused()
      }
      if (wasStable) member.pause = FIRST_PAUSE_MS
      log.warn({ child: member.name, code, signal, restart_in_ms: member.pause }, 'ended; starting it again')
      launchLater(member)
    })
  }
  const watch = (member: Member, child: ChildProcess) => {
    const { name } = member
    const { pid = null } = child
    const tell = (silent_ms: number) => {
      for (const { child: other } of members)
        if (other !== null && other !== child)
          reportSilence(other, {
            name,
            pid,
            silent_seconds: Math.round(silent_ms / 1_000),
            limit_seconds: limit_ms / 1_000,
          })
    }
    watchLife(child, {
      limit_ms,
      onSilence: (silent_ms) => {
        if (!stopping) tell(silent_ms)
      },
      onKill: (silent_ms) => {
        const silent_s = Math.round(silent_ms / 1_000)
        log.error(
          { code: 'PROCESS_SILENT', child: name, child_pid: pid, silent_s },
          'gives no sign of life; killing it',
        )
      },
    })
  }
  const notStarted = (member: Member, { message }: Error) => {
    if (stopping) return
    log.error({ child: member.name, error: message, retry_in_ms: member.pause }, 'could not be started; trying again')
    launchLater(member)
  }
  const launchLater = (member: Member) => {
    member.timer = setTimeout(() => launch(member), member.pause)
    member.pause = Math.min(member.pause * 2, MAX_PAUSE_MS)
  }
  for (const member of members) launch(member)

  return {
    folderGone,
    refused,
    pid: (name) => members.find((member) => member.name === name)?.child?.pid ?? null,
    stop: async (graceMs = 4_000) => {
      stopping = true
      const ends = members.map(async (member) => {
        if (member.timer) clearTimeout(member.timer)
        const { child } = member
        if (!child || child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
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
