import type { BrowserContextOptions } from 'playwright-core'
import type { Tier } from '../../../config/vocabulary.ts'
import { openHarness } from '../../api/harness.ts'
import { freePort } from '../../free-port.ts'
import { watchedPage } from '../../site/chromium.ts'
import { createSignedInPerson } from '../people/signed-in-person.ts'

/** Opens the app on a port, with a signed-in person whose cookies a page of a real browser has. */
export async function openDashboard(
  tier: Tier,
  options: BrowserContextOptions = {},
  environment: Record<string, string> = {},
) {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const harness = await openHarness({ HOLDSHORT_SITE_URL: address, ...environment })
  await harness.app.listen({ host: '127.0.0.1', port })
  const person = await createSignedInPerson(harness, { tier })
  return { harness, person, address, ...(await watchedPage(address, options, person.cookies)) }
}
