import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { connectBrowser } from '../../../accounts/alerts/connected-browsers.ts'
import { deliverMessagesTask, evaluateAlertsTask } from '../../../accounts/alerts/periodic-tasks.ts'
import { readSettings } from '../../../config/settings.ts'
import { DIRECTORY } from '../../api/airport-directory.ts'
import { openListening } from '../../api/harness.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { expectUsable, noChromium, watchedPage } from '../../site/chromium.ts'
import { createSignedInPerson } from '../people/signed-in-person.ts'
import { OWNER, snapshotOf } from './alert-setup.ts'
import { type FakeBrowser, startFakePushService } from './fake-push-service.ts'

/** The app on a port with a signed-in person, for a real browser. */
async function startAlertsSite() {
  const { harness, address: site } = await openListening({ HOLDSHORT_OUTWARD_ALLOW: '127.0.0.1' })
  const { state, controls } = harness
  const person = await createSignedInPerson(harness)
  const phone = (await startFakePushService()).browser('phone')
  return {
    site,
    harness,
    person,
    phone,
    /** Opens a page of the person in a context of its own, and collects its console messages and errors. */
    async open(
      options: BrowserContextOptions = {},
      prepare: (context: BrowserContext) => Promise<unknown> = async () => undefined,
    ) {
      const { context, page, browserProblems } = await watchedPage(site, options, person.cookies)
      await prepare(context)
      await page.goto(`${site}/alerts`)
      return { page, browserProblems }
    },
    /** Publishes a snapshot with this wait at JFK, a minute later, and runs the periodic tasks of alerts. */
    async publish(wait: number) {
      controls.now += 60_000
      controls.snapshot = snapshotOf(controls.now, wait)
      const settings = readSettings({ HOLDSHORT_SITE_URL: site, HOLDSHORT_OUTWARD_ALLOW: '127.0.0.1' })
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
function replacePushManager({ subscription }: FakeBrowser): (context: BrowserContext) => Promise<unknown> {
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

/** Delivers a push message to the real service worker, as the push service would. */
async function deliverPush(page: Page, site: string, message: unknown): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL === `${site}/`)
      if (own) resolve(own.registrationId)
    }),
  )
  await session.send('ServiceWorker.enable')
  const data = typeof message === 'string' ? message : JSON.stringify(message)
  await session.send('ServiceWorker.deliverPushMessage', { origin: site, registrationId: await registered, data })
}

interface Shown {
  title: string
  body: string
  tag: string
  url: string
}
async function shownNotifications(page: Page): Promise<Shown[]> {
  const read = `navigator.serviceWorker.ready.then((registration) => registration.getNotifications()).then((all) =>
    all.map(({ title, body, tag, data }) => ({ title, body, tag, url: data.url })))`
  return (await page.evaluate(read)) as Shown[]
}

/**
 * Delivers push messages until `count` notifications are shown. Chromium drops a message that arrives while the service
 * worker of the page is still being started; a real push service delivers again, and the tag replaces what is shown.
 */
async function deliverUntilShown(page: Page, site: string, messages: unknown[], count: number): Promise<Shown[]> {
  await page.evaluate(
    `navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated' || new Promise((resolve) =>
      active.addEventListener('statechange', () => active.state === 'activated' && resolve(true))))`,
  )
  let all: Shown[] = []
  const deliver = async () => {
    for (const message of messages) await deliverPush(page, site, message)
    await expect
      .poll(
        async () => {
          all = await shownNotifications(page)
          return all.length
        },
        { timeout: 5_000, message: `${count} notifications` },
      )
      .toBeGreaterThanOrEqual(count)
  }
  await vi.waitFor(deliver, { timeout: 40_000, interval: 100 })
  return all
}

test.runIf(EXHAUSTIVE && !noChromium)(
  'connects a real browser and shows a notification in it',
  async () => {
    const { site, open, phone, publish, harness } = await startAlertsSite()
    const { page, browserProblems } = await open({}, async (context) => {
      await context.grantPermissions(['notifications'], { origin: site })
      await replacePushManager(phone)(context)
    })
    await page.getByLabel('Name of this browser').fill('My phone')
    await page.getByRole('button', { name: 'Connect this browser' }).click()
    await page.waitForURL('**/alerts?said=connected*')
    await page.getByRole('row', { name: /^My phone this browser/ }).waitFor()
    expect(await page.getByRole('button', { name: 'Connect this browser' }).isVisible()).toBe(false)

    await page.getByLabel('Airport').fill('jfk')
    await page.getByLabel('Tell me when').selectOption('above')
    await page.getByLabel('Minutes').fill('30')
    await page.getByRole('button', { name: 'Tell me' }).click()
    await page.getByText('The alert is armed.').waitFor()
    await publish(42)
    expect(phone.errors).toEqual([])
    expect(phone.messages).toHaveLength(1)
    expect(await deliverUntilShown(page, site, [phone.messages[0]], 1)).toEqual([
      {
        title: 'JFK security: 42 min (above your 30)',
        body: 'T4 only. Measured by an import of the operator (panynj) 2 min ago, at 9:19\u00a0am local time.',
        tag: phone.messages[0]!.tag,
        url: `${site}/alerts`,
      },
    ])
    // A repeated message, as after a retried delivery, replaces the first; a message that cannot be read is shown too.
    const repeatedAndUnreadable = [phone.messages[0], { title: 'x', url: 'https://evil.example/' }, 'not json']
    const all = await deliverUntilShown(page, site, repeatedAndUnreadable, 2)
    expect(all.map(({ url }) => url)).toEqual([`${site}/alerts`, `${site}/alerts`])

    await page.getByRole('button', { name: 'Send a test to My phone' }).click()
    await page.getByText('The push service has accepted the test.').waitFor()
    expect(phone.messages).toHaveLength(2)
    await page.getByRole('button', { name: 'Disconnect My phone' }).click()
    await page.getByText('The browser is disconnected.').waitFor()
    expect(await page.evaluate('localStorage.length')).toBe(0)
    await page.getByRole('button', { name: 'Connect this browser' }).waitFor()
    expect(await harness.state.db.selectFrom('push_subscriptions').select('id').execute()).toEqual([])
    expect(browserProblems).toEqual([])
  },
  120_000,
)

test.runIf(EXHAUSTIVE && !noChromium)(
  'axe finds no fault, in dark and light, on a phone and by keyboard',
  async () => {
    const { open, person, phone, harness, publish } = await startAlertsSite()
    const fields = { direction: 'above', threshold_minutes: '30', days: '30' }
    const quiet = { quiet_from: '22:00', quiet_to: '06:00' }
    await person.post('/alerts/create', { ...fields, ...quiet, airport: 'JFK' }, '/alerts')
    await person.post('/alerts/create', { ...fields, airport: 'DEL', terminal: 'Terminal 3' }, '/alerts')
    const { endpoint, keys } = phone.subscription
    const label = 'Chrome on Android'
    await connectBrowser(harness.state, person.account_id, { endpoint, keys, label }, OWNER, harness.controls.now)
    await publish(42)

    const { page } = await open({ bypassCSP: true, viewport: { width: 380, height: 800 } })
    await page.getByRole('button', { name: 'Connect this browser' }).waitFor()
    // Every button is visible on a phone too.
    for (const name of ['Send a test to Chrome on Android', 'Disconnect Chrome on Android', 'Remove JFK over 30 min']) {
      const { x, width } = (await page.getByRole('button', { name }).boundingBox())!
      expect(x + width, name).toBeLessThanOrEqual(380)
    }
    await expectUsable(page, 'alerts')
    await page.getByLabel('Airport').fill('Nowhere')
    await page.getByRole('button', { name: 'Tell me' }).click()
    await page.getByText('Airport: no airport has this code or name.').waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('airport')

    const wide = await open({ bypassCSP: true })
    await expectUsable(wide.page, 'alerts-wide')
    const focused = new Set<unknown>()
    for (let k = 0; k < 60; k++) {
      await wide.page.keyboard.press('Tab')
      focused.add(await wide.page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent'))
    }
    for (const name of ['Connect this browser', `Send a test to ${label}`, 'Remove JFK over 30 min', 'Tell me'])
      expect(focused).toContain(name)
  },
  60_000,
)

test.runIf(EXHAUSTIVE && !noChromium)(
  'the page says why a browser cannot be connected',
  async () => {
    const { open } = await startAlertsSite()
    const says = async (text: string, script: string, options = {}) => {
      const { page } = await open(options, (context) => context.addInitScript(script))
      await page.getByText(text).waitFor()
      expect(await page.getByRole('button', { name: 'Connect this browser' }).isVisible(), text).toBe(false)
    }
    const iPhone = { userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1' }
    await says('Add to Home Screen', 'delete window.PushManager', iPhone)
    await says('This browser does not support push messages.', 'delete window.PushManager')
    await says('Push messages need https', `Object.defineProperty(window, 'isSecureContext', { value: false })`)
    const { page: scriptless } = await open({ javaScriptEnabled: false })
    expect(await scriptless.locator('noscript p').boundingBox()).toBeTruthy()
    expect(await scriptless.getByRole('button', { name: 'Connect this browser' }).isVisible()).toBe(false)
    // A headless browser denies the permission without asking.
    const { page } = await open()
    await page.getByRole('button', { name: 'Connect this browser' }).click()
    await page.getByText('Notifications of this site are blocked').waitFor()
  },
  60_000,
)

test.runIf(EXHAUSTIVE && !noChromium)(
  'an alert is created and removed with the keyboard alone, and without script',
  async () => {
    const { open, harness } = await startAlertsSite()
    const alerts = () => harness.state.db.selectFrom('alerts').select('id').execute()
    for (const javaScriptEnabled of [true, false]) {
      const { page, browserProblems } = await open({ javaScriptEnabled, viewport: { width: 390, height: 800 } })
      await page.getByLabel('Airport').focus()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type('JFK')
      await page.getByLabel('Minutes').focus()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type('25')
      await page.keyboard.press('Enter')
      await page.getByText('The alert is armed, but no browser is connected yet').waitFor()
      expect(await alerts(), `script: ${javaScriptEnabled}`).toHaveLength(1)
      await page.getByRole('button', { name: 'Remove JFK under 25 min' }).focus()
      await page.keyboard.press('Enter')
      await page.getByText('The alert is removed.').waitFor()
      expect(await alerts(), `script: ${javaScriptEnabled}`).toEqual([])
      expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0)
      expect(browserProblems).toEqual([])
    }
  },
  60_000,
)
