import { fstatSync, writeSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

/** The variable in which a process of this program gives its own id to the processes that it starts. */
export const SUPERVISOR_PID = 'SUPERVISOR_PID'
/** The descriptor, after that of messages, on which such a process writes its signs of life. */
export const LIFE_FD = 4

/** A process ends at most this long after a stop was requested. */
export const STOP_LIMIT_MS = 4_000
/** The same after its parent is gone, while a service is running; at any other time it ends at once. */
const ORPHAN_LIMIT_MS = 3_000
const POLL_MS = 250
/** How often a process gives a sign of life. */
export const BEAT_MS = 2_000
/** A process whose event loop does not turn lives as long as it computes: it uses this part of a processor at least. */
const MIN_PROCESSOR_SHARE = 0.01

/** Values shared by the main thread and the thread below: the time that it leaves a process whose parent is gone, how often the event loop has turned, and whether only that is life. */
const LIMIT = 0
const TURNS = 1
const IS_SERVING = 2
const shared = new Int32Array(new SharedArrayBuffer(12))

/**
 * Runs in a thread of its own, because native code and training can block the main thread. It ends the process by a
 * signal that nothing can delay: `process.exit` waits for the queries that the engine is still executing.
 * It gives the signs of life too, while there is a reason for one: a training blocks the main thread for minutes and computes
 * all the time, while a service whose event loop has stopped serves nobody, whatever it computes.
 */
const THREAD = `
const { workerData: { parent, shared, pollMs, beatMs, lifeFd, minShare } } = require('node:worker_threads')
const { writeSync } = require('node:fs')
const end = () => setTimeout(() => process.kill(process.pid, 'SIGKILL'), shared[${LIMIT}])
const processorMs = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }
if (parent === null) end()
else {
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, pollMs)
  let turns = -1
  let used = 0
  if (lifeFd !== null) setInterval(() => {
    const now = Atomics.load(shared, ${TURNS})
    const usedNow = processorMs()
    const isAlive = now !== turns || (shared[${IS_SERVING}] === 0 && usedNow - used > beatMs * minShare)
    turns = now
    used = usedNow
    try { if (isAlive) writeSync(lifeFd, '.') } catch {}
  }, beatMs)
}`

function runThread(parent: number | null, memory: Int32Array, lifeFd: number | null = null): void {
  const workerData = { parent, shared: memory, pollMs: POLL_MS, beatMs: BEAT_MS, lifeFd, minShare: MIN_PROCESSOR_SHARE }
  const withoutThread = () => {
    // The system has no thread left. The main thread does it when nothing blocks it.
    if (parent === null) setTimeout(() => process.kill(process.pid, 'SIGKILL'), memory[LIMIT]).unref()
    if (lifeFd !== null) setInterval(giveSign, BEAT_MS, lifeFd).unref()
  }
  try {
    const thread = new Worker(THREAD, { eval: true, workerData, execArgv: [] })
    // A process without this thread still ends by its own means.
    thread.on('error', withoutThread)
    thread.unref()
  } catch {
    withoutThread()
  }
}

function giveSign(lifeFd: number): void {
  try {
    writeSync(lifeFd, '.')
  } catch {
    // Nobody listens any more.
  }
}

/** The descriptor of signs of life, if the parent has made one: any other file there is not ours. */
function lifeFdOf(): number | null {
  try {
    const found = fstatSync(LIFE_FD)
    return found.isSocket() || found.isFIFO() ? LIFE_FD : null
  } catch {
    return null
  }
}

/**
 * Ends this process when the process of this program that started it is gone, and gives that process signs of life; without effect in
 * any other process.
 */
export function watchParent(): void {
  const parent = Number(process.env[SUPERVISOR_PID])
  if (!process.send || !(parent > 0)) return
  setInterval(() => Atomics.add(shared, TURNS, 1), BEAT_MS / 2).unref()
  // The variable is inherited by what a child starts, and the descriptor is not.
  runThread(parent, shared, parent === process.ppid ? lifeFdOf() : null)
}

/** From now on this process is a service: it has the time to stop in order when its parent is gone, and lives while its event loop turns. */
export function allowOrderlyStop(): void {
  shared[LIMIT] = ORPHAN_LIMIT_MS
  shared[IS_SERVING] = 1
}

/** Ends this process after at most four seconds, or another time, whatever it is doing. */
export const endSoon = (limitMs = STOP_LIMIT_MS): void => runThread(null, Int32Array.of(limitMs))
