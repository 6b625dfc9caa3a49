import { expect, test } from 'vitest'
import { noChromium } from './chromium.ts'
import { openPage } from './open-page.ts'

test.skipIf(noChromium)(
  'a real browser shows the main content without console messages or policy violations',
  async () => {
    const { page, browserProblems } = await openPage()
    await page.getByText('SIMULATED world').waitFor()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('How long is the wait at the airport?')
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'Longest waits now',
      'US flight delays now',
      'Security wait now',
      'Why to trust it',
    ])
    const mark = page.getByRole('group', { name: 'World map: Security wait now' }).getByRole('link')
    expect(await mark.getAttribute('href')).toBe('/airports/JFK')
    expect((await mark.boundingBox())!.width).toBeGreaterThan(8)
    // The policy allowed the style and the picture below the marks: without the style the mark would be black.
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.marks .wait-2')).fill`)).toBe(
      'rgb(210, 107, 37)',
    )
    await page.getByText('The one airport with a wait of its own').click()
    const row = page.getByRole('row', { name: /^JFK/ })
    expect(await row.getByRole('cell').allTextContents()).toEqual([
      '14 min',
      'measuredlive, 2 min old',
      'an import of the operator (panynj)',
    ])
    expect(browserProblems).toEqual([])
  },
)

test.skipIf(noChromium)('the keyboard reaches everything, and its first stop is the skip link', async () => {
  const { page } = await openPage()
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to the content' })
  expect(await page.evaluate('document.activeElement.textContent')).toBe(await skip.textContent())
  expect((await skip.boundingBox())!.x).toBeGreaterThanOrEqual(0)
  await page.keyboard.press('Enter')
  expect(new URL(page.url()).hash).toBe('#main')
  for (const region of await page.locator('.scroll').all()) {
    expect(await region.getAttribute('aria-label')).toBeTruthy()
    expect(await region.getAttribute('tabindex')).toBe('0')
  }
})
