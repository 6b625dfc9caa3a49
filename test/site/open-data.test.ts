import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dataPaths } from '../../config/settings.ts'
import { requestedRange } from '../../site/open-data/send-file.ts'
import { addressOf, type Manifest, readExportManifest } from '../../warehouse/export/manifest.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { delays } from '../../warehouse/tables/delays.ts'
import { stateChanges } from '../../warehouse/tables/state-changes.ts'
import { openHarness, shareHarness } from '../api/harness.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { exportAll } from '../warehouse/export/export-of.ts'

const harness = shareHarness()

const instant = '2026-11-20T10:00:00Z'

/** Lands a few rows of an installation and exports them to where they are served. */
async function exportSome(dataDir: string): Promise<Manifest> {
  const warehouse = await openWarehouse(dataDir)
  const none = { average_minutes: 30, min_minutes: null, max_minutes: null, trend: null, start: null, end: null }
  const closed = {
    closed_to_airlines: null,
    closed_hours_utc: null,
    scope: null,
    observed_at: instant,
    fetched_at: instant,
  }
  const reason = { type: 'ground_delay' as const, reason: 'LOW CEILINGS', reason_category: 'weather' as const }
  const place = { source: 'faa-nas-status', iata: 'JFK', faa_id: 'JFK', available_at: instant, capture_id: 'faa-1' }
  await warehouse.land(delays, [{ ...place, ...reason, ...none, ...closed }])
  await warehouse.land(stateChanges, [{ subject: 'source:sea-cwt', since: instant, state: 'healthy', reason: null }])
  await warehouse.close()
  await exportAll(dataDir)
  return (await readExportManifest(dataPaths(dataDir).open_data))!
}

it('serves every file of the manifest at its address, whole and in parts, to readers of any origin', async () => {
  const { app, dataDir } = await openHarness({ HOLDSHORT_OPEN_DATA: 'all' })
  const { files } = await exportSome(dataDir)
  const served = await app.inject('/data/manifest.json')
  expect(served.json()).toEqual(await readExportManifest(dataPaths(dataDir).open_data))
  expect(files.map(({ table }) => table)).toEqual(['delays', 'state_changes'])

  const { path, bytes } = files[0]!
  const address = addressOf(files[0]!)
  const content = await readFile(join(dataPaths(dataDir).open_data, path))
  const get = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET', url = address) =>
    app.inject({ method, url, headers: { origin: 'https://notebook.example', ...headers } })
  const whole = await get()
  expect(whole.rawPayload).toEqual(content)
  expect(whole.headers).toMatchObject({
    'accept-ranges': 'bytes',
    'content-length': String(bytes),
    'content-type': 'application/vnd.apache.parquet',
    'access-control-allow-origin': '*',
    'last-modified': expect.stringContaining('GMT'),
  })
  expect(whole.headers['access-control-expose-headers']).toContain('Content-Range')
  // The path of the manifest, resolved against the address of the manifest.
  expect((await get({}, 'GET', `/data/${path}`)).rawPayload).toEqual(content)
  const etag = String(whole.headers['etag'])

  const part = await get({ range: 'bytes=4-9' })
  expect([part.statusCode, part.headers['content-range']]).toEqual([206, `bytes 4-9/${bytes}`])
  expect(part.rawPayload).toEqual(content.subarray(4, 10))
  expect((await get({ range: 'bytes=-8' })).rawPayload).toEqual(content.subarray(-8))
  expect((await get({ range: 'bytes=10-' })).rawPayload).toEqual(content.subarray(10))
  expect((await get({ range: `bytes=0-${bytes * 2}` })).rawPayload).toEqual(content)

  const beyond = await get({ range: `bytes=${bytes}-` })
  expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${bytes}`])
  expect(beyond.json()).toMatchObject({ code: 'RANGE_NOT_SATISFIABLE' })
  for (const range of ['bytes=9-4', 'rows=1-2', 'bytes=a-b', 'bytes=-', 'bytes=0-3,-4']) {
    const ignored = await get({ range })
    expect([ignored.statusCode, ignored.rawPayload.length]).toEqual([200, bytes])
  }

  expect((await get({ 'if-none-match': etag })).statusCode).toBe(304)
  expect((await get({ 'if-none-match': `W/${etag.replace(/"$/, '-gzip"')}` })).statusCode).toBe(304)
  expect((await get({ 'if-modified-since': String(whole.headers['last-modified']) })).statusCode).toBe(304)
  expect((await get({ range: 'bytes=0-3', 'if-range': etag })).statusCode).toBe(206)
  expect((await get({ range: 'bytes=0-3', 'if-range': '"another"' })).statusCode).toBe(200)
  for (const changed of [`W/${etag}`, etag.replace(/"$/, '-gzip"')])
    expect((await get({ range: 'bytes=0-3', 'if-range': changed })).statusCode).toBe(200)
  expect((await get({ range: 'bytes=0-3', 'if-range': String(whole.headers['last-modified']) })).statusCode).toBe(206)
  const changed = await get({ range: 'bytes=0-3', 'if-match': '"another"' })
  expect([changed.statusCode, changed.json().code]).toEqual([412, 'PRECONDITION_FAILED'])

  const head = await get({ range: 'bytes=0-3' }, 'HEAD')
  expect([head.statusCode, head.headers['content-length'], head.payload]).toEqual([200, String(bytes), ''])
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: address,
    headers: { origin: 'https://notebook.example' },
  })
  expect(preflight.statusCode).toBe(204)
  expect(preflight.headers['access-control-allow-headers']).toContain('Range')

  const compressed = await get({ 'accept-encoding': 'br' }, 'GET', '/data/manifest.json')
  expect(compressed.headers['content-encoding']).toBe('br')
  expect((await get({ range: 'bytes=0-0' }, 'GET', '/data/manifest.json')).payload).toBe('{')
  for (const url of ['/data/../state.sqlite', '/data/%2e%2e/state.sqlite', '/data/.holdshort-export.json', '/data/v1/'])
    expect((await get({}, 'GET', url)).statusCode).toBe(404)
  const catalog = (await app.inject('/.well-known/api-catalog')).json()
  expect(JSON.stringify(catalog)).toContain('/data/datapackage.json')
}, 20_000)

it.runIf(EXHAUSTIVE)('answers requests that arrive together before the manifest was ever read', async () => {
  const { app, dataDir } = await openHarness({ HOLDSHORT_OPEN_DATA: 'all' })
  const { files } = await exportSome(dataDir)
  const answers = await Promise.all([...files, ...files].map((file) => app.inject(addressOf(file))))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
})

it('limits the requests of a network, and says when it may go on, to readers of any origin', async () => {
  const limited = { HOLDSHORT_OPEN_DATA: 'all', HOLDSHORT_OPEN_DATA_PER_MINUTE: '3' }
  const { app, controls } = await openHarness(limited)
  const get = (remoteAddress: string) => app.inject({ url: '/data/manifest.json', remoteAddress })
  // Nothing was exported yet; requests count whatever they find.
  for (let request = 0; request < 3; request += 1) expect((await get('192.0.2.1')).statusCode).toBe(404)
  const refused = await get('192.0.2.1')
  expect([refused.statusCode, refused.json()]).toMatchObject([429, { code: 'rate_limited', scope: 'address' }])
  expect(refused.headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' })
  expect(refused.headers['access-control-expose-headers']).toContain('Retry-After')
  const wait = Number(refused.headers['retry-after'])
  expect(wait).toBeGreaterThan(0)
  expect((await get('192.0.2.2')).statusCode).toBe(404)
  controls.now += wait * 1_000
  expect((await get('192.0.2.1')).statusCode).toBe(404)
})

describe('the setting', () => {
  it.runIf(EXHAUSTIVE)('publishes nothing by default, whatever was exported', async () => {
    await exportSome(harness.dataDir)
    const answer = await harness.app.inject('/data/manifest.json')
    expect([answer.statusCode, answer.json().detail]).toEqual([404, 'this installation publishes no open data'])
    expect((await harness.app.inject('/.well-known/api-catalog')).body).not.toContain('/data')
  })

  it('publishes only the named tables, also of an export that has more', async () => {
    const { app, dataDir } = await openHarness({ HOLDSHORT_OPEN_DATA: 'delays' })
    const { files } = await exportSome(dataDir)
    const statuses = await Promise.all(files.map(async (file) => (await app.inject(addressOf(file))).statusCode))
    expect(statuses).toEqual([200, 404])
  })
})

it('gives for any header either the whole file or a range within it', () => {
  const header = fc.oneof(
    fc.string(),
    fc
      .array(fc.tuple(fc.option(fc.nat(50)), fc.option(fc.nat(50))))
      .map((pairs) => `bytes=${pairs.map(([first, last]) => `${first ?? ''}-${last ?? ''}`).join(',')}`),
  )
  fc.assert(
    fc.property(header, fc.integer({ min: 1, max: 40 }), (text, size) => {
      const range = requestedRange(text, size)
      if (typeof range === 'string') return
      expect(0 <= range.start && range.start <= range.end && range.end < size).toBe(true)
    }),
  )
})
