import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dataPaths } from '../../config/settings.ts'
import { readExportManifest } from '../../warehouse/export/manifest.ts'
import { rollups } from '../../warehouse/tables/rollups.ts'
import { openHarness, openListening } from '../api/harness.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { exportAll } from '../warehouse/export/export-of.ts'
import { newWarehouse } from '../warehouse/new-warehouse.ts'
import { expectAccessible, noChromium, watchedPage } from './chromium.ts'

/** Exports generated hourly waits of 20 airports with four lanes each until the end of October, as the simulator’s, into a folder. */
async function exportHours(dataDir: string, since: string): Promise<void> {
  const scratch = await temporaryFolder()
  const warehouse = await newWarehouse(scratch)
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
     FROM (VALUES ${names}) airports(iata), range(0, 5) lanes(lane_number), generate_series('${since}T00:00:00Z'::TIMESTAMPTZ, '2026-10-31T23:00:00Z'::TIMESTAMPTZ, INTERVAL 1 HOUR) hours(hour)`,
  )
  await warehouse.close()
  await exportAll(scratch, dataPaths(dataDir).open_data, true)
}

test('says what an installation that publishes nothing could publish', async () => {
  const { app } = await openHarness()
  const answer = await app.inject('/data')
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toContain('This installation publishes no open data.')
  expect(answer.body).toContain('<strong>rollups</strong>')
})

test.runIf(EXHAUSTIVE && !noChromium)(
  'a browser shows the page without a third party, and gives the hours of an airport as CSV',
  async () => {
    const { harness, address } = await openListening({ HOLDSHORT_OPEN_DATA: 'all' })
    const { dataDir } = harness
    await exportHours(dataDir, '2026-08-01')
    const { page, browserProblems } = await watchedPage(address, { viewport: { width: 1280, height: 900 } })
    await page.goto(`${address}/data`)
    await page.getByText('SIMULATED: every row was made by a simulator.').waitFor()
    await page.getByRole('group', { name: 'Lines for DuckDB' }).waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByText('Hourly waits of each airport as CSV').click()
    await page.getByRole('link', { name: 'JFK', exact: true }).click()
    const taken = `${dataDir}/taken.csv`
    await (await downloading).saveAs(taken)
    const published = `${dataPaths(dataDir).open_data}/data/v1/airports/JFK-simulated.csv`
    expect(await readFile(taken, 'utf8')).toBe(await readFile(published, 'utf8'))
    expect(browserProblems).toEqual([])

    const { page: bypassing } = await watchedPage(address, { bypassCSP: true })
    await bypassing.goto('/data')
    await expectAccessible(bypassing)
  },
  60_000,
)

test('one button gives the hourly waits of all airports as one CSV with one head', async () => {
  const { app, dataDir } = await openHarness({ HOLDSHORT_OPEN_DATA: 'all' })
  await exportHours(dataDir, '2026-10-29')
  expect((await app.inject('/data')).body).toContain('<a class="button" href="/data/hourly-waits.csv">')
  const answer = await app.inject('/data/hourly-waits.csv')
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
  const [head, ...rows] = answer.body.trim().split('\n')
  expect(rows.filter((row) => row === head)).toEqual([])
  expect(new Set(rows.map((row) => row.split(',')[head!.split(',').indexOf('iata')])).size).toBe(20)
  const again = await app.inject({ url: '/data/hourly-waits.csv', headers: { 'if-none-match': answer.headers.etag! } })
  expect(again.statusCode).toBe(304)
})

test('the hourly waits of all airports are of one export: an answer that a later one overtakes is cut off', async () => {
  const { app, dataDir } = await openHarness({ HOLDSHORT_OPEN_DATA: 'all' })
  await exportHours(dataDir, '2026-10-29')
  const { open_data } = dataPaths(dataDir)
  const { files } = (await readExportManifest(open_data))!
  const last = files.filter(({ airport }) => airport !== undefined).at(-1)!
  const stored = await readFile(join(open_data, last.path), 'utf8')
  await writeFile(join(open_data, last.path), stored.replace(/\d/, '9'))
  // The other end sees that the connection is closed before the answer ends.
  const cutOff = { code: 'LIGHT_ECONNRESET' }
  await expect(app.inject('/data/hourly-waits.csv')).rejects.toMatchObject(cutOff)
  await rm(join(open_data, last.path))
  await expect(app.inject('/data/hourly-waits.csv')).rejects.toMatchObject(cutOff)
})
