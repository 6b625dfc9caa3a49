import { expect, test } from 'vitest'
import { guardedFetch } from '../../../accounts/egress/guarded-fetch.ts'
import { serveLocally } from '../../local-server.ts'
import { readCases } from '../../values.ts'

const GET = { method: 'GET', timeout_ms: 2_000, max_bytes: 1_000 } as const

/** Networks that RFC 6890 and its registries reserve or that nobody has been given, and other addresses that are refused. */
const REFUSED = readCases<{ networks: string[]; urls: string[] }>('accounts/egress/refused.json')

test.each(REFUSED.networks)('refuses addresses in the reserved network %s', async (network) => {
  const [address = ''] = network.split('/')
  const host = address.includes(':') ? `[${address}]` : address
  await expect(guardedFetch()(`https://${host}/`, GET)).rejects.toMatchObject({ code: 'OUTWARD_REFUSED' })
})

test.each(REFUSED.urls)('refuses to request %s', async (url) => {
  await expect(guardedFetch()(url, GET)).rejects.toMatchObject({ code: 'OUTWARD_REFUSED' })
})

test('requests an allowed network, follows no redirect and aborts long and slow responses', async () => {
  const origin = await serveLocally((request, response) => {
    if (request.url === '/long') return void response.end('x'.repeat(2_000))
    if (request.url === '/slow') return
    if (request.url === '/redirect') return void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    response.end('short')
  })
  const fetchAllowed = guardedFetch(['127.0.0.1'])
  expect((await fetchAllowed(`${origin}/`, GET)).body.toString()).toBe('short')
  expect((await fetchAllowed(`${origin}/redirect`, GET)).status).toBe(302)
  await expect(fetchAllowed(`${origin}/long`, GET)).rejects.toMatchObject({ code: 'OUTWARD_FAILED' })
  await expect(fetchAllowed(`${origin}/slow`, { ...GET, timeout_ms: 200 })).rejects.toMatchObject({
    code: 'OUTWARD_FAILED',
  })
  await expect(guardedFetch()(`${origin}/`, GET)).rejects.toMatchObject({ code: 'OUTWARD_REFUSED' })
})
