import { createServer } from 'node:net'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { type Harness, openHarness } from '../../harness.ts'

/** The app listening at localhost, the only plain http address that can have passkeys. */
export async function listenOnLocalhost(
  environment: Record<string, string> = {},
): Promise<Harness & { site_url: string }> {
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

/** Opens a page in a context of its own, and collects its console messages and errors. */
export async function openPage(
  browser: Browser,
  site_url: string,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; page: Page; browserProblems: string[] }> {
  const context = await browser.newContext({ baseURL: site_url, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(8_000)
  const browserProblems: string[] = []
  page.on('console', (message) => browserProblems.push(`${page.url()}: ${message.text()}`))
  page.on('pageerror', (error) => browserProblems.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(site_url)) browserProblems.push(`a third party: ${request.url()}`)
  })
  return { context, page, browserProblems }
}

/** Adds a virtual authenticator to a page; it confirms every request at once. */
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
