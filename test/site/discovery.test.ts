import { createHash } from 'node:crypto'
import robotsParserModule from 'robots-parser'
import { expect, test } from 'vitest'
import { TOOLS } from '../../bin/service/registry.ts'
import { SKILLS } from '../../site/discovery/skills.ts'
import { openHarness, shareHarness } from '../api/harness.ts'
import { readCases } from '../values.ts'

/** CommonJS: see pipeline/transport/robots.ts. */
const robotsParser = robotsParserModule as unknown as typeof robotsParserModule.default
const SITE = 'https://holdshort.example'
const PUBLIC = { HOLDSHORT_SITE_URL: SITE, HOLDSHORT_CONTACT: 'ops@airport.aero' }
const { call, controls } = shareHarness(PUBLIC)
const { documents: DOCUMENTS } = readCases<{ documents: string[] }>('site/addresses.json')

test('every document can be cached, requested with HEAD and read by pages of any origin', async () => {
  for (const url of DOCUMENTS) {
    const answer = await call(null, url)
    expect(answer.statusCode, url).toBe(200)
    expect(answer.headers, url).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=3600',
      'x-content-type-options': 'nosniff',
    })
    const again = await call(null, url, { headers: { 'if-none-match': String(answer.headers.etag) } })
    expect([again.statusCode, again.body], url).toEqual([304, ''])
    const head = await call(null, url, { method: 'HEAD' })
    expect([head.statusCode, head.body, head.headers.etag], url).toEqual([200, '', answer.headers.etag])
    expect((await call(null, url, { method: 'POST' })).statusCode, url).toBe(405)
  }
})

test('robots.txt allows the site and disallows the API', async () => {
  const { body, headers } = await call(null, '/robots.txt')
  expect(headers['content-type']).toMatch(/^text\/plain/)
  const robots = robotsParser(`${SITE}/robots.txt`, body)
  const allowed = (path: string) => robots.isAllowed(`${SITE}${path}`, 'anybot')
  expect(['/', '/status', '/llms.txt', '/.well-known/api-catalog'].map(allowed)).toEqual([true, true, true, true])
  expect(['/api/v1/airports', '/api/agent/register', '/mcp'].map(allowed)).toEqual([false, false, false])
})

test('security.txt names the contact and expires 180 days from now, updated every day', async () => {
  const first = await call(null, '/.well-known/security.txt')
  expect(first.headers['content-type']).toMatch(/^text\/plain/)
  expect(first.body).toBe(
    `Contact: mailto:ops@airport.aero\nExpires: 2027-05-20T00:00:00Z\nCanonical: ${SITE}/.well-known/security.txt\n`,
  )
  controls.now += 86_400_000
  const next = await call(null, '/.well-known/security.txt', {
    headers: { 'if-none-match': String(first.headers.etag) },
  })
  expect(next.statusCode).toBe(200)
  expect(next.body).toContain('Expires: 2027-05-21T00:00:00Z')
})

test('security.txt has no Canonical line without https', async () => {
  const plain = await openHarness()
  expect((await plain.call(null, '/.well-known/security.txt')).body).toMatch(/^Contact: https:\/\/\S+\nExpires: \S+\n$/)
})

test('the API catalog is a linkset, and each of its addresses on this site answers', async () => {
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
    'service-doc': [{ href: `${SITE}/llms.txt` }],
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
  const [plain, inserted] = await Promise.all(
    ['', '/mcp'].map((path) => call(null, `/.well-known/oauth-protected-resource${path}`)),
  )
  expect(inserted!.body).toBe(plain!.body)
  expect(inserted!.json()).toMatchObject({ resource: `${SITE}/mcp`, bearer_methods_supported: ['header'] })
})

test('the digests of the skills match the bytes that are served', async () => {
  const { skills } = (await call(null, '/.well-known/agent-skills/index.json')).json()
  expect(skills.length).toBe(SKILLS.length)
  for (const { name, description, url, digest, type } of skills) {
    expect(url).toBe(`${SITE}/.well-known/agent-skills/${name}/SKILL.md`)
    expect([name, type]).toEqual([expect.stringMatching(/^[a-z]+(-[a-z]+)*$/), 'skill-md'])
    const file = await call(null, url.slice(SITE.length))
    expect(file.headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(digest, name).toBe(`sha256:${createHash('sha256').update(file.rawPayload).digest('hex')}`)
    const head = `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n# `
    expect(file.body.slice(0, head.length)).toBe(head)
    expect(file.body).not.toMatch(/undefined|\[object/)
  }
})

test('the skills name every tool and no unknown one, and their example input is valid', async () => {
  const skills = ['plan-a-departure', 'cross-the-schengen-border'].map(skillAddress)
  const bodies = await Promise.all(skills.map(async (url) => (await call(null, url)).body))
  const text = bodies.join('\n')
  for (const { name } of TOOLS) expect(text).toContain(`\`${name}\``)
  const named = [...text.matchAll(/`((?:get|search|compare|check|create|submit|discover)_\w+)`/g)].map(
    ([, name]) => name,
  )
  expect(named.filter((name) => !TOOLS.some((tool) => tool.name === name))).toEqual([])
  for (const body of bodies) expect(body.length).toBeLessThan(4_000)
  const [, sent = ''] = bodies[1]!.match(/^ {7}(\{.*\})$/m) ?? []
  const { query } = TOOLS.find(({ name }) => name === 'check_schengen_days')!
  expect(query.input.safeParse(JSON.parse(sent)).error).toBeUndefined()
})

test('llms.txt has the form of llmstxt.org: a title, a quote, text without headings, then lists of links alone', async () => {
  const { body } = await call(null, '/llms.txt')
  const [start, ...lists] = body.split(/^## .+$/m)
  expect(start).toMatch(/^# Holdshort\n\n> .+\n\n\w/)
  expect(start).not.toMatch(/\n#/)
  expect(start).toContain('/api/v1/airports/{iata}/wait-times')
  expect(lists.length).toBeGreaterThan(1)
  for (const line of lists.join('\n').split('\n').filter(Boolean))
    expect(line).toMatch(/^- \[[^\]]+\]\(https?:[^)]+\)(: .+)?$/)
})

const skillAddress = (name: string) => `/.well-known/agent-skills/${name}/SKILL.md`
