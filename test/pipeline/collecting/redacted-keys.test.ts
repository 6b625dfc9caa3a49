import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FetchError } from '../../../config/errors.ts'
import { dataPaths } from '../../../config/settings.ts'
import { sourceById } from '../../../config/sources.ts'
import { emptyMemory } from '../../../pipeline/collecting/collect-context.ts'
import { collectSource } from '../../../pipeline/collecting/collect-source.ts'
import { createLanding } from '../../../pipeline/collecting/landing.ts'
import { createCircuits } from '../../../pipeline/transport/circuits.ts'
import type { Transport } from '../../../pipeline/transport/transport.ts'
import { readCapture } from '../../../warehouse/storage/raw-captures.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { newWarehouse } from '../../warehouse/new-warehouse.ts'
import { fixture } from '../collectors/context.ts'

const NOW = '2026-11-21T10:03:00Z'
const KEY = 'made-up-key-of-a-site'

/** Collects PHX, whose key is part of its address, through a transport with the given answer. */
async function collectPhx(answer: (url: string) => string) {
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
  const context = { warehouse, landing, transport, now: () => Date.parse(NOW), memory: emptyMemory() }
  const outcomes = await collectSource(sourceById('aci-phx'), context)
  const [run] = await warehouse.query<{ url: string; error_message: string | null }>(
    'SELECT url, error_message FROM runs',
  )
  await warehouse.close()
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
