import { expect, test } from 'vitest'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { expectUsable, noChromium, watchedPage } from '../../site/chromium.ts'
import { openBilling } from './billing-setup.ts'

test.runIf(EXHAUSTIVE && !noChromium)(
  'plans in a real browser: phone and desktop, light and dark, without accessibility faults',
  { timeout: 120_000 },
  async () => {
    const billing = await openBilling()
    const { stripe, deliverAll, app } = billing
    const ada = await billing.createPerson()
    const ben = await billing.createPerson()
    const { id } = await billing.buy(ben, 'pro')
    stripe.change(id, { status: 'past_due', cancel_at_period_end: true })
    await deliverAll()
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const open = async (cookies: Iterable<[string, string]>, width: number) => {
      const { page } = await watchedPage(address, { viewport: { width, height: 900 }, bypassCSP: true }, cookies)
      await page.goto('/plans')
      return page
    }
    for (const [name, cookies, width] of [
      ['stranger', [], 380],
      ['free', ada.cookies, 1200],
      ['late', ben.cookies, 380],
    ] as const) {
      const page = await open(cookies, width)
      expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
        'Free',
        'Pro',
        'Enterprise',
        'What is free',
      ])
      await expectUsable(page, `plans-${name}`)
    }
    stripe.change(id, { status: 'active', cancel_at_period_end: false })
    await deliverAll()
    const page = await open(ben.cookies, 1200)
    await page.getByRole('link', { name: 'Change to Enterprise' }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Change to Enterprise')
  },
)
