import robotsParserModule from 'robots-parser'
import { expect, test } from 'vitest'
import { openHarness } from '../harness.ts'

/** CommonJS: see pipeline/fetch/robots.ts. */
const robotsParser = robotsParserModule as unknown as typeof robotsParserModule.default
const SITE = 'https://holdshort.example'
const PUBLIC = { HOLDSHORT_SITE_URL: SITE, HOLDSHORT_CONTACT: 'ops@holdshort.example' }
const DOCUMENTS = [
  '/robots.txt',
  '/llms.txt',
  '/openapi.json',
  '/.well-known/security.txt',
  '/.well-known/api-catalog',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
]

test('every document can be cached, asked for with HEAD and read by pages of any origin', async () => {
  const { call } = await openHarness(PUBLIC)
  for (const url of DOCUMENTS) {
    const answer = await call(null, url)
    expect(answer.statusCode, url).toBe(200)
    expect(answer.headers, url).toMatchObject({
      ...{ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=3600' },
      'x-content-type-options': 'nosniff',
    })
    const again = await call(null, url, { headers: { 'if-none-match': String(answer.headers.etag) } })
    expect([again.statusCode, again.body], url).toEqual([304, ''])
    const head = await call(null, url, { method: 'HEAD' })
    expect([head.statusCode, head.body, head.headers.etag], url).toEqual([200, '', answer.headers.etag])
    expect((await call(null, url, { method: 'POST' })).statusCode, url).toBe(405)
  }
})

test('crawlers may read the site, not the API', async () => {
  const { call } = await openHarness(PUBLIC)
  const { body, headers } = await call(null, '/robots.txt')
  expect(headers['content-type']).toMatch(/^text\/plain/)
  const robots = robotsParser(`${SITE}/robots.txt`, body)
  const allowed = (path: string) => robots.isAllowed(`${SITE}${path}`, 'anybot')
  expect(['/', '/status', '/llms.txt', '/.well-known/api-catalog'].map(allowed)).toEqual([true, true, true, true])
  expect(['/api/v1/airports', '/api/agent/register', '/mcp'].map(allowed)).toEqual([false, false, false])
})

test('security.txt names the contact and expires 180 days from now, every day anew', async () => {
  const { call, world } = await openHarness(PUBLIC)
  const first = await call(null, '/.well-known/security.txt')
  expect(first.headers['content-type']).toMatch(/^text\/plain/)
  expect(first.body).toBe(
    `Contact: mailto:ops@holdshort.example\nExpires: 2027-05-20T00:00:00Z\nCanonical: ${SITE}/.well-known/security.txt\n`,
  )
  world.now += 86_400_000
  const next = await call(null, '/.well-known/security.txt', {
    headers: { 'if-none-match': String(first.headers.etag) },
  })
  expect(next.statusCode).toBe(200)
  expect(next.body).toContain('Expires: 2027-05-21T00:00:00Z')
})

test('without https there is no Canonical line, and without a contact that is a URI no security.txt', async () => {
  const plain = await openHarness()
  expect((await plain.call(null, '/.well-known/security.txt')).body).toMatch(/^Contact: https:\/\/\S+\nExpires: \S+\n$/)
  const nameless = await openHarness({ HOLDSHORT_CONTACT: 'the people of gate 9' })
  expect((await nameless.call(null, '/.well-known/security.txt')).statusCode).toBe(404)
})

test('the API catalog is a linkset whose every address of ours answers', async () => {
  const { call } = await openHarness(PUBLIC)
  const { headers, ...catalog } = await call(null, '/.well-known/api-catalog')
  expect(headers['content-type']).toBe('application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"')
  const { linkset } = catalog.json()
  expect(linkset[0]).toEqual({
    anchor: `${SITE}/.well-known/api-catalog`,
    item: [{ href: `${SITE}/api/v1` }, { href: `${SITE}/mcp` }],
  })
  expect(linkset[1]).toMatchObject({
    anchor: `${SITE}/api/v1`,
    'service-desc': [{ href: `${SITE}/openapi.json`, type: 'application/json' }],
    'service-doc': [{ href: `${SITE}/llms.txt`, type: 'text/plain' }],
    status: [{ href: `${SITE}/status`, type: 'application/json' }],
  })
  for (const { anchor: _anchor, item: _item, ...relations } of linkset)
    for (const { href, type } of Object.values<{ href: string; type: string }[]>(relations).flat()) {
      const answer = await call(null, href.slice(SITE.length), { headers: { accept: type } })
      expect([answer.statusCode, String(answer.headers['content-type']).split(';')[0]], href).toEqual([200, type])
    }
  const head = await call(null, '/.well-known/api-catalog', { method: 'HEAD' })
  expect(head.headers.link).toContain(`<${SITE}/.well-known/api-catalog>; rel="api-catalog"`)
})

test('the metadata of the MCP server is the same at both of its addresses', async () => {
  const { call } = await openHarness(PUBLIC)
  const [plain, inserted] = await Promise.all(
    ['', '/mcp'].map((path) => call(null, `/.well-known/oauth-protected-resource${path}`)),
  )
  expect(inserted!.body).toBe(plain!.body)
  expect(inserted!.json().resource).toBe(`${SITE}/mcp`)
})
