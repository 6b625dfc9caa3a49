import { expect, test } from 'vitest'
import { openHarness, shareHarness } from '../api/harness.ts'
import { WHOLE_DIRECTORY } from './eight-airports.ts'

const harness = shareHarness()
const { controls } = harness

const SITE = 'https://holdshort.example'

interface Graph {
  '@graph': ({ '@type': string } & Record<string, unknown>)[]
}

test('open pages have one canonical address, texts and a picture for previews, and data for machines', async () => {
  const { app } = await openHarness({ HOLDSHORT_SITE_URL: SITE })
  const kinds: Record<string, string[]> = {
    '/': ['WebSite'],
    '/accuracy': ['Dataset'],
    '/docs': ['WebAPI'],
    '/docs/errors': ['TechArticle', 'BreadcrumbList'],
    '/airports/JFK': ['Airport', 'BreadcrumbList'],
    '/delays': [],
  }
  const titles = new Set<string>()
  for (const [path, expected] of Object.entries(kinds)) {
    const answer = await app.inject({ url: path, headers: { host: 'holdshort.example' } })
    expect(answer.statusCode, path).toBe(200)
    const [body] = answer.body.split('</head>') as [string]
    const only = (pattern: RegExp) => {
      const found = [...body.matchAll(pattern)].map(([, text]) => text!)
      expect(found, `${path} ${pattern}`).toHaveLength(1)
      return found[0]!
    }
    expect(only(/<link rel="canonical" href="([^"]*)"/g)).toBe(SITE + path)
    expect(only(/<meta property="og:url" content="([^"]*)"/g)).toBe(SITE + path)
    expect(only(/<meta name="description" content="([^"]*)"/g).length).toBeGreaterThan(40)
    expect(only(/<meta property="og:title" content="([^"]*)"/g)).not.toBe('')
    titles.add(only(/<title>([^<]*)<\/title>/g))
    const data = [...body.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)]
    const graph = data.flatMap(([, text]) => (JSON.parse(text!) as Graph)['@graph'])
    expect(graph.map((entry) => entry['@type'])).toEqual(expected)
  }
  expect(titles.size).toBe(Object.keys(kinds).length)
  const airport = (await app.inject('/airports/JFK')).body
  expect(airport).toContain(`<meta property="og:image" content="${SITE}/airports/JFK/share.png"`)
  expect(airport).toContain('"iataCode":"JFK"')
})

test('the preview of an airport without flights promises no hours and no departure', async () => {
  const { app } = await openHarness({}, { directory: WHOLE_DIRECTORY })
  const described = async (iata: string) =>
    /<meta property="og:description" content="([^"]*)"/.exec((await app.inject(`/airports/${iata}`)).body)?.[1]
  expect(await described('JFK')).toMatch(/Next 24 hours, weather and when to leave\.$/)
  expect(await described('KBP')).toMatch(/no scheduled flights\..*\(as of 15 November 2023\)\.$/)
})

test('a simulated world asks not to be indexed', async () => {
  expect((await harness.app.inject('/accuracy')).body).not.toContain('noindex')
  controls.snapshot = Object.assign(Object.create(controls.snapshot as object), { simulated: true, id: 'simulated' })
  controls.now += 60_000
  expect((await harness.app.inject('/docs')).body).toContain('<meta name="robots" content="noindex"')
})

test('the sitemap has every page for people and every airport, unless the operator shows airports to accounts alone', async () => {
  const addressesIn = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address!)
  const { app } = await openHarness({ HOLDSHORT_SITE_URL: SITE })
  expect((await app.inject('/robots.txt')).body).toContain(`Sitemap: ${SITE}/sitemap.xml`)
  const index = await app.inject('/sitemap.xml')
  expect(index.headers['content-type']).toContain('application/xml')
  const files = addressesIn(index.body)
  const listed = new Set<string>()
  for (const file of files)
    for (const address of addressesIn((await app.inject(file.replace(SITE, ''))).body)) listed.add(address)
  const documented = [...(await app.inject('/docs')).body.matchAll(/href="(\/docs\/[^"#?]+)"/g)].map(
    ([, path]) => path!,
  )
  expect([...listed]).toEqual(expect.arrayContaining(documented.map((path) => SITE + path)))
  for (const address of listed)
    if (address.startsWith(`${SITE}/docs`))
      expect((await app.inject(address.replace(SITE, ''))).statusCode, address).toBe(200)
  for (const path of [
    '/',
    '/accuracy',
    '/docs/errors',
    '/docs/rest',
    '/docs/use/mcp',
    '/airports/JFK',
    '/airports/GRU',
  ])
    expect(listed, path).toContain(SITE + path)
  for (const address of listed) {
    if (address.includes('/airports/')) continue
    expect(
      (await app.inject({ url: address.replace(SITE, ''), headers: { accept: 'text/html' } })).statusCode,
      address,
    ).toBe(200)
  }
  const closed = await openHarness({ HOLDSHORT_OPEN_PAGES: 'none' })
  expect(addressesIn((await closed.app.inject('/sitemap.xml')).body)).toHaveLength(1)
})
