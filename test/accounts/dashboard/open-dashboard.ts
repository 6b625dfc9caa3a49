import type { BrowserContextOptions } from 'playwright-core'
import type { Tier } from '../../../config/vocabulary.ts'
import { openListening } from '../../api/harness.ts'
import { watchedPage } from '../../site/chromium.ts'
import { createSignedInPerson } from '../people/signed-in-person.ts'

/** Opens the app on a port, with a signed-in person whose cookies a page of a real browser has. */
export async function openDashboard(
  tier: Tier,
  options: BrowserContextOptions = {},
  environment: Record<string, string> = {},
) {
  const { harness, address } = await openListening(environment)
  const person = await createSignedInPerson(harness, { tier })
  return { harness, person, address, ...(await watchedPage(address, options, person.cookies)) }
}
