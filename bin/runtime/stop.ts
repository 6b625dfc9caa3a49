import { setTimeout as sleep } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { allowOrderlyStop, endSoon, STOP_LIMIT_MS } from './watch-parent.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
/** Other programs reopen their logs at these. Without a listener one would open the debugger and the other end the process. */
const IGNORED = ['SIGUSR1', 'SIGUSR2'] as const
const ignore = () => undefined
const SUPERVISOR_GONE = 'supervisor gone'
type StopReason = (typeof SIGNALS)[number] | 'SIGHUP' | typeof SUPERVISOR_GONE

/** A stop must be over this long before the hard limit, so that it can end in order. */
const MARGIN_MS = 300

/** Calls back when the parent process is gone, even if it ended before this call. */
function onParentGone(callback: () => void): void {
  if (!process.send) return
  if (process.connected) process.once('disconnect', callback)
  else callback()
}

const STDERR = 2
/** Whether the terminal that the log goes to is gone: nothing can be written to it any more. */
const isTerminalGone = () => process.stderr.isTTY && !isatty(STDERR)

/**
 * Resolves with the reason at the first SIGINT or SIGTERM, or when the supervising parent process is gone. It listens
 * until `ended`. From then on this process is a service, which goes on when nobody can read what it writes. SIGHUP asks for logs to be opened anew, which the access log does; it is a stop only when a terminal was closed.
 */
export function stopRequested(ended?: AbortSignal): Promise<StopReason> {
  process.stdout.removeAllListeners('error').on('error', ignore)
  return new Promise((resolve) => {
    const untilEnded = (event: string, listener: () => void) => {
      ended?.addEventListener('abort', () => process.off(event, listener))
      return listener
    }
    const hangUp = () => {
      if (isTerminalGone()) resolve('SIGHUP')
    }
    for (const signal of SIGNALS) {
      const stop = () => resolve(signal)
      process.once(signal, untilEnded(signal, stop))
    }
    for (const signal of IGNORED) process.on(signal, untilEnded(signal, ignore))
    process.on('SIGHUP', untilEnded('SIGHUP', hangUp))
    // It may have been closed while `holdshort.ts` ignored the signal.
    hangUp()
    onParentGone(untilEnded('disconnect', () => resolve(SUPERVISOR_GONE)))
  })
}

/**
 * Ends this process at once, by the signal it received, so that its exit status says so. `process.exit` would wait for the
 * queries that the engine is still executing.
 */
function endNow(reason: StopReason): void {
  // The kernel does not deliver such signals to the first process of a container.
  if (process.pid === 1) process.exit(0)
  if (reason === SUPERVISOR_GONE) process.kill(process.pid, 'SIGKILL')
  else {
    process.removeAllListeners(reason)
    process.kill(process.pid, reason)
  }
}

/**
 * Runs a service until a stop is requested, then stops it in order within four seconds and the time that it drains. A stop that is requested while the
 * service is still starting ends the process at once: whatever it was doing can be killed at any instant.
 */
export async function runUntilStopped<T>(
  start: () => Promise<T>,
  stop: (service: T, reason: string) => Promise<void>,
  drainMs = 0,
): Promise<void> {
  const failed = new AbortController()
  const stopped = stopRequested(failed.signal)
  const starting = start().catch((error) => {
    failed.abort()
    throw error
  })
  const first = await Promise.race([starting.then((service) => ({ service })), stopped.then((reason) => ({ reason }))])
  if ('reason' in first) {
    endSoon()
    endNow(first.reason)
    // The signal may reach this process a moment later; nothing else must happen until then.
    return sleep(2 * STOP_LIMIT_MS)
  }
  allowOrderlyStop()
  const reason = await stopped
  // Without a supervisor nobody waits for a drain.
  const limitMs = STOP_LIMIT_MS + (reason === SUPERVISOR_GONE ? 0 : drainMs)
  endSoon(limitMs)
  const orderlyStop = stop(first.service, reason).then(() => true)
  const isClean = await Promise.race([orderlyStop, sleep(limitMs - MARGIN_MS, false)])
  if (isClean && reason !== SUPERVISOR_GONE) process.exit(0)
  endNow(reason)
}

/** Does work whose result only the parent process needs: ends at once when the parent is gone. */
export async function endWithParent<T>(work: () => Promise<T>): Promise<T> {
  const end = () => endNow(SUPERVISOR_GONE)
  onParentGone(end)
  try {
    return await work()
  } finally {
    process.off('disconnect', end)
  }
}
