import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from '../../config/settings.ts'
import type { Log } from './log.ts'
import { isUnreachable, openSession } from './member-session.ts'

/** Pause before a pipeline that lost the lead, or its store, begins anew. */
const RESTART_MS = 1_000

export interface Member {
  /** Rejects with an error that trying again does not mend. */
  failed: Promise<never>
  stop: () => Promise<void>
}

/**
 * Runs a pipeline as one of several. Every one reads the tables of all and, with Redis, collects sources; one of them leads: it alone
 * lands, forecasts, trains and publishes. A leader that loses the lead begins anew as a follower.
 */
export async function startMember(settings: Settings, log: Log): Promise<Member> {
  const stopping = new AbortController()
  let session = await whenReachable(log, () => openSession(settings, log))
  let fail: (error: unknown) => void = () => undefined
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject
  })
  failed.catch(() => undefined)
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const reason = await Promise.race([session.ended, aborted(stopping.signal)])
      await session.close()
      if (reason === null) return
      log.warn({ reason: reason.message }, 'this pipeline begins anew as a follower')
      await sleep(RESTART_MS)
      if (stopping.signal.aborted) return
      session = await whenReachable(log, () => openSession(settings, log), stopping.signal)
    }
  })()
  running.catch(fail)
  return {
    failed,
    stop: async () => {
      stopping.abort()
      await running.catch(() => undefined)
    },
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }))

/** Repeats work while the store cannot be reached. */
async function whenReachable<T>(log: Log, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let isReported = false; ; ) {
    try {
      return await work()
    } catch (error) {
      if (!isUnreachable(error) || signal?.aborted) throw error
      if (!isReported) log.error({ error: (error as Error).message }, 'the stores cannot be reached; waiting for them')
      isReported = true
      await sleep(RESTART_MS)
    }
  }
}
