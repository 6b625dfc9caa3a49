import { expect, test } from 'vitest'
import { getHistorical, type History } from '../../../answers/questions/get-historical.ts'
import { DAY_MS, HOUR_MS, type Tier } from '../../../config/vocabulary.ts'
import { DIRECTORY } from '../../api/airport-directory.ts'
import { NOW, snapshotAt, THIS_HOUR } from '../../api/example-snapshot.ts'
import { fakeSnapshot, historyOf } from '../../api/fake-snapshot.ts'

function historyOfJfk(tier: Tier, input: object, snapshot = snapshotAt()): History {
  const context = { snapshot, directory: DIRECTORY, tier, now: NOW }
  return getHistorical.run({ iata: 'JFK', ...input }, context) as unknown as History
}

test('returns only observed hours; coverage is their fraction of the period', () => {
  const { from, to, coverage, hours } = historyOfJfk('pro', { days: 4 })
  expect([from, to]).toEqual(['2026-11-17T14:00:00Z', '2026-11-21T14:00:00Z'])
  expect(hours).toHaveLength(48)
  expect(coverage).toBe(0.5)
  expect(hours[0]).toEqual({
    time: '2026-11-19T14:00:00Z',
    terminal: null,
    mean: 13,
    p50: 13,
    p90: 16,
    max: 19,
    samples: 12,
    basis: 'measured',
    source: 'panynj',
  })
})

test('each hour has the basis and the sources of its own readings', () => {
  const hours = [2, 1].map((ago) => THIS_HOUR - ago * HOUR_MS)
  const series = {
    ...historyOf('JFK', hours, () => 90),
    source: Uint16Array.of(0, 1),
    sources: ['panynj', 'crowd+panynj'],
  }
  const answer = historyOfJfk('pro', { days: 1 }, fakeSnapshot(NOW, { history: [series] }))
  expect(answer.hours.map(({ basis, source }) => [basis, source])).toEqual([
    ['measured', 'panynj'],
    ['reported', 'crowd+panynj'],
  ])
})

test('from and to are local days, both included, cut at the last full hour', () => {
  expect(historyOfJfk('pro', { from: '2026-11-20', to: '2026-11-20' })).toMatchObject({
    from: '2026-11-20T05:00:00Z',
    to: '2026-11-21T05:00:00Z',
  })
  expect(historyOfJfk('pro', { from: '2026-11-20' })).toMatchObject({
    from: '2026-11-20T05:00:00Z',
    to: '2026-11-21T14:00:00Z',
  })
})

const refused = (code: string) => expect.objectContaining({ code })

test.each([
  { days: 2, from: '2026-11-20' },
  { to: '2026-11-20' },
  { from: '2026-11-21', to: '2026-11-20' },
  { from: '2026-11-22' },
])('limits rejects %j, which contradicts itself or the calendar', (input) => {
  expect(() => historyOfJfk('enterprise', input)).toThrow(refused('INVALID_PARAMETER'))
})

test('the pattern groups observed hours by local weekday and hour', () => {
  // Saturday 09:00 in New York on three Saturdays, with mean waits of 10, 20 and 60 minutes.
  const saturdays = [21, 14, 7].map((days) => THIS_HOUR - days * DAY_MS)
  const means = new Map(saturdays.map((start, place) => [start, [100, 200, 600][place]!]))
  const series = historyOf('JFK', [...saturdays, THIS_HOUR - 2 * DAY_MS + HOUR_MS], (start) => means.get(start) ?? 50)
  const { pattern } = historyOfJfk('enterprise', { days: 30 }, fakeSnapshot(NOW, { history: [series] }))
  expect(pattern).toEqual([
    { day_of_week: 4, hour: 10, p50: 5, p90: 5, samples: 1 },
    // The readings of 31 October were in summer time, so their local hour is 10.
    { day_of_week: 6, hour: 9, p50: 40, p90: 56, samples: 2 },
    { day_of_week: 6, hour: 10, p50: 10, p90: 10, samples: 1 },
  ])
})
