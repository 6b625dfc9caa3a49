import { addresses } from '../config/settings.ts'
import type { AccountDependencies } from './accounts/dependencies.ts'
import { buildApp } from './app.ts'
import type { AppDependencies } from './data/dependencies.ts'
import { PERIODIC_TASKS } from './registry.ts'

/** Longest that requests under way are waited for when stopping. */
const DRAIN_MS = 3_500

export interface RunningServer {
  /** Where it listens, e.g. http://127.0.0.1:8080 */
  address: string
  /** Public addresses, as in settings. */
  site_url: string
  /** Takes no new requests, lets those under way finish (for 3.5 s at most), writes usage. May be called twice. */
  stop: () => Promise<void>
}

/** Listens where the settings say. The state and the snapshot holder stay the caller's, to be closed after `stop`. */
export async function startServer(dependencies: AccountDependencies): Promise<RunningServer> {
  const { settings } = dependencies
  const app = await buildApp(dependencies)
  const address = await app.listen({ host: settings.host, port: settings.port })
  const chores = startPeriodicTasks(dependencies)
  let stopping: Promise<void> | null = null
  const stop = async () => {
    const cut = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
    try {
      await chores.stop()
      await app.close()
    } finally {
      clearTimeout(cut)
    }
  }
  return {
    address,
    site_url: addresses(settings).site_url,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}

/** Runs each periodic task at its interval, never twice at the same time. A task that fails is logged and runs again. */
export function startPeriodicTasks(dependencies: AppDependencies): { stop: () => Promise<void> } {
  const { clock = Date.now, logger } = dependencies
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  const timers = PERIODIC_TASKS.map(({ name, every_ms, run }) =>
    setInterval(() => {
      if (running.has(name)) return
      const done = run(dependencies, clock(), stopping.signal)
        .catch((error) =>
          logger?.error({ err: error, task: name }, 'a periodic task failed; it runs again at its next interval'),
        )
        .finally(() => running.delete(name))
      running.set(name, done)
    }, every_ms).unref(),
  )
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer)
      stopping.abort()
      await Promise.all(running.values())
    },
  }
}
