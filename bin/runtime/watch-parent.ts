import { Worker } from 'node:worker_threads'

/** The variable in which a process of this program tells the processes that it starts its own id. */
export const SUPERVISOR_PID = 'SUPERVISOR_PID'

/** A process ends at most this long after a stop was requested. */
export const STOP_LIMIT_MS = 4_000
/** The same after its parent is gone, while a service is running; at any other time it ends at once. */
const ORPHAN_LIMIT_MS = 3_000
const POLL_MS = 250

/** The time that the thread leaves a process whose parent is gone, in milliseconds. */
const orphanLimit = new Int32Array(new SharedArrayBuffer(4))

/**
 * Runs in a thread of its own, because native code and training can block the main thread. It ends the process by a
 * signal that nothing can delay: `process.exit` waits for the queries that the engine is still executing.
 */
const THREAD = `
const { workerData: { parent, limit, pollMs } } = require('node:worker_threads')
const end = () => setTimeout(() => process.kill(process.pid, 'SIGKILL'), limit[0])
if (parent === null) end()
else {
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, pollMs)
}`

function runThread(parent: number | null, limit: Int32Array): void {
  const workerData = { parent, limit, pollMs: POLL_MS }
  try {
    const thread = new Worker(THREAD, { eval: true, workerData, execArgv: [] })
    // A process without this thread still ends by its own means.
    thread.on('error', () => undefined)
    thread.unref()
  } catch {
    // The system has no thread left. The main thread does it when nothing blocks it.
    if (parent === null) setTimeout(() => process.kill(process.pid, 'SIGKILL'), limit[0]).unref()
  }
}

/** Ends this process when the process of this program that started it is gone; without effect in any other process. */
export function watchParent(): void {
  const parent = Number(process.env[SUPERVISOR_PID])
  if (process.send && parent > 0) runThread(parent, orphanLimit)
}

/** From now on, a process whose parent is gone has the time to stop its service in order. */
export function allowOrderlyStop(): void {
  orphanLimit[0] = ORPHAN_LIMIT_MS
}

/** Ends this process after at most four seconds, or another time, whatever it is doing. */
export const endSoon = (limitMs = STOP_LIMIT_MS): void => runThread(null, Int32Array.of(limitMs))
