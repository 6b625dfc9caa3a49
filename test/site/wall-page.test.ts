import { expect, test } from 'vitest'
import { localNow } from '../../answers/statements/words.ts'
import { NOW, snapshotAt } from '../api/example-snapshot.ts'
import { closedUnknown, forecastFrom, NOTHING } from '../api/fake-snapshot.ts'
import { openHarness, shareHarness } from '../api/harness.ts'

const harness = shareHarness()
const wall = async (iata = 'JFK', { app } = harness) =>
  (await app.inject({ url: `/tv/${iata}`, headers: { accept: 'text/html' } })).body

test('a wall shows the wait, the clock of the airport, the next hours and the delays, and refreshes without script', async () => {
  const { app } = harness
  const body = await wall()
  expect(body).toContain('<p class="now-figure">14 min<span> at T4</span></p>')
  expect(body).toContain('<time data-offsets="[[0,-300],[1805007600000,-240],[1825567200000,-300]]">09:20</time>')
  // A wall hangs at its airport: there is one clock, the local one.
  expect(body).not.toContain('UTC')
  expect([...body.matchAll(/<li><span>(\d\d:00)<\/span>/g)].map(([, clock]) => clock)).toEqual([
    '10:00',
    '11:00',
    '12:00',
    '13:00',
    '14:00',
    '15:00',
  ])
  expect(body).toContain('<b class="state ground_delay">Ground delay</b>')
  expect(body).toContain('<noscript><meta http-equiv="refresh" content="60"/></noscript>')
  expect((await app.inject('/tv/jfk')).headers.location).toBe('/tv/JFK')
  expect((await app.inject('/tv/XXX')).statusCode).toBe(404)
})

test('a closed airport, an unknown wait, an old snapshot and none are all said', async () => {
  const { controls } = harness
  const closed = {
    ...NOTHING,
    status: 'closed' as const,
    status_basis: 'measured' as const,
    unavailable_reason: 'closed',
    reopens_at: '2026-11-22T09:00:00Z',
    reopens_basis: 'measured' as const,
  }
  controls.snapshot = snapshotAt(NOW, { id: 'closed', queues: { 'JFK security': closed } })
  expect(await wall()).toMatch(/now-figure[^>]*>Security closed<span> opens at 04:00 on Sun 22 Nov</)
  expect(await wall('GRU')).toMatch(/now-figure[^>]*>Not known</)
  controls.now += 3 * 3_600_000
  expect(await wall()).toContain('These figures are 3 h old')
  controls.snapshot = null
  expect(await wall()).toContain('No figures yet')
})

test('an hour of the night of which nobody knows whether security is open has no wait', async () => {
  const { controls } = harness
  controls.now = Date.parse('2026-11-22T06:20:00Z')
  const forecasts = [forecastFrom('JFK', Date.parse('2026-11-22T06:00:00Z'))]
  controls.snapshot = snapshotAt(controls.now, { id: 'night', queues: {}, forecasts })
  expect(
    [...(await wall()).matchAll(/<li><span>(\d\d:00)<\/span>[\s\S]*?<b>([^<]*)<\/b>/g)].map(([, ...row]) => row),
  ).toEqual([
    ['02:00', 'not known'],
    ['03:00', 'not known'],
    ['04:00', 'not known'],
    ['05:00', '4 min'],
    ['06:00', '5 min'],
    ['07:00', '6 min'],
  ])
})

test('while security is closed, nobody knows until when, a wall has no next hours', async () => {
  const { controls } = harness
  controls.now = NOW
  controls.snapshot = snapshotAt(NOW, { id: 'unknown', queues: { 'JFK security': closedUnknown(NOW) } })
  const body = await wall()
  expect(body).toContain('When it opens is not known')
  expect(body).not.toMatch(/<li><span>\d\d:00/)
})

test('what the operator keeps from strangers is not on a wall either', async () => {
  const body = await wall('JFK', await openHarness({ HOLDSHORT_OPEN_PAGES: 'none' }))
  expect(body).toContain('Not available to visitors')
  expect(body).not.toContain('14 min')
})

test('the clock has its zone in words, and the name of the zone where Node.js has other rules than ours', () => {
  const instant = Date.parse('2026-11-25T12:00:00Z')
  expect(localNow(instant, 'Europe/London')).toMatchObject({ clock: '12:00', zone: 'Greenwich Mean Time, UTC+00:00' })
  const { clock, zone } = localNow(instant, 'America/Vancouver')
  expect([clock, zone.split(', ')[1]]).toEqual(['05:00', 'UTC−07:00'])
  expect(zone).not.toMatch(/Pacific Standard|GMT/)
})
