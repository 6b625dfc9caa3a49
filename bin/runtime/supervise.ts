import type { Settings } from '../../config/settings.ts'
import { watchIdentity } from '../../warehouse/storage/identity.ts'
import type { Log } from './log.ts'
import { reportSilence } from './signs-of-life.ts'
import { type Command, SupervisedChild } from './supervised-child.ts'

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

/**
 * Keeps child processes of this program running. A child that dies, or cannot be started because the system has no process or
 * memory left for it, is started again, after growing pauses if that goes on; the others are unaffected. So is a child that
 * gives no sign of life for `silence_seconds`: it is killed first. None is started again once the data folder is gone. A child
 * whose supervisor dies ends itself (see `watchParent`).
 */
export function supervise(
  commands: readonly Command[],
  environment: NodeJS.ProcessEnv,
  log: Log,
  { silence_seconds }: Pick<Settings, 'silence_seconds'>,
): Supervised {
  let tellFolderGone: (news: 'folder gone') => void = () => undefined
  const folderGone = new Promise<'folder gone'>((resolve) => {
    tellFolderGone = resolve
  })
  let tellRefused: (news: 'refused') => void = () => undefined
  const refused = new Promise<'refused'>((resolve) => {
    tellRefused = resolve
  })
  const releaseAll = () => {
    for (const child of children) child.release()
  }
  const leaveFolder = () => {
    releaseAll()
    tellFolderGone('folder gone')
  }
  const surroundings = {
    environment,
    log,
    limit_ms: silence_seconds * 1_000,
    folderGone: leaveFolder,
    refused: () => {
      releaseAll()
      tellRefused('refused')
    },
    silent: ({ name, process: silent }: SupervisedChild, silent_ms: number) => {
      const silent_seconds = Math.round(silent_ms / 1_000)
      const news = { name, pid: silent?.pid ?? null, silent_seconds, limit_seconds: silence_seconds }
      for (const { process: other } of children) if (other !== null && other !== silent) reportSilence(other, news)
    },
  }
  const children = commands.map((command) => new SupervisedChild(command, surroundings))
  const { HOLDSHORT_DATA_DIR: dataDir } = environment
  if (dataDir !== undefined) void watchIdentity([dataDir], leaveFolder)
  for (const child of children) child.start()
  return {
    folderGone,
    refused,
    pid: (name) => children.find((child) => child.name === name)?.process?.pid ?? null,
    stop: async (graceMs = 4_000) => {
      releaseAll()
      await Promise.all(children.map((child) => child.stop(graceMs)))
    },
  }
}
