import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { openHarness } from '../harness.ts'
import { NOW, snapshotAt } from '../world.ts'

const CHROMIUM = process.env.HOLDSHORT_CHROMIUM_PATH ?? '/usr/bin/chromium'
const noChromium = !existsSync(CHROMIUM)

/** A port that was free a moment ago: the page prints its own address, so it must be known before listening. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

/** The start page of a simulated world in a real browser, and everything the browser complained of. */
async function openPage(options: BrowserContextOptions = {}): Promise<{ page: Page; complaints: string[] }> {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const { app, world } = await openHarness({ HOLDSHORT_SITE_URL: address })
  world.snapshot = snapshotAt(NOW, { simulated: true })
  await app.listen({ host: '127.0.0.1', port })
  const flags = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: flags })
  onTestFinished(() => browser.close())
  const page = await (await browser.newContext(options)).newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('requestfailed', (request) => complaints.push(request.url()))
  page.on('request', (request) => {
    if (!request.url().startsWith(address)) complaints.push(`a third party: ${request.url()}`)
  })
  await page.addInitScript(`window.violations = []
    document.addEventListener('securitypolicyviolation', (event) => window.violations.push(event.violatedDirective))`)
  await page.goto(address)
  complaints.push(...((await page.evaluate('window.violations')) as string[]))
  return { page, complaints }
}

test.skipIf(noChromium)('a real browser shows the main content and has nothing to complain of', async () => {
  const { page, complaints } = await openPage()
  await page.getByText('SIMULATED world.').waitFor()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Holdshort')
  expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
    'Get a key',
    'Current security waits',
    'Sources',
    'Tiers',
  ])
  const row = page.getByRole('row', { name: /^JFK/ })
  expect(await row.getByRole('cell').allTextContents()).toEqual([
    '14 min',
    'measured',
    'live2 min old',
    expect.stringContaining('0 to 23 min'),
    'panynj',
  ])
  expect(await row.getByRole('img', { name: /^Next 24 hours: least 0 min/ }).boundingBox()).toMatchObject({
    width: 144,
  })
  // The style was let through: without it the band would be black.
  const band = await page.evaluate(`getComputedStyle(document.querySelector('polygon')).fill`)
  expect(band).toBe('rgb(196, 220, 245)')
  for (const link of await page.getByRole('navigation').getByRole('link').all()) {
    const href = (await link.getAttribute('href'))!
    if (href.startsWith('#')) expect(await page.locator(href).count(), href).toBe(1)
    else expect((await page.request.get(new URL(href, page.url()).href)).status(), href).toBe(200)
  }
  expect(complaints).toEqual([])
})

test.skipIf(noChromium)('the keyboard reaches everything, the first stop being the way past the head', async () => {
  const { page } = await openPage()
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to the current waits' })
  expect(await page.evaluate('document.activeElement.textContent')).toBe(await skip.textContent())
  expect((await skip.boundingBox())!.x).toBeGreaterThanOrEqual(0)
  await page.keyboard.press('Enter')
  expect(new URL(page.url()).hash).toBe('#waits')
  for (const region of await page.locator('.scroll').all()) {
    expect(await region.getAttribute('aria-label')).toBeTruthy()
    expect(await region.getAttribute('tabindex')).toBe('0')
  }
})

test.skipIf(noChromium)('a phone scrolls tables, not the page; dark is dark', async () => {
  const { page } = await openPage({ viewport: { width: 380, height: 800 }, colorScheme: 'dark' })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(380)
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(20, 23, 27)')
})

test.skipIf(noChromium || !existsSync('/usr/bin/curl'))('the commands on the page work as pasted', async () => {
  const { page } = await openPage()
  const commands = (await page.locator('pre').textContent())!
  const { stdout } = await promisify(execFile)('sh', ['-c', commands])
  const [key, answer] = stdout.trim().split('\n')
  expect(key).toMatch(/^hs_agent_[0-9A-Za-z]{36}$/)
  expect(JSON.parse(answer!)).toMatchObject({ airport: 'JFK', status: 'ground_delay', simulated: true })
})
