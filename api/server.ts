import { addresses } from '../config/settings.ts'
import type { AccountDependencies } from './accounts/dependencies.ts'
import { buildApp } from './app.ts'
import { startPeriodicTasks } from './start-periodic-tasks.ts'

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
