import { createServer, type RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { guardedFetch } from '../../../accounts/egress/guarded-fetch.ts'

const GET = { method: 'GET', timeout_ms: 2_000, max_bytes: 1_000 } as const

function listening(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  onTestFinished(() => void server.close())
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  )
}

/** Networks that RFC 6890 and its registries reserve, or that nobody has been given. */
const RESERVED_NETWORKS = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/127',
  '::7f00:1/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '4000::/3',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]

test.each(RESERVED_NETWORKS)('refuses addresses in the reserved network %s', async (network) => {
  const [address = ''] = network.split('/')
  const host = address.includes(':') ? `[${address}]` : address
  await expect(guardedFetch()(`https://${host}/`, GET)).rejects.toMatchObject({ code: 'OUTWARD_REFUSED' })
})

test.each([
  'http://example.org/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://localhost/',
  'https://[::ffff:10.0.0.1]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://user:word@example.org/',
  'file:///etc/passwd',
  'gopher://example.org/',
  'not a url',
])('refuses to request %s', async (url) => {
  await expect(guardedFetch()(url, GET)).rejects.toMatchObject({ code: 'OUTWARD_REFUSED' })
})

test('requests an allowed network, follows no redirect and aborts long and slow responses', async () => {
  const port = await listening((request, response) => {
    if (request.url === '/long') return void response.end('x'.repeat(2_000))
    if (request.url === '/slow') return
    if (request.url === '/redirect') return void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    response.end('short')
  })
  const fetchAllowed = guardedFetch(['127.0.0.1'])
  const origin = `http://127.0.0.1:${port}`
  expect((await fetchAllowed(`${origin}/`, GET)).body.toString()).toBe('short')
  expect((await fetchAllowed(`${origin}/redirect`, GET)).status).toBe(302)
  await expect(fetchAllowed(`${origin}/long`, GET)).rejects.toMatchObject({ code: 'OUTWARD_FAILED' })
  await expect(fetchAllowed(`${origin}/slow`, { ...GET, timeout_ms: 200 })).rejects.toMatchObject({
    code: 'OUTWARD_FAILED',
  })
  await expect(guardedFetch()(`${origin}/`, GET)).rejects.toMatchObject({ code: 'OUTWARD_REFUSED' })
})
