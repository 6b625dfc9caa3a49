import { createServer } from 'node:net'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { type Harness, openHarness } from '../../harness.ts'

/** The app listening under the name localhost, the one plain http address that can have passkeys. */
export async function listenLocally(environment: Record<string, string> = {}): Promise<Harness & { site_url: string }> {
  const port = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, 'localhost', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
  const site_url = `http://localhost:${port}`
  const harness = await openHarness({ HOLDSHORT_SITE_URL: site_url, ...environment })
  await harness.app.listen({ host: 'localhost', port })
  return { ...harness, site_url }
}

/** A page in a browser of its own, and everything that it complained of. */
export async function openContext(
  browser: Browser,
  site_url: string,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> {
  const context = await browser.newContext({ baseURL: site_url, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(8_000)
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(`${page.url()}: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(site_url)) complaints.push(`a third party: ${request.url()}`)
  })
  return { context, page, complaints }
}

/** Gives a page a device with passkeys, that its owner unlocks at once. */
export async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
