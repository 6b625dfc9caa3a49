import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { isoUtc } from '../../../config/domain.ts'
import { healthOf, measured } from '../fake-snapshot.ts'
import { openHarness } from '../harness.ts'
import { NOW, snapshotAt } from '../world.ts'

test('the page shows waits with freshness and source, and allows nothing but its own style', async () => {
  const { call } = await openHarness()
  const page = await call(null, '/')
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.body).toMatch(
    /JFK <span>John F\. Kennedy[\s\S]*14 min<\/td><td>measured<\/td><td class="live">live<span>2 min old<\/span>[\s\S]*<td>panynj<\/td>/,
  )
  expect(page.body).not.toMatch(/<script|style=|SIMULATED|nothing newer/)
  const style = /<style>([\s\S]*?)<\/style>/.exec(page.body)![1]!
  const hash = createHash('sha256').update(style).digest('base64')
  expect(page.headers['content-security-policy']).toContain(
    `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'`,
  )
})

test('a simulated world is said before anything else', async () => {
  const { call, world } = await openHarness()
  world.snapshot = snapshotAt(NOW, { id: 'demo', simulated: true })
  const { body } = await call(null, '/')
  expect(body.indexOf('SIMULATED')).toBeGreaterThan(0)
  expect(body.indexOf('SIMULATED')).toBeLessThan(body.indexOf('<h1>'))
})

test('an expired figure is not shown, and names are escaped', async () => {
  const { call, world } = await openHarness()
  const expired = { ...measured(NOW, 77), freshness: 'expired' as const }
  world.snapshot = snapshotAt(NOW, {
    id: 'next',
    queues: { 'JFK security': expired, 'XSM security': { ...measured(NOW, 5), source: '<b>' } },
    coverage: { JFK: { live: false, sources: ['panynj'] }, XSM: { live: true, sources: ['x'] } },
  })
  const { body } = await call(null, '/')
  expect(body).not.toContain('77 min')
  expect(body).toContain('=Small, &quot;Field&quot;')
  expect(body).toContain('<td>&lt;b&gt;</td>')
})

test('typical waits are not listed, predicted ones are said to be so', async () => {
  const { call, world } = await openHarness()
  const unobserved = { ...measured(NOW, 21), observed_at: null, age_seconds: null, freshness: null }
  world.snapshot = snapshotAt(NOW, {
    queues: {
      'JFK security': { ...unobserved, basis: 'predicted' },
      'GRU security': { ...unobserved, basis: 'typical' },
    },
  })
  const { body } = await call(null, '/')
  expect(body).toMatch(/JFK <span>[\s\S]*21 min<\/td><td>predicted<\/td><td class="none">not observed now<\/td>/)
  expect(body).not.toContain('GRU')
})

test('the next 24 hours are drawn, and told in words to those who cannot see them', async () => {
  const { call } = await openHarness()
  const { body } = await call(null, '/')
  const points = /<polyline points="([^"]+)"/.exec(body)![1]!.split(' ')
  expect(points).toHaveLength(24)
  expect([points[0], points.at(-1)]).toEqual(['0,31', '144,6.4'])
  // Hour n is forecast with n minutes, from 09:00 in New York; the top is the last hour's 28.
  expect(body).toContain('aria-label="Next 24 hours: least 0 min at 09:00, most 23 min at 08:00, local time"')
})

test('sources in trouble come first, in plain words, with what becomes of their figures', async () => {
  const { call, world } = await openHarness()
  const reached = { last_success_at: isoUtc(NOW - 3 * 3_600_000) }
  world.snapshot = snapshotAt(NOW, {
    health: [
      healthOf('sea-cwt', reached),
      healthOf('panynj-graphql', { ...reached, state: 'failing', last_error_code: 'FETCH_FAILED' }),
      healthOf('mobi-mco', { state: 'failing', last_error_code: 'BROWSER_UNAVAILABLE' }),
      healthOf('mobi-iah', { state: 'off' }),
    ],
  })
  const { body } = await call(null, '/')
  expect(body).toContain('<strong>1 of 3 sources</strong> were reached')
  expect(body).toContain(
    '<li><strong>Port Authority checkpoint waits</strong> unreachable: the site could not be reached. Last reached 3 h ago;',
  )
  expect(body).toContain(
    'unreachable: it needs a browser, and none could be started here. Nothing is known from it.</li>',
  )
  expect(body).toMatch(/All 4 sources[\s\S]*<span>mobi-iah<\/span><\/th><td>switched off<\/td><td>never<\/td>/)
})

test('an old snapshot is said to be old', async () => {
  const { call, world } = await openHarness()
  expect((await call(null, '/')).body).not.toContain('nothing newer has been published')
  world.now += 3 * 3_600_000
  expect((await call(null, '/')).body).toContain('These figures are 3 h old: nothing newer has been published')
})

test('the machine-readable pages say what is true', async () => {
  const { call } = await openHarness({ HOLDSHORT_SITE_URL: 'https://holdshort.example' })
  const { body } = await call(null, '/llms.txt')
  expect(body).toContain('https://holdshort.example/mcp')
  expect(body).toContain('GET https://holdshort.example/api/v1/airports/{iata}/delays')
  const resource = (await call(null, '/.well-known/oauth-protected-resource')).json()
  expect(resource).toMatchObject({ resource: 'https://holdshort.example/mcp', bearer_methods_supported: ['header'] })
  expect(resource).not.toHaveProperty('authorization_servers')
})

test('health tells the age of the snapshot', async () => {
  const { call, world } = await openHarness()
  world.now += 90_000
  expect((await call(null, '/health')).json()).toEqual({
    ...{ status: 'ok', simulated: false },
    snapshot: { id: world.snapshot!.id, generated_at: '2026-11-21T14:20:00Z', age_seconds: 90 },
  })
})
