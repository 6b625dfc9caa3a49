import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { broken } from './broken-words.ts'
import { expectAccessible, noChromium } from './chromium.ts'
import { EIGHT, EIGHT_AIRPORTS, WHOLE_DIRECTORY } from './eight-airports.ts'
import { PAGES, WALLS } from './every-page.ts'
import { openPage } from './open-page.ts'

/**
 * Every page over one fixed snapshot of eight airports in a real browser. With a folder in `PICTURES` it also writes the pictures:
 * `PICTURES=/tmp/pictures TESTS=all npx vitest run test/site/all-pages.test.ts`, and `PAGES=airport,start` chooses some.
 */
const seen = test.runIf(EXHAUSTIVE && !noChromium)
const folder = process.env['PICTURES']
const chosen = process.env['PAGES']?.split(',')

const SHAPES = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } }
const WALL_SHAPES = { wall: { width: 1920, height: 1080 }, 'small-wall': { width: 1280, height: 720 } }
const SCHEMES = ['light', 'dark'] as const
const WIDTHS = [320, 390, 768, 1280, 1920]

const isChosen = ([name]: [string, string]) => chosen === undefined || chosen.some((prefix) => name.startsWith(prefix))

async function keepPictures(page: Page, name: string, shapes: Record<string, { width: number; height: number }>) {
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  for (const [shape, size] of Object.entries(shapes))
    for (const colorScheme of SCHEMES) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme })
      const fullPage = colorScheme === 'light'
      await page.screenshot({ path: `${folder}/${name}-${shape}-${colorScheme}.png`, fullPage, animations: 'disabled' })
    }
}

/** The element that reaches furthest to the right. */
const WIDEST = `[...document.querySelectorAll('body *')]
  .map((element) => [element.getBoundingClientRect().right, element.outerHTML.slice(0, 120)])
  .sort((a, b) => b[0] - a[0])[0].join(': ')`

const openEight = () =>
  openPage({ bypassCSP: true, reducedMotion: 'reduce' }, '/', EIGHT_AIRPORTS, { directory: WHOLE_DIRECTORY })

/** Widths of windows and the size of text in pixels that a reader has set: on a phone also twice the usual. */
const SIZES: [width: number, text: number][] = [...WIDTHS.map((width): [number, number] => [width, 16]), [390, 32]]

/** Tables of columns and documents may break a name of code. */
const mayBreakWords = (name: string) => /^(data|docs.*)$/.test(name)

/** What is wrong with a page of some width: it scrolls sideways, also where its text alone is twice as large, or a line breaks within a word. */
async function faultsOf(page: Page, name: string, width: number, text: number): Promise<string[]> {
  const faults: string[] = []
  for (const share of width === 390 && text === 16 ? ['200%', ''] : ['']) {
    await page.evaluate(`document.documentElement.style.setProperty('font-size', '${share}', 'important')`)
    const over = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    if (over !== 0) faults.push(`${share} ${over} too wide, ${await page.evaluate(WIDEST)}`)
  }
  if (mayBreakWords(name)) return faults
  const words = await broken(page, /(?<!\S)\p{L}{2,14}(?!\S)/u, 'main *:not(pre, code, svg *, style)')
  return [...faults, ...words.map((word) => `"${word}" is broken`)]
}

seen(
  'no page scrolls sideways or breaks a word at any width, asks a third party, breaks its policy or shows an escape, and a wall scrolls nowhere',
  async () => {
    const { page, browserProblems } = await openPage({ reducedMotion: 'reduce' }, '/', EIGHT_AIRPORTS, {
      directory: WHOLE_DIRECTORY,
    })
    const { origin } = new URL(page.url())
    const session = await page.context().newCDPSession(page)
    const faults: string[] = []
    for (const [name, path] of PAGES.filter(isChosen)) {
      await page.goto(origin + path)
      // Markup writes invisible characters as escapes, so the product's own words have none.
      expect(await page.locator('.scroll:not([aria-label][tabindex="0"])').count(), name).toBe(0)
      if (/\\u[0-9a-f]{4}/.test(await page.locator('body').innerText())) faults.push(`${name} shows an escape`)
      await keepPictures(page, name, SHAPES)
      for (const open of [false, true]) {
        await page.evaluate(`document.querySelectorAll('details').forEach((fold) => { fold.open = ${open} })`)
        for (const [width, standard] of SIZES) {
          await session.send('Page.setFontSizes', { fontSizes: { standard } })
          await page.setViewportSize({ width, height: 700 })
          faults.push(
            ...(await faultsOf(page, name, width, standard)).map(
              (fault) => `${name} at ${width}, text of ${standard}: ${fault}`,
            ),
          )
        }
      }
      await session.send('Page.setFontSizes', { fontSizes: { standard: 16 } })
    }
    for (const [name, path] of WALLS.filter(isChosen)) {
      await page.goto(origin + path)
      for (const size of Object.values(WALL_SHAPES)) {
        await page.setViewportSize(size)
        const over = await page.evaluate(
          'document.documentElement.scrollHeight - document.documentElement.clientHeight',
        )
        if (over !== 0) faults.push(`${name} at ${size.height}: ${over} too high`)
      }
      await keepPictures(page, name, WALL_SHAPES)
    }
    expect(faults).toEqual([])
    // The browser reports the status of pages that are not there.
    expect(browserProblems.filter((text) => !/40[04]/.test(text))).toEqual([])
  },
  600_000,
)

/** The figure ends within these pixels below the head of the page on a phone. */
const MAX_FIGURE_BELOW_HEAD = 180

seen('on a phone the wait stands right below the head, and what delays the airport on the first screen', async () => {
  const { page } = await openEight()
  const { origin } = new URL(page.url())
  await page.setViewportSize(SHAPES.phone)
  const tooLow: string[] = []
  for (const [shape, iata] of Object.entries(EIGHT)) {
    await page.goto(`${origin}/airports/${iata}`)
    const head = (await page.locator('.top').boundingBox())!
    const figure = (await page.locator('.now-figure').boundingBox())!
    const below = figure.y + figure.height - head.y - head.height
    if (below > MAX_FIGURE_BELOW_HEAD) tooLow.push(`${shape}: ${below}`)
  }
  expect(tooLow).toEqual([])
  await page.goto(`${origin}/airports/${EIGHT.storm}`)
  const delay = (await page
    .getByText(/Flights to LGA wait 110 min on average, until (02:45|2:45\sam)/)
    .first()
    .boundingBox())!
  expect(delay.y + delay.height).toBeLessThan(SHAPES.phone.height)
})

seen.each([
  ['en-US', 'opens about 3:15\u00a0am', '6\u00a0am'],
  ['en-GB', 'opens about 03:15', '06:00'],
])('in %s a clock is written so, in sentences and on axes', async (locale, sentence, axis) => {
  const { page } = await openPage({ locale }, `/airports/${EIGHT.night}`, EIGHT_AIRPORTS, {
    directory: WHOLE_DIRECTORY,
  })
  expect(await page.locator('.now-figure').textContent()).toContain(sentence)
  expect(await page.locator('svg.plot').first().textContent()).toContain(axis)
  expect(await page.locator('main').textContent()).not.toMatch(
    locale === 'en-US' ? /\b\d\d:\d\d(?!.[ap]m)/ : /\d [ap]m/,
  )
})

seen(
  'axe finds no fault on any page, and none of contrast in dark',
  async () => {
    const { page } = await openEight()
    const { origin } = new URL(page.url())
    await page.setViewportSize(SHAPES.phone)
    for (const [name, path] of PAGES.filter(isChosen)) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(origin + path)
      await expectAccessible(page, name)
      await page.emulateMedia({ colorScheme: 'dark' })
      await expectAccessible(page, `${name} in dark`, 'color-contrast')
    }
  },
  600_000,
)
