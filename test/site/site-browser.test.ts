import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type QueueWait, statusFields } from '../../config/answer-schemas.ts'
import { ACCURACY } from '../api/accuracy-content.ts'
import { NOW, THIS_HOUR } from '../api/example-snapshot.ts'
import { closedUntil, type FakeSnapshotContent, forecastFrom, measured } from '../api/fake-snapshot.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { broken } from './broken-words.ts'
import { noChromium } from './chromium.ts'
import { expectAsKept } from './kept-pictures.ts'
import { openPage } from './open-page.ts'

/** The pages of this area in a real browser: a minute of tests, so only in the exhaustive run. */
const seen = test.runIf(EXHAUSTIVE && !noChromium)

const WORLD: FakeSnapshotContent = {
  queues: { 'JFK security': measured(NOW, 14), 'LGA security': measured(NOW, 25) },
  forecasts: [forecastFrom('JFK', THIS_HOUR), forecastFrom('LGA', THIS_HOUR)],
  accuracy: ACCURACY,
}
const WIDTHS = [390, 768, 1280, 1920]
const SCHEMES = ['light', 'dark'] as const

/** Labels of the tables that are wider than their box; those of raw rows may be. */
const tablesThatScroll = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll('.scroll:not(.scroll.scroll-rows)')]
    .filter((box) => box.scrollWidth > box.clientWidth + 1)
    .map((box) => box.getAttribute('aria-label'))`) as Promise<string[]>

const goTo = (page: Page, path: string) => page.goto(new URL(path, page.url()).href)

const WITH_TABLES = ['/', '/compare?airports=JFK,LGA', '/accuracy', '/data', '/airports/JFK']
const DOCS_WITH_TABLES = ['/docs/errors', '/docs/tiers', '/docs/sources', '/docs/use/mcp']

seen(
  'a table is read without scrolling sideways at every width',
  async () => {
    const { page } = await openPage({}, '/', WORLD)
    const faults: string[] = []
    for (const path of [...WITH_TABLES, ...DOCS_WITH_TABLES]) {
      await goTo(page, path)
      await page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true })")
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        faults.push(...(await tablesThatScroll(page)).map((label) => `${path}: ${label} scrolls at ${width}`))
      }
    }
    expect(faults).toEqual([])
  },
  60_000,
)

/** An airport by night: its terminal and both lanes are closed, and a time at which they open is expected. */
function closedByNight(): QueueWait {
  const closed = closedUntil(NOW, '2026-11-22T09:15:00Z')
  const [terminal] = measured(NOW, 0).terminals
  const state = { ...z.object(statusFields).parse(closed), wait_minutes: null, unavailable_reason: 'closed' }
  const [lane] = terminal!.checkpoints
  const checkpoints = (['standard', 'precheck'] as const).map((name) => ({
    ...lane!,
    ...state,
    lane: name,
    open: false,
    range: null,
  }))
  return { ...closed, terminals: [{ ...terminal!, ...state, checkpoints }] }
}

/** Words of up to 16 letters, such as Intercontinental, in the names of terminals, lanes and airports. */
const brokenNames = (page: Page) => broken(page, /\p{L}{2,16}(?!\p{L})/u, '#terminals th, main bdi')

seen('the words of a closed airport leave room for its name in a list', async () => {
  const queues = { 'JFK security': closedByNight(), 'LGA security': closedByNight() }
  const { page } = await openPage({}, '/search?q=new+york', { ...WORLD, queues })
  await page.evaluate(`document.querySelector('.hits bdi').textContent = 'George Bush Intercontinental Airport'`)
  for (const width of [320, ...WIDTHS]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.locator('.hits .row-wait').first().innerText()).toContain('opens')
    const wait = await page.locator('.hits .row-wait').first().boundingBox()
    // Two lines, and the delay below them.
    expect([width, wait!.height < 80]).toEqual([width, true])
    expect([width, await brokenNames(page)]).toEqual([width, []])
  }
})

seen('the words of closed lanes leave room for the names of terminals and lanes', async () => {
  const { page } = await openPage({}, '/airports/JFK', { ...WORLD, queues: { 'JFK security': closedByNight() } })
  for (const width of [320, ...WIDTHS]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.locator('#terminals').innerText()).toContain('Closed until')
    expect([width, await brokenNames(page), await tablesThatScroll(page)]).toEqual([width, [], []])
  }
})

/** Lanes of whose waits the source posts a range. */
function postedRanges(): QueueWait {
  const [terminal] = measured(NOW, 11).terminals
  const [lane] = terminal!.checkpoints
  const checkpoints = (['standard', 'precheck', 'priority'] as const).map((name) => ({
    ...lane!,
    lane: name,
    range: { low: 10, high: 12 },
  }))
  return { ...measured(NOW, 11), terminals: [{ ...terminal!, checkpoints }] }
}

const brokenRanges = (page: Page) => broken(page, /\d+–\d+/, 'main *')

seen('a posted range stands on one line', async () => {
  const { page } = await openPage({}, '/airports/JFK', { ...WORLD, queues: { 'JFK security': postedRanges() } })
  for (const width of [320, ...WIDTHS]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.locator('#terminals').innerText()).toContain('posted 10–12')
    expect([width, await brokenRanges(page)]).toEqual([width, []])
  }
})

seen('a page and the frame for other sites write times as the region of the browser does', async () => {
  for (const [locale, clock] of [
    ['en-US', '9:20\u00a0am'],
    ['en-GB', '09:20'],
  ] as const)
    for (const path of ['/airports/JFK/embed', '/airports/JFK']) {
      const { page, browserProblems } = await openPage({ locale }, path, WORLD)
      await expect.poll(() => page.locator('body').innerText(), { message: `${locale} ${path}` }).toContain(clock)
      expect(browserProblems).toEqual([])
    }
})

seen('the search suggests while one types and works by keyboard alone', async () => {
  const { page } = await openPage({}, '/status', WORLD)
  const field = page.getByRole('combobox')
  await field.focus()
  await page.keyboard.type('new yo')
  const options = page.getByRole('option')
  await options.first().waitFor()
  expect(await field.getAttribute('aria-expanded')).toBe('true')
  expect(await options.count()).toBe(2)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const active = await field.getAttribute('aria-activedescendant')
  expect(await page.locator(`#${active}`).getAttribute('aria-selected')).toBe('true')
  expect(await page.locator(`#${active} .sign`).textContent()).toBe('LGA')
  await page.keyboard.press('Escape')
  expect(await options.first().isVisible()).toBe(false)
  expect(await field.inputValue()).toBe('new yo')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/airports\/LGA$/)
})

seen('without script the search, the map and the comparison work by links and forms', async () => {
  const { page } = await openPage({ javaScriptEnabled: false }, '/', WORLD)
  expect(await page.locator('.map-tools').count()).toBe(0)
  await page.getByRole('link', { name: 'Delays', exact: true }).last().click()
  expect(new URL(page.url()).search).toBe('?colour=delay')
  await page.getByRole('searchbox').fill('zurich')
  await page.getByRole('button', { name: 'Find' }).click()
  expect(new URL(page.url()).pathname).toBe('/airports/ZRH')
  await goTo(page, '/compare')
  await page.getByLabel('Airports, by code, name or city').fill('lga jfk')
  await page.getByRole('button', { name: 'Compare' }).click()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('LGA, JFK compared')
})

seen('the map zooms and moves by buttons and keys, and a mark stays a link', async () => {
  const { page } = await openPage({ viewport: { width: 1280, height: 900 } }, '/', WORLD)
  const map = page.locator('svg.map')
  const box = async () => (await map.getAttribute('viewBox'))!.split(' ').map(Number)
  const whole = await box()
  // A wheel that comes past scrolls the page.
  await map.hover()
  await page.mouse.wheel(0, 60)
  expect(await box()).toEqual(whole)
  // The map begins with the part that has waits, so there is more of it.
  expect(await page.getByRole('button', { name: 'Zoom out' }).isDisabled()).toBe(false)
  await page.getByRole('button', { name: 'Zoom in' }).click()
  expect((await box())[2]).toBeCloseTo(whole[2]! / 1.6)
  const before = await box()
  await page.keyboard.press('ArrowLeft')
  expect((await box())[0]).toBeLessThan(before[0]!)
  await page.keyboard.press('0')
  expect(await box()).toEqual([0, 0, 1_600, 740])
  await map.getByRole('link').first().click()
  await page.waitForURL(/\/airports\/(JFK|LGA)$/)
})

seen(
  'on a phone the map begins where the reader’s clock is, if waits are known there, and leaves the page its finger',
  async () => {
    const queues = Object.fromEntries(['JFK', 'ZRH'].map((iata) => [`${iata} security`, measured(NOW, 9)]))
    const shown = async (timezoneId: string) => {
      const { page } = await openPage({ viewport: { width: 390, height: 844 }, timezoneId }, '/', { queues })
      const map = page.locator('svg.map')
      const [x, , width] = (await map.getAttribute('viewBox'))!.split(' ').map(Number) as [number, number, number]
      const marks = await map
        .locator('.marks > g')
        .evaluateAll((all) => all.map((mark) => mark.getAttribute('transform')!))
      const places = marks.map((mark) => Number(/\((\d+)/.exec(mark)![1]))
      expect(await page.evaluate(`document.querySelector('svg.map').style.touchAction`)).toBe('pan-y')
      // The keyboard brings a mark into sight.
      const [begin, frame] = [`${x} ${width}`, (await page.locator('.map-frame').boundingBox())!]
      for (const link of await map.getByRole('link').all()) {
        await link.focus()
        const { x: left } = (await link.boundingBox())!
        expect([begin, left > frame.x && left < frame.x + frame.width]).toEqual([begin, true])
      }
      return [places.filter((place) => place > x && place < x + width).length, width < 500]
    }
    expect(await shown('America/New_York')).toEqual([1, true])
    expect(await shown('Europe/Zurich')).toEqual([1, true])
    expect(await shown('Pacific/Honolulu')).toEqual([2, false])
  },
)

seen('a wall replaces its figures without loading anew, and says when it is offline', async () => {
  const { page } = await openPage({ viewport: { width: 1920, height: 1080 } }, '/tv/JFK', WORLD)
  expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(1080)
  const figure = (await page.locator('.now-figure').boundingBox())!
  expect(figure.height).toBeGreaterThan(180)
  await page.evaluate('window.isTheSame = true; document.querySelector(".now-figure").textContent = "old"')
  await page.evaluate('window.dispatchEvent(new Event("online"))')
  await page.getByText('14 min at T4').first().waitFor()
  expect(await page.evaluate('window.isTheSame')).toBe(true)
  await page.context().setOffline(true)
  await page.getByText('No connection to Holdshort').waitFor()
  expect(await page.locator('.now-figure').textContent()).toBe('14 min at T4')
})

const PICTURED: [name: string, path: string, options: BrowserContextOptions][] = [
  ['start', '/', {}],
  ['delays', '/delays', {}],
  ['compare', '/compare?airports=JFK,LGA', {}],
  // The clock of the wall is that of the machine where scripts run.
  ['wall', '/tv/JFK', { javaScriptEnabled: false }],
]
seen.each(PICTURED)(
  '%s looks as its kept picture',
  async (name, path, options) => {
    const { page } = await openPage(Object.assign({ reducedMotion: 'reduce' }, options), path, WORLD)
    for (const width of [390, 1280] as const)
      for (const scheme of SCHEMES) await expectAsKept(page, { name, width, scheme })
  },
  60_000,
)
