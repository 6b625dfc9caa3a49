import type { Settings } from '../../config/settings.ts'
import type { Source } from '../../config/sources.ts'
import type { SharedHostQueues } from '../../jobs/redis/shared-host-queues.ts'
import { createBrowserClient } from '../../pipeline/transport/browser-client.ts'
import type { AcquireHost } from '../../pipeline/transport/host-queues.ts'
import { createHttpClient } from '../../pipeline/transport/http-client.ts'
import { learnSiteKeys } from '../../pipeline/transport/learn-site-keys.ts'
import type { Transport } from '../../pipeline/transport/transport.ts'
import type { Log } from './log.ts'
import { VERSION } from './version.ts'

/** Opens the HTTP client and the browser client of an installation, with the same User-Agent, contact, pace and clock. */
export function openTransport(
  settings: Settings,
  now: () => number = Date.now,
  log?: Log,
): Transport & { close: () => Promise<void> } {
  // The simulated world runs on this machine: its requests need no pace.
  const paced = (source: Source) => (settings.simulated_world ? { ...source, pace_seconds: 0 } : source)
  const queues = settings.redis_url === undefined ? null : hostQueuesOverRedis(settings.redis_url)
  const http = createHttpClient({
    acquireHost: queues?.acquire,
    version: VERSION,
    contact: settings.contact,
    simulated_world: settings.simulated_world ?? null,
    allowed_networks: settings.outward_allow,
    now,
  })
  const browser = createBrowserClient({
    http,
    chromium_path: settings.chromium_path,
    now,
    onUnsandboxed: (reason) => log?.warn({ reason }, 'pages are opened without the sandbox of the browser'),
  })
  return {
    fetch: (request, source, previous) => http.fetch(request, paced(source), previous),
    openPage: (request, source, recipe) =>
      browser.openPage(request.url, paced(source), {
        wait_for: recipe.wait_for,
        ...(request.timeout_ms === undefined ? {} : { timeout_ms: request.timeout_ms }),
      }),
    learn: (source, recipe) => learnSiteKeys(recipe, paced(source), { http, browser }),
    circuits: http.circuits,
    close: async () => {
      await browser.close()
      await queues?.close()
    },
  }
}

/** Shares the pace of hosts with other machines. The packages for Redis are loaded with the first request. */
function hostQueuesOverRedis(redis_url: string): { acquire: AcquireHost; close: () => Promise<void> } {
  let opened: Promise<SharedHostQueues> | null = null
  const open = () => {
    opened ??= import('../../jobs/redis/shared-host-queues.ts').then(({ openSharedHostQueues }) =>
      openSharedHostQueues({ redis_url }),
    )
    return opened
  }
  return {
    acquire: async (host, pace_ms, within_ms) => (await open()).acquire(host, pace_ms, within_ms),
    close: async () => (await opened)?.close(),
  }
}
