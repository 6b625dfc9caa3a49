import { existsSync, mkdirSync } from 'node:fs'
import type { BrowserContextOptions } from 'playwright-core'
import { expect, test } from 'vitest'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { expectAccessible, noChromium, watchedPage } from '../../site/chromium.ts'
import { openBilling } from './billing-setup.ts'

const SHOTS = process.env.SCREENSHOTS_TO

test.runIf(EXHAUSTIVE && !noChromium)(
  'plans in a real browser: phone and desktop, light and dark, without accessibility faults',
  async () => {
    const billing = await openBilling()
    const { stripe, deliverAll, app } = billing
    const ada = await billing.createPerson()
    const ben = await billing.createPerson()
    const { id } = await billing.buy(ben, 'pro')
    stripe.change(id, { status: 'past_due', cancel_at_period_end: true })
    await deliverAll()
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const open = async (path: string, cookies: Map<string, string> | null, options: BrowserContextOptions) => {
      const { page } = await watchedPage(address, { ...options, bypassCSP: true }, cookies ?? [])
      await page.goto(path)
      return page
    }
    const phone = { viewport: { width: 380, height: 800 }, colorScheme: 'dark' } as const
    const desktop = { viewport: { width: 1200, height: 900 }, colorScheme: 'light' } as const
    const shots = [
      ['stranger-phone', '/plans', null, phone],
      ['free-desktop', '/plans', ada.cookies, desktop],
      ['late-phone', '/plans', ben.cookies, phone],
    ] as const
    if (SHOTS && !existsSync(SHOTS)) mkdirSync(SHOTS)
    for (const [name, path, cookies, options] of shots) {
      const page = await open(path, cookies, options)
      expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBe(options.viewport.width)
      expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
        'Free',
        'Pro',
        'Enterprise',
        'What is free',
      ])
      await expectAccessible(page, name)
      if (SHOTS) await page.screenshot({ path: `${SHOTS}/plans-${name}.png`, fullPage: true })
    }
    stripe.change(id, { status: 'active', cancel_at_period_end: false })
    await deliverAll()
    const page = await open('/plans', ben.cookies, desktop)
    await page.getByRole('link', { name: 'Change to Enterprise' }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Change to Enterprise')
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/plans-change.png` })
  },
)
