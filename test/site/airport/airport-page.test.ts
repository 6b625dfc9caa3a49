import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { HOUR_MS } from '../../../config/vocabulary.ts'
import { createSignedInPerson } from '../../accounts/people/signed-in-person.ts'
import { ACCURACY } from '../../api/accuracy-content.ts'
import { exampleContent, NOW, snapshotAt, THIS_HOUR } from '../../api/example-snapshot.ts'
import { CLOSED_AT_NIGHT, closedUntil, type FakeSnapshotContent, historyOf, measured } from '../../api/fake-snapshot.ts'
import { type Harness, openHarness, shareHarness } from '../../api/harness.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { EIGHT_AIRPORTS } from '../eight-airports.ts'
import { textOf } from '../text-of.ts'

const shared = shareHarness()

function open(over: FakeSnapshotContent = {}, harness: Harness = shared) {
  const { app, controls } = harness
  controls.snapshot = snapshotAt(NOW, over)
  const page = async (path: string) => {
    const answer = await app.inject(path)
    return Object.assign(answer, { text: textOf(answer.body) })
  }
  return { harness, app, controls, page }
}

const closed = closedUntil(NOW, '2026-11-22T09:00:00Z')

test('the page tells a stranger the wait with its source and age, the next hours, delays and weather', async () => {
  const { page } = open()
  const { statusCode, text, headers, body } = await page('/airports/JFK')
  expect(statusCode).toBe(200)
  expect(headers['cache-control']).toMatch(/^public/)
  expect(headers.vary).toContain('Cookie')
  expect(text).toContain('14 min at T4')
  expect(text).toContain('Measured 2 min ago by')
  expect(text).toContain('09:20 Sat 21 Nov · New York')
  expect(text).toContain('Falling: 0–6 min in the next hour.')
  expect(text).toContain('Ground delay Flights to JFK wait 42 min on average, until 15:00 (wind)')
  expect(text).toContain('Wind from the northwest at 18 kt, gusts 27 kt.')
  expect(text).toContain('The week and the history by day are in the')
  expect(text).not.toMatch(/Not shown here|needs? an account/)
  expect(body).toContain('<link rel="canonical" href="http://127.0.0.1:8080/airports/JFK"/>')
  expect(body).toContain('http://127.0.0.1:8080/airports/JFK/share.png')
  expect(body).not.toMatch(/<[^>]* style=/)
})

test('the alert that is offered is of a wait that is not so already', async () => {
  for (const [minutes, offered] of [
    [3, 'over 15 min'],
    [15, 'under 15 min'],
    [40, 'under 15 min'],
  ] as const) {
    const { page } = open({ queues: { 'JFK security': measured(NOW, minutes) } })
    const { text, body } = await page('/airports/JFK')
    expect(text).toContain(`Tell me when it is ${offered}`)
    expect(body).toContain(`/alerts?airport=JFK&amp;direction=${minutes < 15 ? 'above' : 'below'}`)
  }
})

test('a closure to airlines at other hours stands under the wait, and among the delays', async () => {
  const { LGA } = exampleContent().delays!
  const { page } = open({ delays: { LGA: { ...LGA!, closures: [CLOSED_AT_NIGHT] } } })
  const { text } = await page('/airports/LGA')
  const line = 'Open to airlines now; closed to them every night from 23:00 to 06:30 local time, until 30 Nov.'
  expect(text.split(line)).toHaveLength(3)
  expect(text.indexOf(line)).toBeLessThan(text.indexOf('When to leave'))
  expect(text).not.toContain('The FAA lists no delay now.')
})

test('where nothing is known of delays and weather no heading promises them', async () => {
  const queues = { 'AMS security': measured(NOW, 9) }
  const { page } = open({ queues }, await openHarness({}, { directory: airportDirectory() }))
  const { text } = await page('/airports/AMS')
  expect(text).toContain('Not known here: delays, weather.')
  expect(text).not.toContain('Delays and weather')
})

test.each([
  ['ISL', 'Airlines fly instead from:', '/airports/IST'],
  ['BQH', 'The nearest airports with flights:', '/airports/LGW'],
])('from %s nobody can plan a departure: the page leads to where airlines fly', async (iata, words, link) => {
  const { page } = open({}, await openHarness({}, { directory: airportDirectory() }))
  const { statusCode, text, body } = await page(`/airports/${iata}`)
  expect(statusCode).toBe(200)
  expect(text).toContain(words)
  expect(body).toContain(link)
  expect(text).not.toMatch(/When to leave|Show this wait|Busy days/)
  expect(body).not.toContain('name="departure"')
})

test('a record of few hours has no rates, as the page of the record', async () => {
  const { page } = open({ accuracy: ACCURACY })
  const { text } = await page('/airports/JFK')
  expect(text).toContain('How good the forecasts were here is shown from 300 observed hours on; so far there are 200.')
  expect(text).not.toContain('our forecasts were off by')
})

test('the page paints after one request: its style stands in it, named by the policy, and its scripts wait', async () => {
  const { page } = open()
  const { body, headers } = await page('/airports/JFK')
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(body)!
  const hash = createHash('sha256').update(style).digest('base64')
  expect(headers['content-security-policy']).toContain(`style-src 'self' 'sha256-${hash}';`)
  expect(body).not.toContain('rel="stylesheet"')
  for (const [script] of body.matchAll(/<script [^>]*src=[^>]*>/g)) expect(script).toContain('type="module"')
  // An answered form is a page of its own, with the sheet that every browser keeps.
  expect((await page('/airports/JFK?departure=2026-11-21T17:30')).body).toContain('rel="stylesheet"')
})

test('the airports of a city, and the one that took the place of a closed one, are listed with their waits', async () => {
  const queues = { 'JFK security': measured(NOW, 14), 'BER security': measured(NOW, 9) }
  const whole = { directory: airportDirectory() }
  const { page } = open({ queues }, await openHarness({}, whole))
  const city = await page('/airports/NYC')
  expect([city.statusCode, city.text]).toEqual([200, expect.stringMatching(/Kennedy.{0,60}14\smin/)])
  for (const code of ['TXL', 'txl']) {
    const closedOne = await page(`/airports/${code}`)
    expect([closedOne.statusCode, closedOne.text]).toEqual([404, expect.stringMatching(/Brandenburg.{0,60}9\smin/)])
  }
  const shut = open({ queues }, await openHarness({ HOLDSHORT_OPEN_PAGES: 'none' }, whole))
  for (const code of ['NYC', 'TXL']) expect((await shut.page(`/airports/${code}`)).text).not.toMatch(/\d\smin/)
})

test.runIf(EXHAUSTIVE)(
  'other spellings lead to the page, a city code to a choice, an unknown code to suggestions',
  async () => {
    const { app, page } = open()
    for (const code of ['jfk', 'KJFK', 'kjfk'])
      expect((await app.inject(`/airports/${code}?utm_source=x`)).headers.location).toBe('/airports/JFK?utm_source=x')
    const city = await page('/airports/NYC')
    expect(city.statusCode).toBe(200)
    expect(city.body).toContain('href="/airports/JFK"')
    const unknown = await page('/airports/JFX')
    expect(unknown.statusCode).toBe(404)
    expect(unknown.body).toContain('href="/airports/JFK"')
    const hostile = await page(`/airports/${encodeURIComponent('<script>alert(1)</script>')}`)
    expect(hostile.statusCode).toBe(404)
    expect(hostile.body).not.toContain('<script>alert')
  },
)

test.runIf(EXHAUSTIVE)('a closed queue says until when, and a queue of which nothing is known says why', async () => {
  const { page } = open({ queues: { 'JFK security': closed } })
  const { text } = await page('/airports/JFK')
  expect(text).toContain('Security closed opens about 04:00 on Sun 22 Nov')
  expect(text).toContain('Stated 3 min ago by Port Authority of New York and New Jersey.')
  const nothing = await page('/airports/GRU')
  expect(nothing.text).toContain('Not known')
  expect(nothing.text).toContain('No source covers this queue.')
  // The nearest measured airports of the example are on another continent.
  expect(nothing.text).toContain('No source of security waits covers this airport.')
  expect(nothing.text).not.toContain('with measured waits')
})

test.runIf(EXHAUSTIVE)(
  'the form answers when to leave, keeps what was typed and says at the field what is wrong',
  async () => {
    const { page } = open()
    const good = await page('/airports/JFK?departure=2026-11-21T17%3A30&travel_minutes=30&bags=true&utm_source=mail')
    expect(good.statusCode).toBe(200)
    expect(good.headers['cache-control']).toContain('no-store')
    expect(good.text).toMatch(/Leave for JFK at \d\d:\d\d on Sat 21 Nov: \d\d % likely to make your flight/)
    expect(good.body).toMatch(/<input id="travel_minutes"[^>]* value="30"/)
    expect(good.body).toContain('id="leave-by-curve-title"')
    const past = await page('/airports/JFK?departure=2020-11-21T17%3A30')
    expect(past.statusCode).toBe(400)
    expect(past.body).toMatch(/<input id="departure"[^>]* aria-invalid="true"/)
    const wrong = await page('/airports/JFK?departure=2026-11-21T17%3A30&travel_minutes=soon')
    expect(wrong.statusCode).toBe(400)
    expect(wrong.body).toContain('travel_minutes-fault')
  },
)

test.each(['free', 'pro', 'enterprise'] as const)(
  'a closed terminal, and every gate, is shown to a stranger and to an account of %s alike',
  async (tier) => {
    const { harness, page } = open(EIGHT_AIRPORTS)
    const person = await createSignedInPerson(harness, { tier })
    for (const answer of [await page('/airports/JFK'), await person.get('/airports/JFK')]) {
      const text = textOf(answer.body)
      expect(text).toContain('0 min at T4 and T5')
      expect(text).toContain('T1, T7 and T8 closed until about 11:00')
      expect(text).toMatch(/Terminal 7 [^T]*Closed until about 11:00/)
    }
  },
)

test.runIf(EXHAUSTIVE)('without an account an operator may show nothing, and any network is limited', async () => {
  const shut = open({}, await openHarness({ HOLDSHORT_OPEN_PAGES: 'none' }))
  const answer = await shut.app.inject('/airports/JFK')
  expect(answer.statusCode).toBe(303)
  expect(answer.headers.location).toBe('/sign-in?next=%2Fairports%2FJFK')
  expect((await shut.app.inject('/airports/JFK/forecast.json')).statusCode).toBe(403)
  expect((await shut.app.inject('/airports/JFK/badge.svg')).body).toContain('sign in to see it')
  expect((await shut.app.inject('/airports/JFK/share.png')).statusCode).toBe(200)
  const limited = open({}, await openHarness({ HOLDSHORT_OPEN_PAGES_PER_MINUTE: '2' }))
  const codes: number[] = []
  for (let n = 0; n < 3; n++) codes.push((await limited.app.inject('/airports/JFK/badge.svg')).statusCode)
  expect(codes).toEqual([200, 200, 429])
})

/** Figures that only a tier may see, each with a text that is nowhere else. */
const SECRET_HISTORY = '2888 min'
const OLD_HOURS = Array.from({ length: 60 * 24 }, (_, k) => THIS_HOUR - (k + 25) * HOUR_MS).reverse()
const RECENT_HOURS = Array.from({ length: 24 }, (_, k) => THIS_HOUR - (24 - k) * HOUR_MS)

function secrets(): FakeSnapshotContent {
  const starts = [...OLD_HOURS, ...RECENT_HOURS]
  // 1,999 minutes stand for the history before the last day, 2,888 for a terminal.
  const history = [
    historyOf('JFK', starts, (start) => (start < THIS_HOUR - 24 * HOUR_MS ? 19_990 : 120)),
    historyOf('JFK', starts, () => 28_880, 'T4'),
  ]
  return { queues: { 'JFK security': measured(NOW, 14) }, history }
}

const PATHS = ['', '?departure=2026-11-21T17:30&terminal=T4&days=90', '/embed', '/badge.svg'].concat(
  ['forecast', 'usual', 'history', 'terminals', 'record', 'nearby', 'leave-by'].flatMap((name) =>
    ['svg', 'csv', 'json'].flatMap((format) => [`/${name}.${format}`, `/${name}.${format}?days=90&tier=enterprise`]),
  ),
)
const HEADERS = [{}, { 'x-tier': 'enterprise' }, { cookie: 'hs_session=forged' }]

test.runIf(EXHAUSTIVE)(
  'no page, picture, file or cache gives a stranger, a free or a Pro account what their tier does not see',
  async () => {
    const { harness, app } = open(secrets())
    const [enterprise, pro, free] = [
      await createSignedInPerson(harness, { tier: 'enterprise' }),
      await createSignedInPerson(harness, { tier: 'pro' }),
      await createSignedInPerson(harness, { tier: 'free' }),
    ]
    // Whoever sees all of it comes first, so that a cache could keep it.
    const whole = await enterprise.get('/airports/JFK')
    expect(whole.body).toContain(SECRET_HISTORY)
    expect(whole.headers['cache-control']).toBe('private, no-store')
    expect((await enterprise.get('/airports/JFK/history.csv')).body).toMatch(/2026-11-1\d,24,1999,1999,1999/)
    expect((await pro.get('/airports/JFK/history.csv')).body).not.toContain('2026-11-01')
    for (const path of PATHS) {
      for (const headers of HEADERS) {
        const answer = await app.inject({ url: `/airports/JFK${path}`, headers })
        const where = `${path} ${JSON.stringify(headers)} ${answer.statusCode}`
        expect(answer.body, where).not.toMatch(/\b(1999|2888)\b/)
        expect(answer.headers['set-cookie'], where).toBeUndefined()
      }
      expect((await free.get(`/airports/JFK${path}`)).body, path).not.toMatch(/\b(1999|2888)\b/)
      expect((await pro.get(`/airports/JFK${path}`)).body, path).not.toMatch(/\b2888\b/)
    }
    for (const path of [
      '/usual.json',
      '/history.json',
      '/terminals.json',
      '/usual.svg',
      '/history.svg',
      '/terminals.svg',
    ]) {
      const answer = await app.inject(`/airports/JFK${path}`)
      expect([answer.statusCode, answer.json().code], path).toEqual([403, 'PREMIUM_REQUIRED'])
    }
    // A signed-in answer is never what a stranger gets next, nor the other way round.
    expect((await app.inject('/airports/JFK')).body).not.toContain(SECRET_HISTORY)
    expect((await enterprise.get('/airports/JFK')).body).toContain(SECRET_HISTORY)
  },
)
