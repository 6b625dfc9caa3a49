import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { dataPaths } from '../../config/settings.ts'
import { readExportManifest } from '../../warehouse/export/manifest.ts'
import { rollups } from '../../warehouse/tables/rollups.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { exportAll } from '../warehouse/export/export-of.ts'
import { newWarehouse } from '../warehouse/new-warehouse.ts'
import { openListening } from './harness.ts'

/** More than the buffers of both ends of a connection take. */
const BYTES = 24_000_000
const STANDSTILL_MS = 500

/** Exports an hour of waits, and makes one of the files large; returns its path below the address. */
async function exportLargeFile(dataDir: string): Promise<string> {
  const scratch = await temporaryFolder()
  const warehouse = await newWarehouse(scratch)
  await warehouse.landSelect(
    rollups,
    `SELECT 'security' AS kind, 'airport' AS level, 'JFK' AS iata, '' AS terminal, '' AS checkpoint, 'standard' AS lane, hour, hour AS available_at,
       10.0 AS mean, 12.0 AS p50, 31.0 AS p90, 44.0 AS max, 5 AS samples, 0 AS flagged, 'panynj-graphql' AS source, NULL AS known_from
     FROM (VALUES ('2026-10-31T23:00:00Z'::TIMESTAMPTZ)) hours(hour)`,
  )
  await warehouse.close()
  const { open_data } = dataPaths(dataDir)
  await exportAll(scratch, open_data, true)
  const { path } = (await readExportManifest(open_data))!.files[0]!
  await writeFile(join(open_data, path), Buffer.alloc(BYTES, 65))
  return `/data/${path}`
}

test('a download that its client does not read is ended, and one that is read slowly is not', async () => {
  const { harness, address } = await openListening({ HOLDSHORT_OPEN_DATA: 'all' })
  const path = await exportLargeFile(harness.dataDir)
  const { server } = harness.app
  expect(server.timeout).toBeGreaterThanOrEqual(60_000)
  expect(server.timeout).toBeLessThanOrEqual(300_000)
  server.timeout = STANDSTILL_MS
  const download = () => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1').on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${new URL(address).host}\r\nConnection: close\r\n\r\n`)
    return socket
  }
  const open = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
  const stuck = download().pause()
  await vi.waitFor(async () => expect(await open()).toBe(1))
  await vi.waitFor(async () => expect(await open()).toBe(0), 10_000)
  stuck.destroy()

  let received = 0
  for await (const part of download()) {
    received += part.length
    // As long as several standstills in all.
    await sleep(BYTES > received ? 8 : 0)
  }
  expect(received).toBeGreaterThan(BYTES)
}, 60_000)
