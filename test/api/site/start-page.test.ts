import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { measured } from '../fake-snapshot.ts'
import { openHarness } from '../harness.ts'
import { NOW, snapshotAt } from '../world.ts'

test('the page shows waits with freshness and source, and allows nothing but its own style', async () => {
  const { call } = await openHarness()
  const page = await call(null, '/')
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.body).toMatch(
    /JFK <span>John F\. Kennedy[\s\S]*14 min<\/td><td class="live">live, 2 min ago<\/td><td>measured<\/td><td>panynj/,
  )
  expect(page.body).not.toMatch(/<script|src=|Simulated world/)
  const style = /<style>([\s\S]*?)<\/style>/.exec(page.body)![1]!
  const hash = createHash('sha256').update(style).digest('base64')
  expect(page.headers['content-security-policy']).toContain(`default-src 'none'; style-src 'sha256-${hash}'`)
})

test('a simulated world is said before anything else', async () => {
  const { call, world } = await openHarness()
  world.snapshot = snapshotAt(NOW, { id: 'demo', simulated: true })
  const { body } = await call(null, '/')
  expect(body.indexOf('Simulated world')).toBeGreaterThan(0)
  expect(body.indexOf('Simulated world')).toBeLessThan(body.indexOf('<h1>'))
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
