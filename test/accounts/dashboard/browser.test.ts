import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { expectUsable, noChromium } from '../../site/chromium.ts'
import { insertConnection, insertUsage, KEY_PATTERN, STRIPE_SETTINGS } from './account-rows.ts'
import { openDashboard } from './open-dashboard.ts'

describe.runIf(EXHAUSTIVE && !noChromium)('the dashboard in a real browser', () => {
  test('the button copies the key, and going back or reloading does not show it again', async () => {
    const { page, address, browserProblems } = await openDashboard('pro', {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await page.goto(`${address}/dashboard`)
    await page.getByLabel('Name of a new key').fill('Screens')
    await page.getByRole('button', { name: 'Issue key' }).click()
    const key = await page.getByLabel('Key Screens').inputValue()
    expect(key).toMatch(new RegExp(`^${KEY_PATTERN.source}$`))
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('status').getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
    expect(page.url()).toBe(`${address}/dashboard/keys`)
    await page.getByRole('link', { name: 'Back to the dashboard' }).click()
    await page.getByText(`hs_live_…${key.slice(-4)}`).waitFor()
    expect(browserProblems).toEqual([])
    // The browser may show an error page of its own there, because the answer is not cached.
    const gone = () => expect.poll(() => shownText(page).catch(() => key)).not.toContain(key)
    await page.goBack().catch(() => undefined)
    await gone()
    await page.reload().catch(() => undefined)
    await gone()
    await page.goto(`${address}/dashboard`)
    expect(await page.getByRole('link', { name: /^Revoke key/ }).count()).toBe(1)
  })

  test('without scripts the key can be selected and everything else works', async () => {
    const { page, address } = await openDashboard('free', { javaScriptEnabled: false })
    await page.goto(`${address}/dashboard`)
    await page.getByLabel('Name of a new key').fill('Screens')
    await page.keyboard.press('Enter')
    expect(await page.getByLabel('Key Screens').inputValue()).toMatch(KEY_PATTERN)
    expect(await page.getByRole('button', { name: 'Copy' }).isVisible()).toBe(false)
    await page.getByRole('link', { name: 'Back to the dashboard' }).click()
    await page.getByRole('link', { name: 'Revoke key Screens' }).click()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    expect(await page.getByRole('status').textContent()).toContain('The key is revoked.')
    expect(await page.getByText('0 of 1 in use').isVisible()).toBe(true)
  })

  test('a key can be issued and revoked with the keyboard alone', async () => {
    const { page, address, browserProblems } = await openDashboard('free')
    await page.goto(`${address}/dashboard`)
    await tabTo(page, 'Name of a new key')
    await page.keyboard.type('By keyboard')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Your new key' }).waitFor()
    await tabTo(page, 'Key By keyboard')
    await tabTo(page, 'Back to the dashboard')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await tabTo(page, 'Revoke key By keyboard')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Revoke this key?' }).waitFor()
    await tabTo(page, 'Revoke key')
    await page.keyboard.press('Enter')
    await page.getByText('The key is revoked.').waitFor()
    expect(browserProblems).toEqual([])
  })

  test('on a phone nothing scrolls sideways and axe finds no fault', { timeout: 120_000 }, async () => {
    const opened = await openDashboard('enterprise', { viewport: { width: 380, height: 800 } }, STRIPE_SETTINGS)
    const { page, harness, person, address, browserProblems } = opened
    const { account_id } = person
    const word = 'Unbreakable'.repeat(5)
    await person.get('/dashboard')
    await person.post('/dashboard/keys', { name: word }, '/dashboard')
    await insertConnection(harness, account_id, 'grant-1', word.repeat(2))
    await insertUsage(harness, account_id, '2026-11-02', 'getDelays', 100_500)
    await page.goto(`${address}/dashboard?done=key_revoked`)
    for (const details of await page.locator('details').all()) await details.locator('summary').click()
    await expectUsable(page, 'dashboard')
    await page.getByRole('link', { name: /^Disconnect/ }).click()
    await expectUsable(page, 'disconnect')
    await page.goto(`${address}/dashboard`)
    await page.getByLabel('Name of a new key').fill(word)
    await page.getByRole('button', { name: 'Issue key' }).click()
    await expectUsable(page, 'new-key')
    expect(browserProblems).toEqual([])
    await page.goto(`${address}/dashboard`)
    await page.getByLabel('Name of a new key').fill(' ')
    await page.getByRole('button', { name: 'Issue key' }).click()
    await page.getByText('Give the key a name.').waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('name')
    await expectUsable(page, 'refused-key')
  })
})

/** The whole HTML of the page and the values of its fields. */
const shownText = (page: Page) =>
  page.evaluate(
    `document.documentElement.outerHTML + [...document.querySelectorAll('textarea, input')].map(({ value }) => value).join()`,
  )

/** Presses Tab until the element with this name has the focus; fails after 40 stops. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let stops = 0; stops < 40; stops++) {
    await page.keyboard.press('Tab')
    const reached = await page.evaluate(`document.activeElement.labels?.length
      ? document.activeElement.labels[0].textContent
      : document.activeElement.ariaLabel ?? document.activeElement.textContent`)
    if (reached === name) return
  }
  throw new Error(`the keyboard does not reach ${name}`)
}
