import { readFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { dataPaths } from '../../../config/settings.ts'
import { selectTables } from '../../../warehouse/export/exported-tables.ts'
import { readExportManifest } from '../../../warehouse/export/manifest.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { rollups } from '../../../warehouse/tables/rollups.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { freePort } from '../../free-port.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { exportOf } from '../../warehouse/export/export-of.ts'
import { openHarness } from '../harness.ts'
import { expectAccessible, launchBrowser, noChromium } from './chromium.ts'

/** Exports three months of generated hourly waits of 20 airports with four lanes each, as the simulator’s, into a folder. */
async function exportQuarter(dataDir: string): Promise<void> {
  const scratch = await temporaryFolder()
  const warehouse = await openWarehouse(scratch)
  const airports = Array.from(
    { length: 19 },
    (_, k) => `A${String.fromCharCode(65 + (k % 26))}${String.fromCharCode(65 + Math.floor(k / 26))}`,
  )
  const names = [...airports, 'JFK'].map((iata) => `('${iata}')`).join(', ')
  await warehouse.landSelect(
    rollups,
    `SELECT 'security' AS kind, CASE lane_number WHEN 0 THEN 'airport' ELSE 'checkpoint' END AS level, iata, CASE lane_number WHEN 0 THEN '' ELSE '1' END AS terminal,
       CASE lane_number WHEN 0 THEN '' ELSE 'c' || lane_number END AS checkpoint, 'standard' AS lane, hour, hour + INTERVAL 1 HOUR AS available_at,
       10 + hash(iata, hour) % 200 / 10.0 AS mean, 12.0 AS p50, 31 + hash(hour) % 10 AS p90, 44.0 AS max, 5 AS samples, 0 AS flagged, 'panynj-graphql' AS source, NULL AS known_from
     FROM (VALUES ${names}) airports(iata), range(0, 5) lanes(lane_number), generate_series('2026-08-01T00:00:00Z'::TIMESTAMPTZ, '2026-10-31T23:00:00Z'::TIMESTAMPTZ, INTERVAL 1 HOUR) hours(hour)`,
  )
  await warehouse.close()
  await exportOf(scratch, {
    folder: dataPaths(dataDir).open_data,
    tables: selectTables(['all']),
    terms: { simulated: true, own_licence: 'CC-BY-4.0', grants: new Map(), own_use: false },
  })
}

test('says what an installation that publishes nothing could publish', async () => {
  const { app } = await openHarness()
  const answer = await app.inject('/data')
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toContain('This installation publishes no open data.')
  expect(answer.body).toContain('<strong>rollups</strong>')
  expect(answer.body).not.toContain('data-explore')
})

test.runIf(EXHAUSTIVE && !noChromium)(
  'a browser draws the hours of an airport from parts of the files, and gives them as CSV',
  async () => {
    const port = await freePort()
    const address = `http://127.0.0.1:${port}`
    const { app, dataDir } = await openHarness({ HOLDSHORT_SITE_URL: address, HOLDSHORT_OPEN_DATA: 'all' })
    await exportQuarter(dataDir)
    await app.listen({ host: '127.0.0.1', port })
    const browser = await launchBrowser()
    onTestFinished(() => browser.close())
    const context = await browser.newContext({
      bypassCSP: false,
      acceptDownloads: true,
      viewport: { width: 1280, height: 900 },
    })
    const page = await context.newPage()
    const problems: string[] = []
    const ranges: { url: string; range: string }[] = []
    page.on('console', (message) => problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(address) && !request.url().startsWith('blob:'))
        problems.push(`a third party: ${request.url()}`)
      const { range } = request.headers()
      if (range !== undefined) ranges.push({ url: request.url(), range })
    })
    await page.goto(`${address}/data`)
    await page.getByText('SIMULATED: every row was made by a simulator.').waitFor()
    for (const name of ['DuckDB', 'pandas', 'polars', 'R', 'hyparquet (JavaScript)'])
      await page.locator('summary').getByText(name, { exact: true }).waitFor()
    await page.getByLabel('From', { exact: true }).fill('2026-08-20')
    await page.getByLabel('To', { exact: true }).fill('2026-10-10')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('img', { name: /^Hourly security waits at JFK/ }).waitFor()
    const hours = 52 * 24
    await page.getByText(`SIMULATED. ${hours.toLocaleString('en')} observed hours.`).waitFor()

    const manifest = (await readExportManifest(dataPaths(dataDir).open_data))!
    const months = manifest.files.filter(({ airport }) => airport === undefined)
    const whole = months.reduce((sum, { bytes }) => sum + bytes, 0)
    const fetched = ranges.reduce((sum, { range }) => {
      const [, first, last] = /bytes=(\d+)-(\d+)/.exec(range)!
      return sum + Number(last) - Number(first) + 1
    }, 0)
    // Of each month the end of the file, and the one or two row groups of the airport.
    expect(ranges.length).toBeLessThanOrEqual(3 * months.length)
    expect(fetched).toBeLessThan(0.35 * whole)
    const shown = JSON.parse((await page.locator('[data-cost]').getAttribute('data-cost')) ?? '')
    expect(shown).toMatchObject({ requests: ranges.length, bytes: fetched, whole })

    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Take these hours as CSV' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('JFK-security-2026-08-20-2026-10-10-simulated.csv')
    const taken = `${dataDir}/taken.csv`
    await download.saveAs(taken)
    const lines = (await readFile(taken, 'utf8')).trim().split('\n')
    expect(lines).toHaveLength(hours + 1)
    expect(lines[1]).toMatch(/^JFK,security,2026-08-20T00:00:00Z,[\d.]+,12,[\d.]+,44,5,panynj-graphql,true$/)
    const csv = await readFile(`${dataPaths(dataDir).open_data}/data/v1/airports/JFK-simulated.csv`, 'utf8')
    const [, , , , mean] = csv
      .split('\n')
      .find((line) => line.includes('2026-08-20T00:00:00Z'))!
      .split(',')
    expect(Number(lines[1]?.split(',')[3])).toBe(Number(mean))
    expect(problems).toEqual([])

    const bypassing = await (await browser.newContext({ bypassCSP: true })).newPage()
    await bypassing.goto(`${address}/data`)
    await expectAccessible(bypassing)
  },
  60_000,
)
