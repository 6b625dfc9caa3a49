import { expect, test } from 'vitest'
import { STYLE, STYLE_ADDRESS } from '../../site/style/index.ts'
import { createSignedInPerson } from '../accounts/people/signed-in-person.ts'
import { NOW, snapshotAt } from '../api/example-snapshot.ts'
import { openHarness, shareHarness } from '../api/harness.ts'

const harness = shareHarness()
const { controls } = harness

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const PAGES = [
  '/',
  '/status',
  '/accuracy',
  '/search?q=new',
  '/sign-in',
  '/signup',
  '/plans',
  '/nowhere',
  '/dashboard/x',
]

test('every page has the same head, search, navigation and foot, and announces a simulated world first', async () => {
  controls.snapshot = snapshotAt(NOW, { simulated: true })
  for (const url of PAGES) {
    const { body, headers } = await harness.app.inject({ url, headers: HTML })
    expect(headers['content-type'], url).toBe('text/html; charset=utf-8')
    expect(body.match(/<form class="find" method="get" action="\/search"/g), url).toHaveLength(1)
    for (const part of ['class="brand"', 'aria-label="Sections"', '<footer class="foot">', '<h1>', STYLE_ADDRESS])
      expect(body, `${url}: ${part}`).toContain(part)
    expect(body.slice(0, body.indexOf('<header')), url).toContain('SIMULATED')
    expect(body, url).not.toMatch(/<style|style=|<script(?! type="(module" src="\/assets|application\/ld\+json">))/)
    expect(headers['content-security-policy'], url).toContain(
      "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'",
    )
  }
})

test('the style sheet is kept for good at its own address, and at an older one it is not', async () => {
  const present = await harness.app.inject(STYLE_ADDRESS)
  expect([present.body, present.headers['cache-control']]).toEqual([STYLE, 'public, max-age=31536000, immutable'])
  const older = await harness.app.inject('/assets/site.0123456789abcdef.css')
  expect([older.body, older.headers['cache-control']]).toEqual([STYLE, 'no-cache'])
  expect((await harness.app.inject('/assets/other.css')).statusCode).toBe(404)
})

test('a stranger’s page is kept and shared, a signed-in visitor’s is his own', async () => {
  const stranger = await harness.app.inject({ url: '/status', headers: HTML })
  expect([stranger.headers['cache-control'], stranger.headers.vary]).toEqual([
    'public, max-age=30',
    'Accept, Accept-Encoding, Cookie',
  ])
  expect(stranger.body).toContain('<a href="/sign-in">Sign in</a>')
  const person = await createSignedInPerson(harness, { tier: 'pro' })
  const cookies = Object.fromEntries(person.cookies)
  const own = await harness.app.inject({ url: '/status', headers: HTML, cookies })
  expect(own.headers['cache-control']).toBe('private, no-store')
  expect(own.body).toContain('<a href="/dashboard">Dashboard</a>')
  const again = await harness.app.inject({ url: '/status', headers: HTML })
  expect(again.body).toBe(stranger.body)
})

test('an unknown address is a page for a browser and a problem for a program', async () => {
  const page = await harness.app.inject({ url: '/nowhere', headers: HTML })
  expect([page.statusCode, page.headers['cache-control']]).toEqual([404, 'no-store'])
  expect(page.body).toContain('There is nothing at /nowhere.')
  // People type a code behind the name of the site; the search leads them on to its airport.
  const typed = await harness.app.inject({ url: '/jfk', headers: HTML })
  expect(typed.body).toContain('<a href="/search?q=jfk">')
  const found = await harness.app.inject({ url: '/search?q=jfk', headers: HTML })
  expect([found.statusCode, found.headers.location]).toEqual([303, '/airports/JFK'])
  for (const [url, accept] of [
    ['/nowhere', '*/*'],
    ['/nowhere', 'application/json'],
    ['/api/v1/nowhere', HTML.accept],
    ['/search.json?q=1&q=2', HTML.accept],
  ])
    expect(
      (await harness.app.inject({ url: url!, headers: { accept: accept! } })).headers['content-type'],
      url,
    ).toMatch(/^application\/problem\+json/)
})

test('one address may load a number of pages in a minute', async () => {
  const { app, controls } = await openHarness({ HOLDSHORT_OPEN_PAGES_PER_MINUTE: '2' })
  const load = async (url: string) => (await app.inject({ url, headers: HTML })).statusCode
  expect([await load('/'), await load('/status'), await load('/')]).toEqual([200, 200, 429])
  const limited = await app.inject({ url: '/search.json?q=jfk' })
  expect(limited.json()).toMatchObject({ code: 'rate_limited', scope: 'address' })
  const page = await app.inject({ url: '/', headers: HTML })
  expect(Number(page.headers['retry-after'])).toBeGreaterThan(0)
  expect(page.body).toContain('More than 2 pages and pictures in a minute')
  expect((await app.inject({ url: '/health' })).statusCode).toBe(200)
  controls.now += 61_000
  expect(await load('/')).toBe(200)
})

test('the search leads to the airport that is meant, lists several, and says so when there is none', async () => {
  const search = (q: string) => harness.app.inject({ url: `/search?q=${encodeURIComponent(q)}`, headers: HTML })
  expect((await search('jfk')).headers.location).toBe('/airports/JFK')
  expect((await search('  Zürich ')).headers.location).toBe('/airports/ZRH')
  const several = await search('new york')
  expect(several.body).toMatch(/href="\/airports\/JFK"[\s\S]*href="\/airports\/LGA"/)
  expect((await search('<b>qqqq')).body).toContain('No airport is called “&lt;b>qqqq”')
  expect((await search('')).body).toContain('<h1>Find an airport</h1>')
  const long = await search('x'.repeat(101))
  expect([long.statusCode, long.body.includes('q: must be one text of at most 100 characters')]).toEqual([400, true])
  const suggestions = await harness.app.inject('/search.json?q=sao%20paulo')
  expect(suggestions.json()).toMatchObject({
    query: 'sao paulo',
    airports: [{ iata: 'GRU', place: 'São Paulo, Brazil', address: '/airports/GRU' }],
  })
})

test('a suggestion says why an airport of another name is found', async () => {
  const placeOf = async (query: string) =>
    (await harness.app.inject(`/search.json?q=${query}`)).json().airports[0].place as string
  const place = await placeOf('jfk')
  expect(place).not.toContain('·')
  expect(await placeOf('kjfk')).toBe(`${place} · exactly the ICAO code KJFK`)
})
