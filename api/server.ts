import { addresses } from '../config/settings.ts'
import type { AccountDependencies } from './accounts/dependencies.ts'
import { buildApp } from './app.ts'
import type { AppDependencies } from './data/dependencies.ts'
import { nameIndexOf } from './data/search/name-index.ts'
import { PERIODIC_TASKS } from './registry.ts'

/** Time that requests in progress get to finish when the server stops. */
const DRAIN_TIMEOUT_MS = 3_500

export interface RunningServer {
  /** The address on which it listens, e.g. http://127.0.0.1:8080 */
  address: string
  /** The public address, from the settings. */
  site_url: string
  /** Accepts no new requests, lets those in progress finish (up to 3.5 s) and writes usage. May be called twice. */
  stop: () => Promise<void>
}

/** Listens on the address in the settings. The caller closes the state and the snapshot holder after `stop`. */
export async function startServer(dependencies: AccountDependencies): Promise<RunningServer> {
  const { settings } = dependencies
  const app = await buildApp(dependencies)
  // Reading and indexing the names takes half a second, in which nobody would be answered.
  nameIndexOf(dependencies.directory)
  const address = await app.listen({ host: settings.host, port: settings.port })
  const periodicTasks = startPeriodicTasks(dependencies)
  let stopping: Promise<void> | null = null
  const stop = async () => {
    const timer = setTimeout(() => app.server.closeAllConnections(), DRAIN_TIMEOUT_MS)
    try {
      await periodicTasks.stop()
      await app.close()
    } finally {
      clearTimeout(timer)
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
