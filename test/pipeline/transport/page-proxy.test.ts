import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { publicNetwork } from '../../../config/public-network.ts'
import { createHttpClient } from '../../../pipeline/transport/http-client.ts'
import { openPageProxy } from '../../../pipeline/transport/page-proxy.ts'
import { openLocalSite, text } from '../local-site.ts'
import { testSource } from '../test-source.ts'

type Resolver = NonNullable<Parameters<typeof publicNetwork>[1]>

/** A resolver of names that are made up: each request of a name gets the next of its addresses. */
function resolverOf(names: Record<string, string[]>): Resolver {
  const lookup = (name: string, _options: unknown, done: (error: Error | null, addresses?: unknown) => void) => {
    const addresses = names[name]
    const [address = ''] = (addresses?.length ?? 0) > 1 ? (addresses?.splice(0, 1) ?? []) : (addresses ?? [])
    if (address === '') return done(Object.assign(new Error(`${name} is unknown`), { code: 'ENOTFOUND' }))
    done(null, [{ address, family: address.includes(':') ? 6 : 4 }])
  }
  return lookup as unknown as Resolver
}

async function proxyOf(allowed: string[], resolver?: Resolver, only: string | null = null) {
  const proxy = await openPageProxy(publicNetwork(allowed, resolver), only)
  onTestFinished(() => proxy.close())
  return proxy
}

/** What the proxy answers to the first bytes of a connection. */
function answerTo(address: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.once('data', (answer) => resolve(answer.toString()))
    socket.once('error', reject).once('close', () => resolve(''))
    onTestFinished(() => void socket.destroy())
  })
}
const tunnelTo = (address: string, host: string) =>
  answerTo(address, `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
const getOf = (address: string, url: string) =>
  answerTo(address, `GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)

/** Ways of writing an address or a name of a private network; all of these networks are in `guarded-fetch.test.ts`. */
const PRIVATE = ['127.0.0.1', '169.254.169.254', '2130706433', 'localhost', '[::ffff:a9fe:a9fe]', '[fd00:ec2::254]']

test.each(PRIVATE)('refuses a tunnel and a request to %s', async (host) => {
  const proxy = await proxyOf([])
  expect(await tunnelTo(proxy.address, `${host}:80`)).toMatch(/^HTTP\/1\.1 502 /)
  expect(await getOf(proxy.address, `http://${host}/`)).toMatch(/is in a private network/)
})

test('refuses a name that resolves to a private address, also when it was public before', async () => {
  const site = await openLocalSite()
  onTestFinished(() => site.close())
  const { port } = new URL(site.url)
  const names = { 'rebound.test': ['127.0.0.2', '127.0.0.1'], 'inside.test': ['10.1.2.3'] }
  const proxy = await proxyOf(['127.0.0.2'], resolverOf(names))
  expect(await getOf(proxy.address, 'http://inside.test/')).toMatch(/inside\.test is in a private network/)
  // Nothing listens on the allowed address; the second request must not reach the site of this machine.
  expect(await getOf(proxy.address, `http://rebound.test:${port}/`)).not.toMatch(/private network/)
  expect(await getOf(proxy.address, `http://rebound.test:${port}/`)).toMatch(/rebound\.test is in a private network/)
  expect(site.seen).toEqual([])
})

test('carries requests and tunnels to allowed addresses', async () => {
  const site = await openLocalSite()
  onTestFinished(() => site.close())
  site.pages.set('/waits', text('12 minutes', 'text/plain'))
  const { port } = new URL(site.url)
  const proxy = await proxyOf(['127.0.0.1'], resolverOf({ 'site.test': ['127.0.0.1'] }))
  expect(await getOf(proxy.address, `http://site.test:${port}/waits?x=1`)).toMatch(/12 minutes/)
  expect(site.seen[0]).toMatchObject({ path: '/waits?x=1', headers: { host: `site.test:${port}` } })
  expect(await tunnelTo(proxy.address, `site.test:${port}`)).toMatch(/^HTTP\/1\.1 200 /)
})

test('reaches only the simulated world where there is one', async () => {
  const world = await openLocalSite()
  const other = createServer((_, response) => response.end('secret'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  onTestFinished(() => world.close())
  world.pages.set('/page', text('simulated'))
  const proxy = await proxyOf(['0.0.0.0/0'], undefined, world.url)
  expect(await getOf(proxy.address, `${world.url}/page`)).toMatch(/simulated/)
  const { port } = other.address() as AddressInfo
  expect(await getOf(proxy.address, `http://127.0.0.1:${port}/`)).toMatch(/only the simulated world is reachable/)
})

test.each([
  'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET ftp://x/ HTTP/1.1\r\nHost: x\r\n\r\n',
  'nonsense\r\n\r\n',
  'CONNECT :0 HTTP/1.1\r\nHost: x\r\n\r\n',
])('survives %j', async (bytes) => {
  const proxy = await proxyOf([])
  await answerTo(proxy.address, bytes)
  expect(await getOf(proxy.address, 'http://127.0.0.1/')).toMatch(/private network/)
})

test('the HTTP client refuses private addresses, names of private addresses, and redirects to them', async () => {
  const site = await openLocalSite()
  onTestFinished(() => site.close())
  const { port } = new URL(site.url)
  const fetchOf = (url: string, allowed: string[]) =>
    createHttpClient({ version: '1', contact: 'x@example.org', retries: 0, allowed_networks: allowed }).fetch(
      { url, method: 'GET', headers: {}, body: null, iata: null },
      testSource(),
      null,
    )
  // robots.txt is requested first, and an unreachable one forbids the page.
  const refused = { message: expect.stringContaining('is in a private network') }
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254'])
    await expect(fetchOf(`http://${host}:${port}/`, [])).rejects.toMatchObject(refused)
  expect(site.seen).toEqual([])
  site.pages.set('/away', (_, response) => response.writeHead(302, { Location: 'http://169.254.169.254/' }).end())
  await expect(fetchOf(`${site.url}/away`, ['127.0.0.1'])).rejects.toMatchObject(refused)
  site.pages.set('/fine', text('fine'))
  expect((await fetchOf(`${site.url}/fine`, ['127.0.0.1'])).status).toBe(200)
})
