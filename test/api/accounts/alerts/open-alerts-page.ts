import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { deliverMessagesTask, evaluateAlertsTask } from '../../../../api/accounts/alerts/periodic-tasks.ts'
import { readSettings } from '../../../../config/settings.ts'
import { freePort } from '../../../free-port.ts'
import { DIRECTORY } from '../../airport-directory.ts'
import { openHarness } from '../../harness.ts'
import { createSignedInPerson } from '../people/signed-in-person.ts'
import { snapshotOf } from './alert-setup.ts'
import { type FakeBrowser, startFakePushService } from './fake-push-service.ts'

export interface OpenedPage {
  page: Page
  browserProblems: string[]
}

/** The app on a port with a signed-in person, for a real browser. */
export async function startAlertsSite(browser: Browser) {
  const port = await freePort()
  const site = `http://127.0.0.1:${port}`
  const environment = { HOLDSHORT_SITE_URL: site, HOLDSHORT_OUTWARD_ALLOW: '127.0.0.1' }
  const harness = await openHarness(environment)
  const { app, state, controls } = harness
  const person = await createSignedInPerson(harness)
  const phone = (await startFakePushService()).browser('phone')
  await app.listen({ host: '127.0.0.1', port })
  return {
    site,
    harness,
    person,
    phone,
    /** Opens a page of the person in a context of its own, and collects its console messages and errors. */
    async open(
      options: BrowserContextOptions = {},
      prepare: (context: BrowserContext) => Promise<unknown> = async () => undefined,
    ): Promise<OpenedPage> {
      const context = await browser.newContext(options)
      onTestFinished(() => context.close())
      await context.addCookies([...person.cookies].map(([name, value]) => ({ name, value, url: site })))
      await prepare(context)
      const page = await context.newPage()
      const browserProblems: string[] = []
      page.on('console', (message) => browserProblems.push(message.text()))
      page.on('pageerror', (error) => browserProblems.push(error.message))
      page.on('request', (request) => {
        if (!request.url().startsWith(site)) browserProblems.push(`another site: ${request.url()}`)
      })
      await page.goto(`${site}/alerts`)
      return { page, browserProblems }
    },
    /** Publishes a snapshot with this wait at JFK, a minute later, and runs the periodic tasks of alerts. */
    async publish(wait: number) {
      controls.now += 60_000
      controls.snapshot = snapshotOf(controls.now, wait)
      const settings = readSettings(environment)
      const holder = { current: () => controls.snapshot }
      const dependencies = { settings, state, directory: DIRECTORY, holder, clock: () => controls.now }
      await evaluateAlertsTask.run(dependencies, controls.now)
      await deliverMessagesTask.run(dependencies, controls.now)
    },
  }
}

/**
 * Replaces the push service of a browser, which needs a network: subscribing returns the fake browser's endpoint, bound to the
 * key that the page passes.
 */
export function replacePushManager({ subscription }: FakeBrowser): (context: BrowserContext) => Promise<unknown> {
  const script = `{
    const fake = ${JSON.stringify(subscription)}
    const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0)).buffer
    const subscription = () => {
      const key = localStorage.getItem('key')
      return key && {
        ...fake, options: { applicationServerKey: bytes(key) }, toJSON: () => fake,
        unsubscribe: async () => { localStorage.removeItem('key'); return true },
      }
    }
    PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
      if (userVisibleOnly !== true || bytes(applicationServerKey).byteLength !== 65) throw new Error('not as a browser would')
      localStorage.setItem('key', applicationServerKey)
      return subscription()
    }
    PushManager.prototype.getSubscription = async () => subscription()
  }`
  return (context) => context.addInitScript(script)
}
