import { expect, test } from 'vitest'
import { airportDirectory } from '../../config/airports/directory.ts'
import { createSignedInPerson } from '../accounts/people/signed-in-person.ts'
import { NOW, snapshotAt } from '../api/example-snapshot.ts'
import { healthOf, measured } from '../api/fake-snapshot.ts'
import { openHarness, shareHarness } from '../api/harness.ts'
import { textOf } from './text-of.ts'

const harness = shareHarness()
const { call, controls } = harness

test('the page shows waits with freshness and source', async () => {
  const page = await call(null, '/')
  expect(page.body).toMatch(
    /JFK<\/a> <span>John F\. Kennedy[\s\S]*14 min at T4<\/div><\/td><td class="live"[^>]*><div>measured<span>live, 2 min old<\/span><\/div><\/td><td[^>]*><div>an import of the operator \(panynj\)<\/div>/,
  )
  expect(page.body).not.toMatch(/SIMULATED|nothing newer/)
})

test('an expired figure is not shown, and names are escaped', async () => {
  const expired = { ...measured(NOW, 77), freshness: 'expired' as const }
  controls.snapshot = snapshotAt(NOW, {
    id: 'next',
    queues: { 'JFK security': expired, 'XSM security': { ...measured(NOW, 5), source: '<b>' } },
    coverage: { JFK: { live: false, sources: ['panynj'] }, XSM: { live: true, sources: ['x'] } },
  })
  const { body } = await call(null, '/')
  expect(body).not.toContain('77 min')
  expect(body).toContain('=Small, &quot;Field&quot;')
  expect(body).toContain('<div>an import of the operator (&lt;b>)</div></td>')
})

test('typical waits are not listed, and predicted ones are labelled', async () => {
  const unobserved = { ...measured(NOW, 21), observed_at: null, age_seconds: null, freshness: null }
  controls.snapshot = snapshotAt(NOW, {
    queues: {
      'JFK security': { ...unobserved, basis: 'predicted' },
      'GRU security': { ...unobserved, basis: 'typical' },
    },
  })
  const { body } = await call(null, '/')
  expect(body).toMatch(
    /JFK<\/a> <span>[\s\S]*21 min<\/div><\/td><td class="none"[^>]*><div>predicted<span>not observed now<\/span>/,
  )
  expect(body).not.toContain('GRU')
})

test('what is worst now comes first, and a link leads to each airport', async () => {
  controls.snapshot = snapshotAt(NOW, {
    queues: {
      'JFK security': measured(NOW, 14),
      'DEL security': measured(NOW, 42),
      'ZRH security': { ...measured(NOW, 90), freshness: 'expired' },
    },
  })
  const { body } = await call(null, '/')
  const longest = /id="longest-title"[\s\S]*?<\/section>/.exec(body)![0]
  expect([...longest.matchAll(/href="\/airports\/(\w+)"/g)].map(([, iata]) => iata)).toEqual(['DEL', 'JFK'])
  expect(longest).toMatch(/level-4"><\/i> 42\u00a0min</)
  const delays = /id="delays-title"[\s\S]*?<\/section>/.exec(body)![0]
  expect([...delays.matchAll(/href="\/airports\/(\w+)"/g)].map(([, iata]) => iata)).toEqual(['JFK'])
  expect(delays).toContain('<b class="state ground_delay">Ground delay</b>')
})

test('on the map a wait is written where no other mark covers it, and within the edge', async () => {
  const world = await openHarness({}, { directory: airportDirectory() })
  const waits = Object.entries({ SAT: 8, SFO: 20, HOU: 41, ICN: 42, MCO: 45 })
  world.controls.snapshot = snapshotAt(NOW, {
    queues: Object.fromEntries(waits.map(([iata, minutes]) => [`${iata} security`, measured(NOW, minutes)])),
  })
  const [map] = /<svg class="map[\s\S]*?<\/svg>/.exec((await world.call(null, '/')).body)!
  const written = [...map.matchAll(/<text[^>]*?(text-anchor="end")?>(\w+ \d+)<\/text>/g)]
  // MCO lies on the words of HOU, and HOU on those of SAT; ICN lies at the right edge of what is shown.
  expect(written.map(([, anchor, text]) => [text, anchor !== undefined])).toEqual([
    ['SFO 20', false],
    ['ICN 42', true],
    ['MCO 45', false],
  ])
})

test('the operator may keep the waits from strangers; the delays stay open', async () => {
  const closed = await openHarness({ HOLDSHORT_OPEN_PAGES: 'none' })
  const { body } = await closed.call(null, '/')
  expect(body).toContain('only to people who have <a href="/sign-in">signed in</a>')
  expect(body).not.toContain('14 min')
  expect((await closed.app.inject('/map.json')).json()).toMatchObject({ code: 'PREMIUM_REQUIRED' })
  expect((await closed.call(null, '/?colour=delay')).body).toContain('class="delay-ground"')
  const person = await createSignedInPerson(closed, { tier: 'pro' })
  const own = await closed.app.inject({ url: '/', cookies: Object.fromEntries(person.cookies) })
  expect(own.body).toContain('14 min')
})

test('the map colours airports by wait or delay, writes the waits on it, and refuses another colour', async () => {
  const { app } = harness
  const marks = async (query: string) =>
    [
      ...(await call(null, `/${query}`)).body.matchAll(/<title>(\w{3}) [^<:]*: ([^<]*)<\/title><\w+ class="([^"]*)"/g),
    ].map(([, ...mark]) => mark)
  expect(await marks('')).toEqual([['JFK', '14 min at T4, measured 2 min ago', 'wait-2']])
  expect((await call(null, '/')).body).toMatch(/<text x="[\d.]+" y="5">JFK 14<\/text>/)
  expect(await marks('?colour=delay')).toEqual([
    ['JFK', 'Ground delay: flights to JFK wait 42 min on average, until 15:00 (wind).', 'delay-ground'],
  ])
  const refused = await app.inject({ url: '/?colour=freshness', headers: { accept: 'text/html' } })
  expect([refused.statusCode, refused.body.includes('colour: must be one of wait, delay')]).toEqual([400, true])
})

test('the map has every airport, and is a picture, a table and data with its origin', async () => {
  const { app } = harness
  controls.snapshot = snapshotAt(NOW, { simulated: true })
  const address = /data-dots="(\/assets\/maps\/dots\.[\w-]+\.svg)/.exec((await call(null, '/')).body)![1]!
  const background = await app.inject(address)
  expect(background.headers['cache-control']).toContain('immutable')
  const dots = [...background.body.matchAll(/class="dots[^"]*" d="([^"]+)"/g)].map(([, d]) => d!.split('h0').length - 1)
  expect(dots).toEqual([1, 5 - AT_ONE_PLACE])
  const json = (await app.inject('/map.json')).json()
  expect(json).toMatchObject({
    title: 'Security wait now',
    unit: 'minutes',
    simulated: true,
    made_at: '2026-11-21T14:20:00Z',
  })
  expect(json.airports).toMatchObject([{ airport: 'JFK', wait_minutes: 14, basis: 'measured', source: 'panynj' }])
  const [head, row] = (await app.inject('/map.csv')).body.split('\n')
  expect(head).toBe(
    'airport,name,country,latitude,longitude,wait_minutes,shortest_minutes,longest_minutes,status,basis,observed_at,age_seconds,source,freshness,made_at,simulated',
  )
  expect(row).toMatch(/^JFK,John F\. Kennedy International Airport,US,.*,14,14,14,open,measured,.*,true$/)
  const svg = await app.inject('/map.svg')
  expect(svg.headers['content-type']).toContain('image/svg+xml')
  for (const part of ['SIMULATED: Security wait now', 'prefers-color-scheme:dark', 'Natural Earth', '<desc id="desc">'])
    expect(svg.body).toContain(part)
  const png = await app.inject('/map.png')
  expect(png.rawPayload.subarray(1, 4).toString()).toBe('PNG')
  controls.snapshot = null
  expect((await app.inject('/map.json')).json()).toMatchObject({ code: 'NOT_READY' })
})

/** LGA, GRU, DEL and ZRH of the test directory have no place of their own, so that they share one dot. */
const AT_ONE_PLACE = 3

test('the healthy sources are counted, with a link to the status page', async () => {
  controls.snapshot = snapshotAt(NOW, {
    health: [
      healthOf('sea-cwt'),
      healthOf('panynj-graphql', { state: 'failing', last_error_code: 'FETCH_FAILED' }),
      healthOf('mobi-mco', { state: 'not_asked' }),
      healthOf('mobi-iah', { state: 'off' }),
    ],
  })
  const { body } = await call(null, '/')
  expect(body).toContain('<p class="card-figure">1 of 2</p>')
})

test('figures of zero and one read as sentences', async () => {
  const textAt = async (over: object, id: string) => {
    controls.snapshot = snapshotAt(NOW, { id, ...over })
    return textOf((await call(null, '/')).body)
  }
  const nothing = await textAt({ queues: {}, delays: {} }, 'nothing')
  expect(nothing).toContain('no source asked yet The first collection is under way.')
  expect(nothing).toContain('No airport is measured now.')
  const stale = { 'JFK security': { ...measured(NOW, 14), freshness: 'stale' as const } }
  expect(await textAt({ queues: stale }, 'stale')).toContain('No airport is measured now.')
  expect(nothing).not.toMatch(/none yet|\b0 of |\b0 airports|All 0|All 1 /)
  const failing = await textAt({ health: [healthOf('sea-cwt', { state: 'failing' })] }, 'failing')
  expect(failing).toContain('none of 1 source is healthy.')
  const single = await textAt({ health: [healthOf('sea-cwt'), healthOf('faa-nas')] }, 'one')
  expect(single).toContain('2 of 2 sources are healthy.')
  expect(single).toContain('The one airport with a wait of its own, as a table')
})

test('an old snapshot has a warning with its age', async () => {
  controls.now += 3 * 3_600_000
  expect((await call(null, '/')).body).toContain('These figures are 3 h old: nothing newer has been published')
})

test('the page begins with the field and how many airports are measured, and leads to sign-up, plans and the quick starts', async () => {
  const { body } = await call(null, '/')
  expect(body).toMatch(/<h1>How long is the wait at the airport\?<\/h1><form class="find"/)
  expect(body).toContain('1 airport measured now.')
  expect(body).not.toMatch(/forecasts of|9,\d{3} airports/)
  for (const href of ['/sign-in', '/signup', '/plans', '/docs/start']) expect(body).toContain(`href="${href}"`)
})

test('health returns the age of the snapshot', async () => {
  controls.now += 90_000
  expect((await call(null, '/health')).json()).toEqual({
    status: 'starting',
    reason: 'No source has been requested yet.',
    simulated: false,
    snapshot: { id: controls.snapshot!.id, generated_at: '2026-11-21T14:20:00Z', age_seconds: 90 },
    faults: [],
  })
})
