import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningSimulator } from './running-simulator.ts'

const CHROMIUM = '/usr/bin/chromium'

describe.skipIf(!existsSync(CHROMIUM))('pages with scripts, in a real browser', () => {
  const { simulator } = runningSimulator()
  let browser: Browser
  beforeAll(async () => {
    const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
    browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args })
  })
  afterAll(() => browser?.close())

  it('ATL shows its numbers once its script has run', async () => {
    const page = await browser.newPage()
    await page.goto(`${simulator().url}/www.atl.com/times/`)
    await page.waitForSelector('.declasser3 button span')
    const numbers = await page.locator('.nesclasser2 .declasser3 button span').allTextContents()
    expect(numbers).toHaveLength(4)
    for (const number of numbers) expect(number).toMatch(/^(\d+|X|-)$/)
  })

  it("an airport's page requests its feed with the current key and version", async () => {
    const page = await browser.newPage()
    const feed = '/api.goaa.aero/wait-times/checkpoint/MCO'
    const feedRequest = page.waitForRequest((request) => request.url().endsWith(feed))
    await page.goto(`${simulator().url}/flymco.com/`)
    const headers = await (await feedRequest).allHeaders()
    expect(headers['api-key']).toMatch(/^[0-9a-f]{32}$/)
    expect(headers['api-version']).toMatch(/^\d{3}$/)
    await page.waitForSelector('#waits li')
    expect(await page.locator('#waits li').count()).toBe(6)
  })
})
