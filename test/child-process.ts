import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/**
 * Ends a process when the test ends, and waits until it is gone: a process that still writes would refill the folder that the
 * test removes next.
 */
export function endWithTest(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  })
}
