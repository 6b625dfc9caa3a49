import { AsyncLocalStorage } from 'node:async_hooks'
import { beforeFileCalls } from './before-file-calls.ts'

/**
 * Work that is stopped (SIGSTOP, a paused container, a suspended machine) at any step, while other work is done as if it were alone.
 * Steps are the calls of the file system, which is all that two processes share.
 */
const PATCHED = [
  'mkdir',
  'readdir',
  'rename',
  'rm',
  'open',
  'copyFile',
  'writeFile',
  'readFile',
  'link',
  'stat',
] as const

type Call = (typeof PATCHED)[number]
/** The calls that change something. */
export const CHANGES: readonly Call[] = ['mkdir', 'rename', 'rm', 'copyFile', 'writeFile', 'link']

interface StoppedWork {
  step: number
  /** The calls that are steps. */
  calls: readonly Call[]
  /** Called at the step; the work continues when the promise resolves. */
  stop: () => Promise<void>
}
const stoppedWork = new AsyncLocalStorage<StoppedWork>()

/** Lets the tests of a file stop work at its steps. */
export function stopAtSteps(): void {
  beforeFileCalls(PATCHED, async (name) => {
    const work = stoppedWork.getStore()
    if (!work?.calls.includes(name)) return
    // Counted before it stops: a call that the work makes at the same time is another step.
    work.step -= 1
    if (work.step === -1) await stoppedWork.exit(work.stop)
  })
}

/** Runs work until its step, then what happens meanwhile, then the rest of the work. */
export function runStopping<T>(
  step: number,
  meanwhile: () => Promise<void>,
  work: () => Promise<T>,
  calls: readonly Call[] = PATCHED,
): Promise<T> {
  return stoppedWork.run({ step, calls, stop: meanwhile }, work)
}

/** Runs work that is killed at its step: nothing of it happens from then on, also nothing that it would tidy up. */
export async function runKilled(step: number, work: () => Promise<unknown>, calls?: readonly Call[]): Promise<boolean> {
  let kill: () => void = () => undefined
  const killed = new Promise<true>((resolve) => {
    kill = () => resolve(true)
  })
  const forever = new Promise<void>(() => undefined)
  const stopped = runStopping(
    step,
    () => {
      kill()
      return forever
    },
    work,
    calls,
  )
  return Promise.race([killed, stopped.then(() => false)])
}
