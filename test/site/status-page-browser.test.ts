import { expect, test } from 'vitest'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { noChromium } from './chromium.ts'
import { openPage } from './open-page.ts'
import { HEALTH } from './source-health.ts'

const status = (options = {}) => openPage(options, '/status', { health: HEALTH })

test.runIf(EXHAUSTIVE && !noChromium)(
  'the keyboard skips the header and reaches the states, and every source stands on the page',
  async () => {
    const { page } = await status()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    await page.waitForURL(/#main$/)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.hash')).toMatch(/^#\w+$/)
    expect(await page.getByText('Los Angeles checkpoint waits').isVisible()).toBe(true)
  },
)
