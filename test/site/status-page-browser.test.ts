import { expect, test } from 'vitest'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { noChromium } from './chromium.ts'
import { openPage } from './open-page.ts'
import { HEALTH } from './source-health.ts'

const status = (options = {}) => openPage(options, '/status', { health: HEALTH })

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
