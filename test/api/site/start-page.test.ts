import { expect, test } from 'vitest'
import { NOW, snapshotAt } from '../example-snapshot.ts'
import { healthOf, measured } from '../fake-snapshot.ts'
import { openHarness } from '../harness.ts'

test('the page shows waits with freshness and source, and its policy allows only its own style', async () => {
  const { call } = await openHarness()
  const page = await call(null, '/')
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.body).toMatch(
    /JFK <span>John F\. Kennedy[\s\S]*14 min<\/td><td>measured<\/td><td class="live">live<span>2 min old<\/span>[\s\S]*<td>panynj<\/td>/,
  )
  expect(page.body).not.toMatch(/<style|style=|SIMULATED|nothing newer/)
  expect(page.headers['content-security-policy']).toContain(`default-src 'none'; style-src 'self'; img-src 'self'`)
})

test('a simulated world is announced before anything else', async () => {
  const { call, controls } = await openHarness()
  controls.snapshot = snapshotAt(NOW, { id: 'demo', simulated: true })
  const { body } = await call(null, '/')
  expect(body.indexOf('SIMULATED')).toBeGreaterThan(0)
  expect(body.indexOf('SIMULATED')).toBeLessThan(body.indexOf('<h1>'))
})

test('an expired figure is not shown, and names are escaped', async () => {
  const { call, controls } = await openHarness()
  const expired = { ...measured(NOW, 77), freshness: 'expired' as const }
  controls.snapshot = snapshotAt(NOW, {
    id: 'next',
    queues: { 'JFK security': expired, 'XSM security': { ...measured(NOW, 5), source: '<b>' } },
    coverage: { JFK: { live: false, sources: ['panynj'] }, XSM: { live: true, sources: ['x'] } },
  })
  const { body } = await call(null, '/')
  expect(body).not.toContain('77 min')
  expect(body).toContain('=Small, &quot;Field&quot;')
  expect(body).toContain('<td>&lt;b></td>')
})

test('typical waits are not listed, and predicted ones are labelled', async () => {
  const { call, controls } = await openHarness()
  const unobserved = { ...measured(NOW, 21), observed_at: null, age_seconds: null, freshness: null }
  controls.snapshot = snapshotAt(NOW, {
    queues: {
      'JFK security': { ...unobserved, basis: 'predicted' },
      'GRU security': { ...unobserved, basis: 'typical' },
    },
  })
  const { body } = await call(null, '/')
  expect(body).toMatch(/JFK <span>[\s\S]*21 min<\/td><td>predicted<\/td><td class="none">not observed now<\/td>/)
  expect(body).not.toContain('GRU')
})

test('the next 24 hours are drawn, with a label in words for screen readers', async () => {
  const { call } = await openHarness()
  const { body } = await call(null, '/')
  const points = /<polyline points="([^"]+)"/.exec(body)![1]!.split(' ')
  expect(points).toHaveLength(24)
  expect([points[0], points.at(-1)]).toEqual(['0,31', '144,6.4'])
  // Hour n is forecast with n minutes, from 09:00 in New York; the top is the last hour's 28.
  expect(body).toContain('aria-label="Next 24 hours: least 0 min at 09:00, most 23 min at 08:00, local time"')
})

test('the healthy sources are counted, with a link to the status page', async () => {
  const { call, controls } = await openHarness()
  controls.snapshot = snapshotAt(NOW, {
    health: [
      healthOf('sea-cwt'),
      healthOf('panynj-graphql', { state: 'failing', last_error_code: 'FETCH_FAILED' }),
      healthOf('mobi-mco', { state: 'not_asked' }),
      healthOf('mobi-iah', { state: 'off' }),
    ],
  })
  const { body } = await call(null, '/')
  expect(body).toContain('<strong>1 of 2 sources</strong> are healthy. The <a href="/status">')
})

test('an old snapshot has a warning with its age', async () => {
  const { call, controls } = await openHarness()
  expect((await call(null, '/')).body).not.toContain('nothing newer has been published')
  controls.now += 3 * 3_600_000
  expect((await call(null, '/')).body).toContain('These figures are 3 h old: nothing newer has been published')
})

test('the page links to sign-in, sign-up and the plans', async () => {
  const { call } = await openHarness()
  const { body } = await call(null, '/')
  const nav = /<nav class="sections".*?<\/nav>/.exec(body)![0]
  expect(nav).toContain('href="/sign-in"')
  const tiers = /<section id="tiers"[\s\S]*?<\/section>/.exec(body)![0]
  for (const href of ['#key', '/signup', '/plans']) expect(tiers).toContain(`href="${href}"`)
})

test('llms.txt and the protected-resource metadata name the addresses of this site', async () => {
  const { call } = await openHarness({ HOLDSHORT_SITE_URL: 'https://holdshort.example' })
  const { body } = await call(null, '/llms.txt')
  expect(body).toContain('https://holdshort.example/mcp')
  expect(body).toContain('GET https://holdshort.example/api/v1/airports/{iata}/delays')
  const resource = (await call(null, '/.well-known/oauth-protected-resource')).json()
  expect(resource).toMatchObject({ resource: 'https://holdshort.example/mcp', bearer_methods_supported: ['header'] })
  expect(resource).toMatchObject({ authorization_servers: ['https://holdshort.example'] })
})

test('health returns the age of the snapshot', async () => {
  const { call, controls } = await openHarness()
  controls.now += 90_000
  expect((await call(null, '/health')).json()).toEqual({
    status: 'ok',
    simulated: false,
    snapshot: { id: controls.snapshot!.id, generated_at: '2026-11-21T14:20:00Z', age_seconds: 90 },
    faults: [],
  })
})
