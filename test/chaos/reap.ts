import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { projectFile } from '../../config/paths.ts'

const PROGRAM = projectFile('dist', 'test', 'chaos', 'reaper.js')

/** Remembers what has to end with this process, however this process ends. */
export interface Reaper {
  child: (child: ChildProcess) => void
  folder: (path: string) => void
  /** Ends everything now. */
  close: () => Promise<void>
}

/** Starts a process that outlives this one by a moment and ends what this one had started. */
export function startReaper(): Reaper {
  // In its own session, so that the Ctrl-C that ends this process does not end it.
  const reaper = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'ignore', 'inherit'], detached: true })
  reaper.stdin.on('error', () => undefined)
  const tell = (line: string) => void reaper.stdin.write(`${line}\n`)
  return {
    child: (child) => {
      const { pid } = child
      if (pid === undefined) return
      tell(`+pid ${pid}`)
      child.once('exit', () => tell(`-pid ${pid}`))
    },
    folder: (path) => tell(`folder ${path}`),
    close: async () => {
      const ended = once(reaper, 'exit')
      reaper.stdin.end()
      await ended
    },
  }
}
