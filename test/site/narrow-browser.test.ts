import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ACCURACY } from '../api/accuracy-content.ts'
import { NOW, THIS_HOUR } from '../api/example-snapshot.ts'
import { type FakeSnapshotContent, forecastFrom, measured } from '../api/fake-snapshot.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { emptyContent } from '../warehouse/snapshot-content.ts'
import { broken } from './broken-words.ts'
import { noChromium } from './chromium.ts'
import { openPage } from './open-page.ts'

const seen = test.runIf(EXHAUSTIVE && !noChromium)

const QUIET = emptyContent('2026-11-21T14:18:00Z').quiet
const LATE = {
  type: 'departure_delay' as const,
  reason: 'wind',
  average_minutes: null,
  min_minutes: 31,
  max_minutes: 45,
  trend: null,
  start: null,
  end: null,
  destination: null,
}
const WORLD: FakeSnapshotContent = {
  queues: { 'JFK security': measured(NOW, 14), 'LGA security': measured(NOW, 25) },
  forecasts: [forecastFrom('JFK', THIS_HOUR), forecastFrom('LGA', THIS_HOUR)],
  accuracy: ACCURACY,
  delays: { JFK: { ...QUIET, status: 'minor_delay', programs: [LATE] }, LGA: QUIET },
  flowPrograms: [],
}
const PATHS = [
  '/',
  '/airports/JFK',
  '/airports/ACO',
  '/search?q=new+york',
  '/compare?airports=JFK,LGA',
  '/delays',
  '/status',
  '/plans',
]

/** Words that a line breaks within, and whether the page is wider than the screen. */
async function readingFaults(page: Page, path: string): Promise<string[]> {
  const faults = await broken(page, /(?<!\S)\p{L}{2,14}(?!\S)/u, 'main *:not(pre, code, svg *, style)')
  const isWide = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
  if (isWide) faults.push('the page is wider than the screen')
  return faults.map((fault) => `${path}: ${fault}`)
}

seen('a page is read on the narrowest screen, and with text twice as large as usual', async () => {
  const { page } = await openPage({}, '/', WORLD)
  const session = await page.context().newCDPSession(page)
  const faults: string[] = []
  for (const [width, standard] of [
    [320, 16],
    [390, 32],
  ] as const) {
    await session.send('Page.setFontSizes', { fontSizes: { standard } })
    await page.setViewportSize({ width, height: 900 })
    for (const path of PATHS) {
      await page.goto(new URL(path, page.url()).href)
      await page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true })")
      faults.push(...(await readingFaults(page, `${path} at ${width}`)))
    }
  }
  expect(faults).toEqual([])
})
