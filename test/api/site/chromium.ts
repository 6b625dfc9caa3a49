import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'

const CHROMIUM = process.env.HOLDSHORT_CHROMIUM_PATH ?? '/usr/bin/chromium'
/** Whether this machine has no browser; tests that need one skip then. */
export const noChromium = !existsSync(CHROMIUM)

/** A real browser; tests of a file share one where they can, as it takes a second to start. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })

/**
 * Expects nothing on a page that assistive technology would stumble over; its context must bypass the policy of pages, which
 * lets no tests in.
 */
export async function expectAccessible(page: Page, name?: string): Promise<void> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run({ preload: false })')) as {
    violations: { id: string; nodes: { html: string }[] }[]
  }
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    name,
  ).toEqual([])
}
