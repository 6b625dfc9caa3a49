import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, test } from 'vitest'
import { FetchError } from '../../../config/errors.ts'
import { dataPaths } from '../../../config/settings.ts'
import { sourceById } from '../../../config/sources.ts'
import { type CollectContext, emptyMemory } from '../../../pipeline/collecting/collect-context.ts'
import { collectSource } from '../../../pipeline/collecting/collect-source.ts'
import { createLanding } from '../../../pipeline/collecting/landing.ts'
import type { SourceRequest } from '../../../pipeline/parsing/collector.ts'
import { createCircuits } from '../../../pipeline/transport/circuits.ts'
import type { Transport } from '../../../pipeline/transport/transport.ts'
import { readCapture } from '../../../warehouse/storage/raw-captures.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { newWarehouse } from '../../warehouse/new-warehouse.ts'
import { fixture } from '../collectors/context.ts'

/** Collects from `swedavia-keyed` through a transport that only records the requests. */
async function requestsWith(operator_keys: CollectContext['operator_keys']): Promise<SourceRequest[]> {
  const requests: SourceRequest[] = []
  const never = () => Promise.reject(new Error('not needed here'))
  await collectSource(sourceById('swedavia-keyed'), {
    warehouse: {} as CollectContext['warehouse'],
    landing: { land: () => Promise.resolve(0) } as unknown as CollectContext['landing'],
    transport: {
      fetch: (request) => {
        requests.push(request)
        return Promise.reject(new Error('offline'))
      },
      openPage: never,
      circuits: createCircuits({ failures: 5, rest_ms: 300_000, now: () => 0 }),
      learn: never,
    },
    now: () => 1_795_255_200_000,
    memory: emptyMemory(),
    ...(operator_keys && { operator_keys }),
  })
  return requests
}

it("sends the operator's own key in a header, and never in an address, which captures store", async () => {
  const requests = await requestsWith({ swedavia_key: 'made-up-key' })
  expect(requests.map(({ iata }) => iata)).toEqual(['ARN', 'GOT', 'BMA'])
  for (const { headers, url } of requests) {
    expect(headers['Ocp-Apim-Subscription-Key']).toBe('made-up-key')
    expect(url).not.toContain('made-up-key')
  }
  for (const { headers } of await requestsWith(undefined)) expect(Object.keys(headers)).toEqual(['Accept'])
})

const NOW = '2026-11-21T10:03:00Z'
const KEY = 'made-up-key-of-a-site'

/** Collects a source whose key is part of its address, PHX unless another is named, through a transport with the given answer. */
async function collectPhx(
  answer: (url: string) => string,
  id = 'aci-phx',
  operator_keys: CollectContext['operator_keys'] = {},
) {
  const folder = await temporaryFolder()
  const warehouse = await newWarehouse(folder)
  const requested: string[] = []
  const transport: Transport = {
    learn: async () => ({ api_key: KEY }),
    openPage: () => Promise.reject(new Error('no page is needed')),
    circuits: createCircuits({ failures: 5, rest_ms: 300_000, now: () => Date.parse(NOW) }),
    fetch: async ({ url }) => {
      requested.push(url)
      const body = new TextEncoder().encode(answer(url))
      const heads = { etag: null, last_modified: null, content_type: 'application/json', not_modified: false }
      return { status: 200, body, fetched_at: NOW, url, ...heads }
    },
  }
  const landing = createLanding(warehouse)
  const context = { warehouse, landing, transport, now: () => Date.parse(NOW), memory: emptyMemory(), operator_keys }
  const outcomes = await collectSource(sourceById(id), context)
  const [run] = await warehouse.query<{ url: string; error_message: string | null }>(
    'SELECT url, error_message FROM runs',
  )
  return { folder, requested, outcomes, run }
}

/** Every file of a data folder as text; captures, which are compressed, by their heads. */
async function textsUnder(folder: string): Promise<string[]> {
  const { raw } = dataPaths(folder)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(
    files.map(async (file) => (file.startsWith(raw) ? (await readCapture(file)).url : readFile(file, 'latin1'))),
  )
}

test('a key in an address is sent to its site and stored nowhere', async () => {
  const { folder, requested, outcomes, run } = await collectPhx(() => fixture('aci-phx.json'))
  expect(requested).toEqual([`https://api.phx.aero/avn-wait-times/raw?Key=${KEY}`])
  expect(outcomes).toMatchObject([{ new_rows: 2, error: null }])
  expect(run?.url).toBe('https://api.phx.aero/avn-wait-times/raw?Key=***')
  const texts = await textsUnder(folder)
  expect(texts).toContain('https://api.phx.aero/avn-wait-times/raw?Key=***')
  for (const text of texts) expect(text).not.toContain(KEY)
})

test('a key in an address is redacted in messages', async () => {
  const { outcomes, run } = await collectPhx((url) => {
    throw new FetchError('FETCH_FAILED', `${url} answered 500`, { status: 500 })
  })
  expect(run?.error_message).toBe('https://api.phx.aero/avn-wait-times/raw?Key=*** answered 500')
  expect(outcomes[0]?.error?.message).not.toContain(KEY)
})

test("the operator's own key in an address is sent to its site and stored nowhere, in messages neither", async () => {
  const key = 'made+up/key=='
  const body = fixture('kac-process-time.json')
  const fails = (url: string) => {
    if (url.includes('/v2')) throw new FetchError('FETCH_FAILED', `${url} answered 500`, { status: 500 })
    return body
  }
  const { folder, requested, outcomes } = await collectPhx(fails, 'kac-process-time', { data_go_kr_key: key })
  expect(requested).toHaveLength(2)
  for (const url of requested) expect(new URL(url).searchParams.get('serviceKey')).toBe(key)
  expect(outcomes.map(({ new_rows, error }) => [new_rows, error?.message ?? null])).toEqual([
    [4, null],
    [0, expect.stringContaining('serviceKey=***&type=json')],
  ])
  for (const text of await textsUnder(folder))
    for (const form of [key, encodeURIComponent(key)]) expect(text).not.toContain(form)
})
