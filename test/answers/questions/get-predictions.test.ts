import { describe, expect, test } from 'vitest'
import { getPredictions, type Predictions } from '../../../answers/questions/get-predictions.ts'
import { getWaitTimes } from '../../../answers/questions/get-wait-times.ts'
import { HOUR_MS, isoUtc, type Tier } from '../../../config/vocabulary.ts'
import { DIRECTORY } from '../../api/airport-directory.ts'
import { NOW, snapshotAt, THIS_HOUR } from '../../api/example-snapshot.ts'
import { closedUnknown, closedUntil, fakeSnapshot, forecastFrom, measured } from '../../api/fake-snapshot.ts'

function predictions(tier: Tier, input: object, now = NOW, snapshot = snapshotAt()): Predictions {
  return getPredictions.run({ iata: 'JFK', ...input }, { snapshot, directory: DIRECTORY, tier, now }) as Predictions
}

test('a forecast of security that is closed, nobody knows until when, says so; one that begins later does not', () => {
  const snapshot = snapshotAt(NOW, { id: 'closed', queues: { 'JFK security': closedUnknown(NOW) } })
  const note = 'Security is closed now, and when it opens is not known: these waits are of hours in which it is open.'
  expect(predictions('enterprise', {}, NOW, snapshot).note).toBe(note)
  expect(predictions('enterprise', { date: 'tomorrow' }, NOW, snapshot).note).toBeNull()
  const wait = getWaitTimes.run({ iata: 'JFK' }, { snapshot, directory: DIRECTORY, tier: 'enterprise', now: NOW })
  expect(wait).toMatchObject({ predictions: { note } })
})

describe('days', () => {
  test('without a date, the 24 hours from the current hour on, in whole minutes', () => {
    const { hours, ...rest } = predictions('pro', {})
    expect(rest).toMatchObject({
      timezone: 'America/New_York',
      date: '2026-11-21',
      horizon_hours: 24,
      simulated: false,
    })
    expect(rest.model).toMatchObject({ version: 'model:JFK@2026-11-20T04Z', basis: 'predicted' })
    expect(hours).toHaveLength(24)
    expect(hours[3]).toEqual({
      time: '2026-11-21T17:00:00Z',
      local_time: '2026-11-21T12:00:00-05:00',
      wait_minutes: 3,
      low: 1,
      high: 8,
      confidence: 0.73,
      status: 'unknown',
      open_probability: null,
      over_15: 0.017,
      over_30: 0,
    })
  })

  test('on Pro today and tomorrow are the same 24 hours, and the answer names the hours that Pro does not see', () => {
    const tomorrow = predictions('pro', { date: '2026-11-22' })
    expect(tomorrow.date).toBe('2026-11-22')
    expect(tomorrow.hours).toEqual(predictions('pro', { date: '2026-11-21' }).hours)
    expect(tomorrow.hours.at(-1)!.time).toBe('2026-11-22T13:00:00Z')
    expect(tomorrow.unavailable_reason).toBe(
      'the hours from 2026-11-22T09:00:00-05:00 on lie beyond the 24 hours of Pro',
    )
    expect(predictions('pro', {}).unavailable_reason).toBeNull()
  })

  test('today and tomorrow are days of the airport, whatever the day is elsewhere', () => {
    const late = Date.parse('2026-11-22T04:40:00Z')
    expect(predictions('enterprise', { date: 'today' }, late).date).toBe('2026-11-21')
    expect(predictions('enterprise', { date: 'Tomorrow' }, late)).toEqual(
      predictions('enterprise', { date: '2026-11-22' }, late),
    )
    expect(() => predictions('enterprise', { date: 'next friday' })).toThrow('or `today` or `tomorrow`')
    expect(() => predictions('enterprise', { date: '2027-03-01' })).toThrow('get_best_time_to_fly (REST: leave-by)')
    expect(() => predictions('enterprise', { date: 'Sonday' })).toThrow('did you mean "Sunday"?')
    expect(predictions('enterprise', { date: 'Thanksgiving' }).date).toBe('2026-11-26')
    expect(() => predictions('enterprise', { date: 'Thanksgivng' })).toThrow('did you mean "Thanksgiving"?')
    expect(() => predictions('enterprise', { date: 'Feb 29' })).toThrow('February 2027 has 28 days')
    expect(() => predictions('enterprise', { date: 'yesterday' })).toThrow('get_historical_wait_times')
  })

  test('late in the evening the answer without a date has 24 hours on Enterprise too', () => {
    const now = Date.parse('2026-11-22T04:40:00Z')
    const { date, hours } = predictions('enterprise', {}, now)
    expect(date).toBe('2026-11-21')
    expect(hours).toHaveLength(24)
    expect(hours[0]!.local_time).toBe('2026-11-21T23:00:00-05:00')
  })

  test('a forecast without a backtest has no confidence, here and for the next hour', () => {
    const series = forecastFrom('JFK', THIS_HOUR)
    const untested = { ...series, model: { ...series.model, backtest: { ...series.model.backtest, samples: 0 } } }
    const snapshot = fakeSnapshot(NOW, { forecasts: [untested] })
    const { hours } = predictions('enterprise', {}, NOW, snapshot)
    expect(new Set(hours.map(({ confidence }) => confidence))).toEqual(new Set([null]))
    expect(hours[0]?.high).toBeGreaterThan(0)
    const waits = getWaitTimes.run({ iata: 'JFK' }, { snapshot, directory: DIRECTORY, tier: 'pro', now: NOW })
    expect(waits).toMatchObject({ predictions: { confidence: null } })
  })

  test('Enterprise has terminals in each hour, Pro has none', () => {
    expect(predictions('enterprise', {}).hours[2]!.terminals).toEqual([
      {
        terminal: 'T4',
        wait_minutes: 2,
        low: 0,
        high: 7,
        confidence: 0.73,
        status: 'unknown',
        open_probability: null,
      },
    ])
    expect(predictions('pro', {}).hours[2]).not.toHaveProperty('terminals')
  })
})

test('a terminal has no wait until it opens, while the airport has one', () => {
  const queue = measured(NOW, 14)
  const { terminals: _, average_wait_minutes: __, ...closed } = closedUntil(NOW, isoUtc(NOW + 5 * HOUR_MS))
  const terminals = queue.terminals.map((terminal) => ({ ...terminal, ...closed, wait_minutes: null, checkpoints: [] }))
  const snapshot = snapshotAt(NOW, { queues: { 'JFK security': { ...queue, terminals } } })
  const { hours } = predictions('enterprise', {}, NOW, snapshot)
  const statesAt = (ahead: number) => [hours[ahead]!.status, hours[ahead]!.terminals![0]!.status]
  expect([statesAt(4), statesAt(6)]).toEqual([
    ['unknown', 'closed'],
    ['unknown', 'unknown'],
  ])
})

describe('several days', () => {
  test('days alone counts 24 hours each from the current hour, so one call returns everything that the tier sees', () => {
    const week = predictions('enterprise', { days: 7 })
    expect(week.date).toBe('2026-11-21')
    expect(week.hours.map(({ wait_minutes }) => wait_minutes)).toEqual(Array.from({ length: 168 }, (_, hour) => hour))
    expect(week.hours.at(-1)).toMatchObject({ time: '2026-11-28T13:00:00Z', terminals: [{ terminal: 'T4' }] })
  })

  test('days from a date are local days, cut at the horizon', () => {
    const { date, hours } = predictions('enterprise', { date: '2026-11-23', days: 2 })
    expect(date).toBe('2026-11-23')
    expect(hours).toHaveLength(48)
    expect(hours[0]!.local_time).toBe('2026-11-23T00:00:00-05:00')
    expect(predictions('enterprise', { date: '2026-11-22', days: 7 }).hours.at(-1)!.time).toBe('2026-11-28T13:00:00Z')
    expect(predictions('enterprise', { date: '2026-11-21', days: 1 }).hours).toHaveLength(15)
    expect(predictions('enterprise', { days: 1 })).toEqual(predictions('enterprise', {}))
  })
})

test('an older forecast has only the hours that it covers, without past hours', () => {
  const old = fakeSnapshot(NOW, { forecasts: [forecastFrom('JFK', THIS_HOUR - 5 * HOUR_MS)] })
  const today = predictions('enterprise', {}, NOW, old)
  expect(today.hours[0]).toMatchObject({ time: '2026-11-21T14:00:00Z', wait_minutes: 5 })
  expect(predictions('enterprise', { date: '2026-11-28' }, NOW, old).hours).toHaveLength(4)
})
