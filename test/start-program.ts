import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { projectFile } from '../config/paths.ts'

/** A running program of `test/programs`. */
export interface Program {
  child: ChildProcess
  /** The whole lines that it has printed so far. */
  lines: () => string[]
  /** Resolves when it has printed so many lines, or has ended. */
  hasPrinted: (count: number) => Promise<void>
  /** Kills it with SIGKILL and waits for its end. @throws Error when it had ended before */
  kill: () => Promise<void>
}

/** Starts a program of `test/programs` in a process of its own, which ends with the test; the file has to be built. */
export function startProgram(name: string, ...args: (string | number)[]): Program {
  const path = projectFile('dist', 'test', 'programs', `${name}.js`)
  const child = spawn(process.execPath, [path, ...args.map(String)], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  const ended = once(child, 'close')
  const lines = () => text.split('\n').slice(0, -1)
  return {
    child,
    lines,
    hasPrinted: async (count) => {
      while (child.exitCode === null && lines().length < count) await Promise.race([once(child.stdout, 'data'), ended])
    },
    kill: async () => {
      if (child.exitCode !== null) throw new Error(`${name} ended by itself: ${child.exitCode}`)
      child.kill('SIGKILL')
      await ended
    },
  }
}
