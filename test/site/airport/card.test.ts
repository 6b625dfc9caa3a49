import { expect, test } from 'vitest'
import { HOUR_MS, isoUtc } from '../../../config/vocabulary.ts'
import type { AirportRequest } from '../../../site/airport/answers.ts'
import { cardOf, cardStyle } from '../../../site/airport/card.ts'
import { bandConclusion } from '../../../site/airport/conclusions.ts'
import { shortNames } from '../../../site/airport/wait-card.tsx'
import { NOW, snapshotAt, THIS_HOUR } from '../../api/example-snapshot.ts'
import { closedUnknown, fakeAlert, fakeAlerts } from '../../api/fake-snapshot.ts'
import { shareHarness } from '../../api/harness.ts'
import { testValues } from '../../values.ts'
import { EIGHT, EIGHT_AIRPORTS, WHOLE_DIRECTORY } from '../eight-airports.ts'

const harness = shareHarness()
const { controls } = harness

const snapshot = snapshotAt(NOW, EIGHT_AIRPORTS)
const requestFor = (iata: string): AirportRequest => ({
  airport: WHOLE_DIRECTORY.byIata.get(iata)!,
  viewer: { isSignedIn: false, tier: 'free', currentTier: 'enterprise' },
  snapshot,
  directory: WHOLE_DIRECTORY,
  now: NOW,
})
const cardFor = (shape: keyof typeof EIGHT) => cardOf(requestFor(EIGHT[shape])).shown!

test('a range stands in place of an average that would hide the queue, and the average beside it', () => {
  expect(cardFor('many-gates')).toMatchObject({ figure: '4–15 min', detail: 'by terminal, 8 min on average' })
  expect(cardFor('many-gates').bars.map(({ name, low, high }) => [name, low, high])).toEqual([
    ['Terminal A', 4, 8],
    ['Terminal B', 6, 15],
    ['Terminal C', 5, 9],
    ['Terminal D', 10, 12],
    ['Terminal E', 4, 5],
  ])
  expect(cardFor('calm')).toMatchObject({ figure: '5 min', detail: 'at security', bars: [] })
  expect(cardFor('single-queue')).toMatchObject({ figure: '12 min', bars: [] })
})

test('what is closed is named, with when it opens, terminals apart', () => {
  expect(cardFor('half-closed')).toMatchObject({
    figure: '0 min',
    detail: 'at T4 and T5',
    closures: ['T1, T7 and T8 closed until about 11:00'],
  })
  const night = cardFor('night')
  expect(night).toMatchObject({ kind: 'closed', figure: 'Security closed', detail: 'opens about 03:15' })
  expect(night.line).toBe('closed, opens about 03:15')
  const over = snapshotAt(NOW, { queues: { 'JFK security': closedUnknown(NOW) } })
  const { detail, known } = cardOf({ ...requestFor('JFK'), snapshot: over }).shown!
  expect([detail, known]).toEqual(['', expect.stringMatching(/^Stated .* When it opens is not known\.$/)])
})

test('a ground delay is a chip and one line, with its end by the clock of the airport', () => {
  const { delay } = cardFor('storm')
  expect(delay?.title).toBe('Ground delay')
  expect(delay?.line).toMatch(/^flights to LGA wait 110 min on average, until 02:45 on Sun 22 Nov/)
  expect(cardFor('calm').delay).toBeNull()
})

test('a weather alert is a chip and one line: before a delay where it may stop flights, else behind it', async () => {
  const advisory = fakeAlert(NOW, { event: 'Wind Advisory', effect: 'slows' })
  const bodyWith = async (...alerts: ReturnType<typeof fakeAlert>[]) => {
    const weatherAlerts = { LGA: fakeAlerts(NOW, alerts) }
    const id = `alerts of ${alerts.map(({ event, onset }) => event + onset)}`
    controls.snapshot = snapshotAt(NOW, { ...EIGHT_AIRPORTS, weatherAlerts, id })
    const { body } = await harness.app.inject('/airports/LGA')
    return body.split('<section id="now"')[1]!.split('now-known')[0]!
  }
  expect(await bodyWith(fakeAlert(NOW), advisory)).toMatch(
    /Blizzard warning<\/b> Until 19:20: flights may stop or be cancelled[\s\S]*Ground delay<\/b>/,
  )
  expect(await bodyWith(advisory)).toMatch(/Ground delay<\/b>[\s\S]*Wind advisory<\/b> Until 19:20/)
  const tonight = fakeAlert(NOW, { onset: isoUtc(NOW + 9 * HOUR_MS), ends: null })
  expect(await bodyWith(tonight)).toMatch(/Ground delay<\/b>[\s\S]*Blizzard warning<\/b>/)
  const tomorrow = fakeAlert(NOW, { onset: isoUtc(NOW + 25 * HOUR_MS), ends: null })
  expect(await bodyWith(tomorrow)).not.toContain('Blizzard')
})

test('the page names what each of several sources says, and when they are further apart than usual', async () => {
  const figure = {
    observed_at: isoUtc(NOW - 60_000),
    age_seconds: 60,
    usual_difference_minutes: null,
    disagrees: false,
    basis: 'measured' as const,
    freshness: 'live' as const,
  }
  const bodyWith = async (disagrees: boolean) => {
    const other = { ...figure, source: 'delta-newshub', wait_minutes: 41, usual_difference_minutes: 8, disagrees }
    const figuresBySource = { 'LGA security': [{ ...figure, source: 'panynj-graphql', wait_minutes: 34 }, other] }
    controls.snapshot = snapshotAt(NOW, { ...EIGHT_AIRPORTS, figuresBySource, id: `by source ${disagrees}` })
    return (await harness.app.inject('/airports/LGA')).body
  }
  const far = await bodyWith(true)
  expect(far).toMatch(/By source: [^<]*: 34 min; [^<]*: 41 min\./)
  expect(far).toContain(
    'They disagree more than they usually do, which is by at most 8 min: allow for the longer wait.',
  )
  const near = await bodyWith(false)
  expect(near).toContain('41 min.')
  expect(near).not.toContain('disagree')
})

test('an estimate looks like one, and is not given where nobody flies', () => {
  expect(cardFor('no-source')).toMatchObject({ kind: 'estimate', figure: 'about 5–15 min' })
  expect(cardStyle(cardFor('no-source'))).toBeNull()
  expect(cardFor('no-service')).toMatchObject({ kind: 'unknown', figure: 'No scheduled flights', next: null })
})

test('the colour is that of the longest wait behind the figure', () => {
  expect(cardStyle(cardFor('storm'))?.name).toBe('wait-4')
  expect(cardStyle(cardFor('many-gates'))?.name).toBe('wait-2')
  expect(cardStyle(cardFor('calm'))?.name).toBe('wait-1')
})

const band = (minutes: number[], current_minutes: number | null) => ({
  place: 'JFK',
  timezone: 'America/New_York',
  now: NOW,
  current_minutes,
  past: [],
  ahead: minutes.map((wait_minutes, k) => ({
    time: isoUtc(THIS_HOUR + k * HOUR_MS),
    wait_minutes,
    low: wait_minutes,
    high: wait_minutes,
    status: 'open' as const,
  })),
  source: null,
  observed_sources: [],
  basis: null,
  unavailable_reason: null,
})

test('without a forecast the title of the chart is that of the observed hours, or of nothing; a night of which nobody knows is not told', () => {
  const past = [{ time: isoUtc(THIS_HOUR - HOUR_MS), observed_minutes: 9 }]
  expect(bandConclusion({ ...band([], null), past })).toBe('The last 24 hours')
  expect(bandConclusion({ ...band([], null), past: [{ ...past[0]!, observed_minutes: null }] })).toBe(
    'The next 24 hours',
  )
  const unknown = band([...Array(13).fill(12), 1, 1, 1, 1, 1, 1, 1, 12, 12, 14], 12)
  const ahead = unknown.ahead.map((hour) => ({ ...hour, status: 'unknown' as const }))
  expect(bandConclusion({ ...unknown, ahead })).toBe('About 12–14 min by day')
})

testValues('site/airport/values.json', {
  shortNames,
  bandConclusion: (minutes: number[], current: number) => bandConclusion(band(minutes, current)),
})
