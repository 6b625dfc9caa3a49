import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { EXHAUSTIVE } from '../../exhaustive.ts'

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
