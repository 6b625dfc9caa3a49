import { expect, test } from 'vitest'
import type { DelayState } from '../../warehouse/publishing/read/delays.ts'
import { NOW, snapshotAt } from '../api/example-snapshot.ts'
import { fakeAlert, fakeAlerts } from '../api/fake-snapshot.ts'
import { shareHarness } from '../api/harness.ts'
import { emptyContent } from '../warehouse/snapshot-content.ts'

const harness = shareHarness()

const QUIET = emptyContent('2026-11-21T14:18:00Z').quiet

async function delaysOf(delays?: Record<string, DelayState>) {
  const { app, controls } = harness
  if (delays) controls.snapshot = snapshotAt(NOW, { delays, flowPrograms: [] })
  return { app, controls, body: (await app.inject('/delays')).body }
}

test('the day is told in plain words, with source and age, on a map and in a list', async () => {
  const { app, body } = await delaysOf()
  expect(body).toContain('FAA delays or closures at 1 airport.')
  expect(body).toMatch(/As the FAA had it at <time[^>]*>21 Nov 2026, 14:19 UTC<\/time>/)
  expect(body).toContain('<h2><b class="state ground_delay">Ground delays</b> <span class="quiet">1</span></h2>')
  expect(body).toContain('If you fly to one of these, expect to leave late')
  expect(body.match(/Flights to JFK wait 42 min on average, until 15:00 \(wind\)\./g)).toHaveLength(1)
  expect(body).toContain('FCAA05')
  expect(body).toContain('An airline’s own delays and cancellations are not among them')
  const json = (await app.inject('/delays.json')).json()
  expect(json).toMatchObject({
    source: 'Federal Aviation Administration',
    airports: [{ airport: 'JFK', status: 'ground_delay' }],
  })
  expect((await app.inject('/delays.csv')).body).toMatch(/^airport,name,status,summary,/)
  expect((await app.inject('/delays.svg')).body).toContain('<path class="borders"')
})

test('what begins later has a heading of its own, and is none of the delays of now', async () => {
  const program = {
    type: 'ground_delay' as const,
    reason: 'wind',
    average_minutes: 42,
    min_minutes: null,
    max_minutes: null,
    trend: null,
    start: new Date(NOW + 9 * 3_600_000).toISOString(),
    end: null,
    destination: null,
  }
  const { app, body } = await delaysOf({ JFK: { ...QUIET, programs: [program] }, LGA: QUIET })
  expect(body).toContain('The FAA lists no delay now.')
  expect(body).toContain('<h2><b class="state later">Listed for later</b> <span class="quiet">1</span></h2>')
  expect((await app.inject('/')).body).toContain('The FAA lists no delay now.')
  expect((await app.inject('/airports/JFK/badge.svg')).body).toMatch(/· ground delay from /)
})

test('weather that may stop flights is listed beside a day without delays, the large airports first', async () => {
  const { app, controls } = harness
  const from = (hours: number) => new Date(NOW + hours * 3_600_000).toISOString()
  controls.snapshot = snapshotAt(NOW, {
    delays: { JFK: QUIET },
    flowPrograms: [],
    weatherAlerts: {
      LGA: fakeAlerts(NOW, [fakeAlert(NOW)]),
      ZRH: fakeAlerts(NOW, [fakeAlert(NOW)]),
      // Later, and of lesser weather.
      GRU: fakeAlerts(NOW, [fakeAlert(NOW, { onset: from(3) })]),
      DEL: fakeAlerts(NOW, [fakeAlert(NOW, { event: 'Wind Advisory', effect: 'slows' })]),
    },
  })
  const { body } = await app.inject('/delays')
  expect(body).toContain('Weather that may stop flights <span class="quiet">2</span>')
  expect(body).toMatch(/href="\/airports\/ZRH".*href="\/airports\/LGA"/s)
  expect(body).not.toMatch(/href="\/airports\/(GRU|DEL)"/)
  const start = (await app.inject('/')).body.split('id="delays"')[1]!.split('</section>')[0]!
  expect(start).toContain('Blizzard warning')
  expect(start).not.toMatch(/Wind advisory|airports\/GRU/)
})

test('an airport with a delay and a storm is listed once on the start page, and storms stand before lesser delays', async () => {
  const { app, controls } = harness
  const late = snapshotAt(NOW).delays('JFK')
  const stopped = {
    ...late,
    status: 'ground_stop',
    programs: late.programs.map((one) => ({ ...one, type: 'ground_stop' })),
  }
  const startWith = async (ofJfk: object) => {
    controls.snapshot = snapshotAt(NOW, {
      delays: { JFK: ofJfk as DelayState, LGA: late },
      flowPrograms: [],
      weatherAlerts: { LGA: fakeAlerts(NOW, [fakeAlert(NOW)]) },
    })
    return (await app.inject('/')).body.split('id="delays"')[1]!.split('</section>')[0]!
  }
  const listed = (start: string) => start.match(/(?<=href="\/airports\/)[A-Z]{3}/g)
  expect(listed(await startWith(stopped))).toEqual(['JFK', 'LGA'])
  const start = await startWith(late)
  expect(listed(start)).toEqual(['LGA', 'JFK'])
  const ofLga = start.split('href="/airports/LGA"')[1]!.split('</a>')[0]!
  expect(ofLga).toMatch(/Blizzard warning<\/b><b class="state ground_delay">Ground delay</)
  expect(ofLga).toMatch(/<small>Until .*: flights may stop or be cancelled\. Flights to LGA wait 42 min/)
  const { body } = await app.inject('/delays')
  expect(body).toMatch(/Weather that may stop flights.*class="state ground_delay"/s)
  expect(body).toContain('Times in the list are local to each airport.')
})

test('a day without programs says so', async () => {
  const { body } = await delaysOf({ JFK: QUIET, LGA: QUIET })
  expect(body).toContain('The FAA lists no delay now.')
  expect(body).not.toContain('class="delays"')
})

test('a feed that was not read is not a day without delays', async () => {
  const unknown: DelayState = {
    ...QUIET,
    status: 'unknown',
    unavailable_reason: 'The FAA has not answered in the last six hours.',
  }
  const { body } = await delaysOf({ JFK: unknown, LGA: unknown })
  expect(body).toContain('nothing is known about delays. That does not mean that there is no delay.')
})

test('before the first snapshot nothing is known', async () => {
  const { app, controls } = await delaysOf()
  controls.snapshot = null
  expect((await app.inject('/delays')).body).toContain('No figures yet')
})
