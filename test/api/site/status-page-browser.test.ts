import { expect, test } from 'vitest'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { noChromium } from './chromium.ts'
import { openPage } from './open-page.ts'
import { HEALTH } from './source-health.ts'

const status = (options = {}) => openPage(options, '/status', { health: HEALTH })

test.runIf(EXHAUSTIVE && !noChromium)(
  'a real browser shows the page without console messages or policy violations',
  async () => {
    const { page, browserProblems } = await status()
    await page.getByText('SIMULATED world.').waitFor()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Status')
    expect(await page.getByRole('status').textContent()).toContain('Only 2 of 5 sources requested so far are healthy.')
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'Paused after failures 1',
      'Failing 1',
      'Degraded 1',
      'Not requested yet 1',
      'Healthy 2',
      'Switched off 1',
      'Last incidents',
      'How to read this',
    ])
    const failing = page.getByRole('region', { name: 'Failing' })
    expect(await failing.getByText('The last run failed: the site could not be reached.').isVisible()).toBe(true)
    expect(await failing.getByText('99.9 % answered').isVisible()).toBe(true)
    // The policy allowed the style: without it the square would be black.
    expect(await page.evaluate(`getComputedStyle(document.querySelector('#failing rect.bad')).fill`)).not.toBe(
      'rgb(0, 0, 0)',
    )
    for (const link of await page.getByRole('navigation', { name: 'Sources by state' }).getByRole('link').all())
      expect(await page.locator((await link.getAttribute('href'))!).count()).toBe(1)
    for (const link of await page.locator('a[href^="/"]').all()) {
      const href = (await link.getAttribute('href'))!
      expect((await page.request.get(new URL(href, page.url()).href)).status(), href).toBe(200)
    }
    expect(browserProblems).toEqual([])
  },
)

test.runIf(EXHAUSTIVE && !noChromium)(
  'the keyboard skips the header, reaches the states and opens the list of switched-off sources',
  async () => {
    const { page } = await status()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    await page.waitForURL(/#main$/)
    const off = page.getByText('Los Angeles checkpoint waits')
    expect(await off.isVisible()).toBe(false)
    await page.getByText('Show 1, with the reasons').focus()
    await page.keyboard.press('Enter')
    expect(await off.isVisible()).toBe(true)
  },
)
