import type { Settings } from '../../config/settings.ts'
import type { Source } from '../../config/sources.ts'
import { createBrowser } from '../../pipeline/transport/browser-client.ts'
import { createFetcher } from '../../pipeline/transport/http-client.ts'
import { learnValues } from '../../pipeline/transport/learn-site-values.ts'
import type { Doors } from '../../pipeline/transport/transport.ts'
import { VERSION } from './environment.ts'

/** Opens the two doors into the world, with the same manners, name, contact and clock. */
export function openDoors(settings: Settings, now: () => number = Date.now): Doors & { close: () => Promise<void> } {
  // The simulated world is on this machine: there is no host to spare.
  const paced = (source: Source) => (settings.simulated_world ? { ...source, pace_seconds: 0 } : source)
  const fetcher = createFetcher({
    version: VERSION,
    contact: settings.contact,
    simulated_world: settings.simulated_world ?? null,
    now,
  })
  const browser = createBrowser({ fetcher, chromium_path: settings.chromium_path, now })
  return {
    fetch: (request, source, previous) => fetcher.fetch(request, paced(source), previous),
    openPage: (request, source, recipe) =>
      browser.openPage(request.url, paced(source), {
        wait_for: recipe.wait_for,
        ...(request.timeout_ms === undefined ? {} : { timeout_ms: request.timeout_ms }),
      }),
    learn: (source, recipe) => learnValues(recipe, paced(source), { fetcher, browser }),
    circuits: fetcher.circuits,
    close: browser.close,
  }
}
