import { expect, test } from 'vitest'
import { getBusyDays } from '../../answers/departure/get-busy-days.ts'
import { getAviationWeather } from '../../answers/questions/get-aviation-weather.ts'
import { closedToAirlines, closureText } from '../../answers/statements/closure.ts'
import { delayLines, delaySummary } from '../../answers/statements/delay-text.ts'
import { airportDirectory } from '../../config/airports/directory.ts'
import { closedForHolidays, HOLIDAY_CLOSURES } from '../../config/reference/holiday-closures.ts'
import { DAY_MS, HOUR_MS, isoUtc } from '../../config/vocabulary.ts'
import { typicalModel } from '../../forecasting/prior/typical.ts'
import { ForecastBuilder } from '../../warehouse/publishing/gather/forecast-block.ts'
import { snapshotReader } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { NOW, snapshotAt } from '../api/example-snapshot.ts'
import { emptyContent } from '../warehouse/snapshot-content.ts'
import { leaveBy, typical } from './departure/leave-by-of.ts'

/** The state of an airport in a snapshot of an instant. */
const delaysAt = (iata: string, instant: string) => snapshotReader('one', emptyContent(instant)).delays(iata)

test('each row names a holiday of the calendar of its country, and ends after it begins', () => {
  for (const { iata } of HOLIDAY_CLOSURES.rows()) {
    const closed = closedForHolidays(iata, NOW, NOW + 400 * DAY_MS)
    expect(closed, iata).toHaveLength(1)
    expect(Date.parse(closed[0]!.end), iata).toBeGreaterThan(Date.parse(closed[0]!.start))
  }
})

test.each([
  ['DPS', '2027-03-06T21:00:00Z', 'unknown', null],
  // 06:00 in Bali is 22:00 UTC of the day before.
  ['DPS', '2027-03-07T21:00:00Z', 'unknown', null],
  ['DPS', '2027-03-07T22:30:00Z', 'closed', 'closed to airlines until 06:00 on Tue 9 Mar'],
  ['DPS', '2027-03-08T22:00:00Z', 'unknown', null],
  ['TLV', '2027-10-10T10:59:00Z', 'unknown', null],
  ['TLV', '2027-10-10T11:00:00Z', 'closed', 'closed to airlines until 21:30 on Mon 11 Oct'],
  ['TLV', '2027-10-11T18:30:00Z', 'unknown', null],
  ['JFK', '2027-10-11T12:00:00Z', 'normal', null],
])('%s at %s: %s', (iata, instant, status, text) => {
  const { closures, status: found } = delaysAt(iata, instant)
  const closure = closedToAirlines(closures, airportDirectory().byIata.get(iata)!.timezone, Date.parse(instant))
  expect([found, closure && closureText(closure)]).toEqual([status, text])
})

test('what to do is said on the day of the holiday and within the day before it', () => {
  const linesAt = (instant: string) => {
    const state = delaysAt('DPS', instant)
    const summary = delaySummary(state, airportDirectory().byIata.get('DPS')!, Date.parse(instant))
    return delayLines({ airport: 'DPS', ...state, summary }, instant)
  }
  expect(linesAt('2027-03-08T00:00:00Z')[0]).toBe(
    'DPS is closed to airlines until 06:00 on Tue 9 Mar: do not set out before the airline confirms your flight.',
  )
  const before = linesAt('2027-03-07T10:00:00Z')
  expect(before[0]).toMatch(/^DPS closes to airlines within a day\. Delays at DPS are not known/)
  expect(before[1]).toBe(
    'Open to airlines now; closed to them from 06:00 on Mon 8 Mar to 06:00 on Tue 9 Mar local time (for Nyepi, as every year).',
  )
  expect(linesAt('2027-03-05T10:00:00Z')).toHaveLength(1)
})

test('a flight from or to an airport that closes for a holiday is told so a year ahead', () => {
  const over = snapshotAt(NOW, { forecasts: [typical('TLV'), typical('ATH')] })
  const planOf = (iata: string, departure: string, destination?: string) =>
    leaveBy({ iata, departure, ...(destination && { destination }) }, 'pro', over)
  expect(planOf('TLV', '2027-10-11T10:00')).toMatchObject({
    outcome: 'no_figure',
    closed_at_departure: 'Closed to airlines until 21:30 on Mon 11 Oct local time (for Yom Kippur, as every year).',
    flights_resume_at: '2027-10-11T18:30:00Z',
  })
  expect(planOf('TLV', '2027-10-10T10:00').closed_at_departure).toBeNull()
  expect(planOf('ATH', '2027-10-11T12:00', 'TLV').delays).toMatch(/^TLV is expected to be closed at your arrival/)
  expect(planOf('ATH', '2027-10-13T12:00', 'TLV').delays).toBeNull()
})

test('a queue that nobody observes, and the forecast days ahead, are closed with the airport', () => {
  const builder = new ForecastBuilder()
  const start = Date.parse('2027-10-09T00:00:00Z')
  const hours = Array.from({ length: 168 }, () => ({ p10: 2, p50: 5, p90: 9, confidence: 0.8, open: null }))
  builder.addSeries('TLV', '', start, builder.addValues(hours), builder.addModel(typicalModel('large')))
  const readAt = (instant: string) => snapshotReader('one', emptyContent(instant, { forecasts: builder.build() }))
  const { open } = readAt('2027-10-09T00:00:00Z').forecast('TLV')!
  const closed = [...open.keys()].filter((hour) => open[hour] === 0)
  expect(closed.map((hour) => isoUtc(start + hour * HOUR_MS))).toMatchObject({
    0: '2027-10-10T11:00:00Z',
    length: 30,
    29: '2027-10-11T16:00:00Z',
  })
  expect(readAt('2027-10-10T09:00:00Z').queue('TLV', 'security').status).not.toBe('closed')
  expect(readAt('2027-10-11T09:00:00Z').queue('TLV', 'security').status).toBe('closed')
})

test('the closure of an airport that the FAA does not cover is not put down to the FAA', () => {
  const instant = '2027-10-11T09:00:00Z'
  const request = { directory: airportDirectory(), tier: 'free' as const, now: Date.parse(instant) }
  const snapshot = snapshotReader('one', emptyContent(instant))
  expect(getAviationWeather.run({ iata: 'TLV' }, { ...request, snapshot })).toMatchObject({ faa: null })
})

test('the busy days ahead say that the airport is closed, on each day that the closure touches', () => {
  const now = Date.parse('2027-10-08T12:00:00Z')
  const snapshot = snapshotReader('one', emptyContent('2027-10-08T12:00:00Z'))
  const { days } = getBusyDays.run({ iata: 'TLV' }, { snapshot, directory: airportDirectory(), tier: 'free', now }) as {
    days: { date: string; expected: string; why: string | null }[]
  }
  const closed = days.filter(({ why }) => why?.startsWith('Yom Kippur'))
  const why = 'Yom Kippur: closed to airlines from 14:00 on Sun 10 Oct to 21:30 on Mon 11 Oct'
  expect(closed).toMatchObject([
    { date: '2027-10-10', expected: 'holiday', why },
    { date: '2027-10-11', expected: 'holiday', why },
  ])
})
