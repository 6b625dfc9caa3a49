import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { Tier } from '../../../../config/domain.ts'
import { freePort } from '../../../free-port.ts'
import { type Harness, openHarness } from '../../harness.ts'
import { createSignedInPerson, type SignedInPerson } from '../people/signed-in-person.ts'

/** Opens the app on a port, with a signed-in person whose cookies a page of a real browser has. */
export async function openDashboard(
  browser: Browser,
  tier: Tier,
  options: BrowserContextOptions = {},
  environment: Record<string, string> = {},
): Promise<{ page: Page; harness: Harness; person: SignedInPerson; address: string; browserProblems: string[] }> {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const harness = await openHarness({ HOLDSHORT_SITE_URL: address, ...environment })
  await harness.app.listen({ host: '127.0.0.1', port })
  const person = await createSignedInPerson(harness, { tier })
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  await context.addCookies([...person.cookies].map(([name, value]) => ({ name, value, url: address })))
  const page = await context.newPage()
  const browserProblems: string[] = []
  page.on('console', (message) => browserProblems.push(message.text()))
  page.on('pageerror', (error) => browserProblems.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(address)) browserProblems.push(`a third party: ${request.url()}`)
  })
  return { page, harness, person, address, browserProblems }
}
