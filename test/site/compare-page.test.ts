import { expect, test } from 'vitest'
import { airportDirectory } from '../../config/airports/directory.ts'
import { chosenAirports } from '../../site/compare/compare-page.tsx'
import { NOW, snapshotAt, THIS_HOUR } from '../api/example-snapshot.ts'
import { CLOSED_AT_NIGHT, fakeAlert, fakeAlerts, forecastFrom, measured } from '../api/fake-snapshot.ts'
import { type Harness, openHarness, shareHarness } from '../api/harness.ts'
import { EIGHT_AIRPORTS } from './eight-airports.ts'

const harness = shareHarness()

const HTML = { accept: 'text/html' }

async function compare(airports: string | null, { app, controls }: Harness = harness) {
  controls.snapshot = snapshotAt(NOW, {
    queues: { 'JFK security': measured(NOW, 14), 'LGA security': measured(NOW, 25) },
    forecasts: [forecastFrom('JFK', THIS_HOUR), forecastFrom('LGA', THIS_HOUR, '', 12)],
  })
  const url = airports === null ? '/compare' : `/compare?airports=${encodeURIComponent(airports)}`
  return app.inject({ url, headers: HTML })
}

test.each([
  ['JFK, Portland, ME', 'JFK, PWM'],
  ['Athens, GA; JFK', 'AHN, JFK'],
])('a state behind a comma belongs to the place before it: %s', (named, codes) => {
  const { airports, faults } = chosenAirports(named, airportDirectory())
  expect([airports.map(({ iata }) => iata).join(', '), faults]).toEqual([codes, []])
})

test('airports stand side by side with a recommendation, their figures and their bands on one scale', async () => {
  const { body, statusCode } = await compare('jfk, lga,JFK')
  expect(statusCode).toBe(200)
  expect(body).toContain('<title>JFK, LGA compared · Holdshort</title>')
  expect(body).toContain(
    '<a href="/compare?airports=LGA" aria-label="Remove JFK, John F. Kennedy International Airport"',
  )
  expect(body).toContain('data-to="/compare?airports=JFK,LGA,"')
  // The same airports in any order are one page for search engines.
  const canonical = /<link rel="canonical" href="([^"]*)"/
  expect(canonical.exec(body)?.[1]).toBe('http://127.0.0.1:8080/compare?airports=JFK,LGA')
  expect(canonical.exec((await compare('LGA JFK')).body)?.[1]).toBe('http://127.0.0.1:8080/compare?airports=JFK,LGA')
  expect(body).toMatch(/<b class="sign">JFK<\/b><\/a>[\s\S]*14 min[\s\S]*<b class="sign">LGA<\/b><\/a>[\s\S]*25 min/)
  expect(body).toContain('ground delay')
  const tops = [...body.matchAll(/<svg class="plot"[\s\S]*?<\/svg>/g)].map(([chart]) => {
    const ticks = [...chart.matchAll(/<text[^>]*>(\d+)<\/text>/g)].map(([, tick]) => Number(tick))
    return Math.max(...ticks)
  })
  expect(tops).toHaveLength(2)
  expect(tops[0]).toBe(tops[1])
  expect(body.match(/class="keys"/g)).toHaveLength(1)
})

test('no range breaks at the end of a line', async () => {
  const { app, controls } = harness
  controls.snapshot = snapshotAt(NOW, { delays: {}, queues: EIGHT_AIRPORTS.queues!, id: 'ranges' })
  const { body } = await app.inject({ url: '/compare?airports=JFK,LGA', headers: HTML })
  const lead = /<p class="lead">(.*?)<\/p>/.exec(body)![1]!
  expect(lead).toMatch(/\d+–\d+ min/)
  expect(lead.replace(/<span class="unbroken">.*?<\/span>/g, '')).not.toMatch(/\d–/)
})

test.each([
  ['EWR,JFK', 'No airport has the IATA code EWR.'],
  ['JFK,Xyzzy City', '“XYZZY CITY” is not the code of an airport, nor the name of one alone.'],
  ['JFK,NYC', 'it stands for all airports of New York'],
  ['JFK,LGA,GRU,DEL,ZRH,XSM', 'At most 5 airports are compared; these are 6.'],
  ['JFK,<b>x', '“&lt;B>X” is not the code of an airport'],
])('says what is wrong with %s', async (airports, fault) => {
  const { body, statusCode } = await compare(airports)
  expect([statusCode, body.includes('role="alert"')]).toEqual([400, true])
  expect(body).toContain(fault)
})

test('names that mean one airport each are compared, however they are written', async () => {
  for (const named of ['JFK, Zurich', 'jfk; La Guardia', 'JFK ZRH']) {
    const { body, statusCode } = await compare(named)
    expect([named, statusCode, body.includes('JFK, ')]).toEqual([named, 200, true])
  }
  expect((await compare('JFK, Zurich')).body).toContain('<h1>JFK, ZRH compared</h1>')
})

test('one airport is asked for another, which is added to it', async () => {
  const { body, statusCode } = await compare('JFK,jfk')
  expect([statusCode, body.includes('Add one more to compare it with.')]).toEqual([200, true])
  const added = await harness.app.inject({ url: '/compare?airports=JFK&add=la+guardia', headers: HTML })
  expect(added.body).toContain('<h1>JFK, LGA compared</h1>')
})

test('without airports it is a form with examples; figures follow the operator’s setting', async () => {
  expect((await compare(null)).body).toContain('<a href="/compare?airports=JFK,LGA">')
  const closed = await compare('JFK,LGA', await openHarness({ HOLDSHORT_OPEN_PAGES: 'none' }))
  expect(closed.body).toContain('The operator shows waits only to people who have')
  expect(closed.body).not.toContain('14 min')
})

test('a row has the weather alert, and of an airport that is closed to airlines no word that its delays are not known', async () => {
  const closure = { ...CLOSED_AT_NIGHT, closed_hours_utc: null, closed_hours_local: null, in_force: true }
  const jfk = { ...snapshotAt().delays('JFK'), status: 'closed' as const, programs: [], closures: [closure] }
  harness.controls.snapshot = snapshotAt(NOW, {
    delays: { JFK: jfk, LGA: snapshotAt().delays('LGA') },
    weatherAlerts: { LGA: fakeAlerts(NOW, [fakeAlert(NOW)]) },
  })
  const { body } = await harness.app.inject({ url: '/compare?airports=JFK,LGA', headers: HTML })
  expect(body).toMatch(
    /Closed to airlines[\s\S]*Blizzard warning<\/b> Until 19:20: flights may stop[\s\S]*no delay listed/,
  )
  expect(body).not.toContain('delays not known here')
})
