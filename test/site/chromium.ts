import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect, inject, onTestFinished } from 'vitest'
import { EXHAUSTIVE } from '../exhaustive.ts'

const CHROMIUM = process.env.HOLDSHORT_CHROMIUM_PATH ?? '/usr/bin/chromium'
/** Whether this machine has no browser; tests that need one skip then. */
export const noChromium = !existsSync(CHROMIUM)

/** Connects to the one browser of the test run. Closing the connection closes its contexts and leaves the browser running. */
export function launchBrowser(): Promise<Browser> {
  const address = inject('chromium')
  if (address === null) throw new Error('no Chromium is installed')
  return chromium.connect(address)
}

/**
 * A page of a browser of its own, which is closed with the test, at an address of the test. Console messages, errors and requests to
 * other sites are its problems.
 */
export async function watchedPage(
  address: string,
  options: BrowserContextOptions = {},
  cookies: Iterable<[name: string, value: string]> = [],
) {
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const context = await browser.newContext({ baseURL: address, ...options })
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: address })))
  const page = await context.newPage()
  const browserProblems: string[] = []
  page.on('console', (message) => browserProblems.push(`${page.url()}: ${message.text()}`))
  page.on('pageerror', (error) => browserProblems.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(address) && !request.url().startsWith('blob:'))
      browserProblems.push(`a third party: ${request.url()}`)
  })
  return { context, page, browserProblems }
}

/**
 * Expects that axe finds no accessibility fault on a page. The context must bypass the content security policy, which blocks
 * injected scripts. Everyday runs leave out the repeated look at the contrast in dark colours.
 */
export async function expectAccessible(
  page: Page,
  name?: string,
  rules: 'all' | 'color-contrast' = 'all',
): Promise<void> {
  if (rules === 'color-contrast' && !EXHAUSTIVE) return
  await page.evaluate(axe.source)
  const options = rules === 'all' ? { preload: false } : { preload: false, runOnly: [rules] }
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as {
    violations: { id: string; nodes: { html: string }[] }[]
  }
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    name,
  ).toEqual([])
}

/** A folder for pictures; none are taken when it is not set. */
const PICTURES = process.env['PICTURES']
const BACKGROUNDS = { light: 'rgb(251, 251, 248)', dark: 'rgb(18, 20, 22)' }

/** Expects that nothing of a page scrolls sideways and that axe finds no fault, in light and dark; takes a picture of each. */
export async function expectUsable(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // Only the contrast depends on the colours.
    await expectAccessible(page, `${name}, ${colorScheme}`, colorScheme === 'light' ? 'all' : 'color-contrast')
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor'), name).toBe(BACKGROUNDS[colorScheme])
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}-${colorScheme}.png`, fullPage: true })
  }
  expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBe(page.viewportSize()!.width)
}
