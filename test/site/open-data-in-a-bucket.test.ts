import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { dataPaths, readSettings } from '../../config/settings.ts'
import { openOpenData } from '../../site/open-data/published-export.ts'
import { addOpenDataRoutes } from '../../site/open-data/routes.ts'
import { addressOf, readExportManifest } from '../../warehouse/export/manifest.ts'
import { openExportFetcher, publishExport } from '../../warehouse/sharing/published-export.ts'
import type { Sharing } from '../../warehouse/sharing/published-files.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { stateChanges } from '../../warehouse/tables/state-changes.ts'
import { memorySharing } from '../shared-store/memory-sharing.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { exportAll } from '../warehouse/export/export-of.ts'

/** An api on a machine whose disk has no open data. */
async function apiOn(store: Sharing) {
  const data_dir = await temporaryFolder()
  const settings = readSettings({ HOLDSHORT_DATA_DIR: data_dir, HOLDSHORT_OPEN_DATA: 'all' })
  const app = Fastify()
  addOpenDataRoutes(app, openOpenData(settings, openExportFetcher(store, data_dir)), { settings })
  onTestFinished(() => app.close())
  return { app, data_dir }
}

async function exportSome(dataDir: string): Promise<string> {
  const warehouse = await openWarehouse(dataDir)
  const instant = '2026-11-20T10:00:00Z'
  await warehouse.land(stateChanges, [{ subject: 'source:sea-cwt', since: instant, state: 'healthy', reason: null }])
  await warehouse.close()
  await exportAll(dataDir)
  return dataPaths(dataDir).open_data
}

test('every machine serves the open data of the bucket, whole and in parts, with the same tags', async () => {
  const store = memorySharing()
  const [near, other] = [await apiOn(store), await apiOn(store)]
  expect((await near.app.inject('/data/manifest.json')).statusCode).not.toBe(200)

  const folder = await exportSome(await temporaryFolder())
  expect(await publishExport(store, folder, 2)).toBeGreaterThan(0)
  expect(await publishExport(store, folder, 2)).toBe(0)
  const { files = [] } = (await readExportManifest(folder)) ?? {}
  const { path = '', sha256 = '' } = files[0] ?? {}
  // What the bucket lost goes up with the next publication, although no row has changed.
  await store.store.delete(`objects/${sha256.slice(0, 2)}/${sha256}`)
  expect(await publishExport(store, folder, 2)).toBeGreaterThan(0)
  const [first, second] = [await apiOn(store), await apiOn(store)]
  expect((await first.app.inject('/data/manifest.json')).json()).toEqual(await readExportManifest(folder))
  const address = addressOf({ path })
  const content = await readFile(join(folder, path))
  const whole = await first.app.inject(address)
  expect(whole.rawPayload).toEqual(content)
  // A reader that began at one machine goes on at the other.
  const part = await second.app.inject({
    url: address,
    headers: { range: 'bytes=4-11', 'if-range': String(whole.headers['etag']) },
  })
  expect([part.statusCode, part.rawPayload]).toEqual([206, content.subarray(4, 12)])
  expect(part.headers).toMatchObject({ etag: whole.headers['etag'], 'last-modified': whole.headers['last-modified'] })

  expect(other.data_dir).not.toBe(near.data_dir)
})

test('a content that is not what was published is not served, and a bucket that is away is said', async () => {
  const store = memorySharing()
  const folder = await exportSome(await temporaryFolder())
  await publishExport(store, folder, 1)
  const { files = [] } = (await readExportManifest(folder)) ?? {}
  const { path = '', sha256 = '' } = files[0] ?? {}
  const { app, data_dir } = await apiOn(store)
  expect((await app.inject('/data/manifest.json')).statusCode).toBe(200)
  const object = store.objects.get(`objects/${sha256.slice(0, 2)}/${sha256}`)
  if (object) object.bytes = Buffer.from('other')
  expect((await app.inject(addressOf({ path }))).statusCode).toBe(500)
  await rm(data_dir, { recursive: true })
  const none = memorySharing()
  none.isAway = true
  const away = await apiOn(none)
  expect((await away.app.inject('/data/manifest.json')).json()).toMatchObject({ code: 'STORE_UNREACHABLE' })
})
