import { expect, test } from 'vitest'
import { departureWords } from '../../../answers/texts/departure-text.ts'
import { HOUR_MS, isoUtc, MINUTE_MS } from '../../../config/vocabulary.ts'
import type { DelayState } from '../../../warehouse/publishing/read/delays.ts'
import type { TafForecast, WeatherReport } from '../../../warehouse/publishing/read/weather.ts'
import { exampleContent, NOW, snapshotAt } from '../../api/example-snapshot.ts'
import { CLOSED_AT_NIGHT, closedUnknown, fakeAlert, fakeAlerts } from '../../api/fake-snapshot.ts'
import { FORECASTS, leaveBy, typical } from './leave-by-of.ts'

const { LGA: QUIET, JFK: GROUND_DELAY } = exampleContent().delays as { LGA: DelayState; JFK: DelayState }

const NIGHTLY: DelayState = { ...QUIET, closures: [CLOSED_AT_NIGHT] }

test.each([
  ['2026-11-25T06:00', true],
  ['2026-11-25T06:30', false],
  ['2026-11-25T23:00', true],
  ['2026-11-30T23:30', false],
])('a departure at %s from an airport that is closed to airlines at night: closed %s', (departure, isClosed) => {
  const over = snapshotAt(NOW, { forecasts: [typical('ASE')], delays: { ASE: NIGHTLY } })
  const answer = leaveBy({ iata: 'ASE', departure }, 'pro', over)
  const { lead } = departureWords(answer)
  if (!isClosed) {
    expect(answer).toMatchObject({ closed_at_departure: null, flights_resume_at: null })
    expect(lead).toMatch(/^Be at ASE/)
    return
  }
  expect(answer.closed_at_departure).toMatch(
    /^Closed to airlines until 06:30 on \w+ 2[56] Nov: every night from 23:00 to 06:30 local time, until 30 Nov\.$/,
  )
  expect(lead).toMatch(
    /^ASE is expected to be closed at your departure: ask the airline before you set out\. Closed to/,
  )
  expect(lead).toMatch(
    /No time to leave is given for a flight before then: ask again with the new time of your flight\.$/,
  )
  // Nobody is served then: no minute is better than another.
  expect(answer).toMatchObject({
    outcome: 'no_figure',
    recommended: null,
    curve: [],
    steps: [],
    what_if: [],
    flights_resume_at: departure < '2026-11-25T07' ? '2026-11-25T13:30:00Z' : '2026-11-26T13:30:00Z',
  })
  const { risk, steps, changes } = departureWords(answer)
  expect([...risk, ...steps, ...changes]).toEqual([])
})

test('a flight that would arrive while its destination is closed to airlines is told so, on any day', () => {
  const over = snapshotAt(NOW, { forecasts: [typical('DEN')], delays: { DEN: QUIET, ASE: NIGHTLY } })
  const delaysOf = (departure: string) => leaveBy({ iata: 'DEN', departure, destination: 'ASE' }, 'pro', over).delays
  expect(delaysOf('2026-11-25T22:45')).toMatch(
    /^ASE is expected to be closed at your arrival, about 23:\d\d there: closed to airlines until 06:30 on Thu 26 Nov \(every night until 30 Nov\)\. Ask the airline/,
  )
  expect(delaysOf('2026-11-25T20:00')).toBeNull()
})

test('security that closes with the airport is taken to open before the first flight', () => {
  const closures = [{ ...CLOSED_AT_NIGHT, closed_hours_utc: '1400-1630', closed_hours_local: null, in_force: true }]
  const over = snapshotAt(NOW, {
    forecasts: [typical('ASE')],
    delays: { ASE: { ...QUIET, status: 'closed', closures } },
    queues: { 'ASE security': closedUnknown(NOW) },
  })
  const planOf = (hours: number) => leaveBy({ iata: 'ASE', departure: isoUtc(NOW + hours * HOUR_MS) }, 'pro', over)
  expect(planOf(4).security_must_open_by).toBeNull()
  expect(departureWords(planOf(4)).lead).toMatch(/^Be at ASE by/)
  // It departs before airlines may fly again.
  expect(planOf(2)).toMatchObject({ outcome: 'no_figure', security_must_open_by: null })
})

test('a closure has the hours of the clock on the day of departure', () => {
  const closures = [{ ...CLOSED_AT_NIGHT, end: '2027-03-31T13:30:00Z' }]
  const over = snapshotAt(NOW, { forecasts: [typical('ASE')], delays: { ASE: { ...QUIET, closures } } })
  const { closed_at_departure } = leaveBy({ iata: 'ASE', departure: '2027-03-20T06:00' }, 'pro', over)
  expect(closed_at_departure).toMatch(
    /^Closed to airlines until 07:30 on \w+ \d+ Mar: every night from 00:00 to 07:30 local time, until 31 Mar/,
  )
})

test('a program of the destination that holds flights to there is told, as long as the departure is near', () => {
  const over = snapshotAt(NOW, { forecasts: FORECASTS, delays: { JFK: GROUND_DELAY, ATL: QUIET } })
  const delays = (minutes: number, destination: string) =>
    leaveBy({ iata: 'ATL', departure: isoUtc(NOW + minutes * MINUTE_MS), destination }, 'pro', over).delays
  expect(delays(300, 'JFK')).toBe('JFK: Ground delay: flights to JFK wait 42 min on average, until 15:00 (wind).')
  // It ends at 15:00, before this departure.
  expect(delays(400, 'JFK')).toBeNull()
  expect(delays(300, 'LIS')).toBeNull()
  expect(delays(900, 'JFK')).toBeNull()
})

test('a hold that the airport of departure tells itself is not told twice', () => {
  const summary = 'Ground delay of JFK: departures from here to JFK wait 42 min on average, until 15:00 (wind).'
  const programs = GROUND_DELAY.programs.map((program) => ({ ...program, destination: 'JFK' }))
  const held: DelayState = { ...QUIET, status: 'minor_delay', programs }
  const over = snapshotAt(NOW, { forecasts: FORECASTS, delays: { JFK: GROUND_DELAY, ATL: held } })
  const departure = isoUtc(NOW + 300 * MINUTE_MS)
  expect(leaveBy({ iata: 'ATL', departure, destination: 'JFK' }, 'pro', over).delays).toBe(summary)
})

test('a closure that lasts until the departure is told once, without the advice to come for the scheduled time', () => {
  const closures = [{ ...CLOSED_AT_NIGHT, closed_hours_utc: null, closed_hours_local: null, in_force: true }]
  const state: DelayState = { ...QUIET, status: 'closed', closures }
  const over = snapshotAt(NOW, { forecasts: FORECASTS, delays: { ATL: state } })
  const answer = leaveBy({ iata: 'ATL', departure: isoUtc(NOW + 300 * MINUTE_MS) }, 'pro', over)
  expect(answer.delays).toBeNull()
  const { lead, risk } = departureWords(answer)
  expect(lead).toMatch(/^ATL is expected to be closed at your departure: ask the airline .* Closed to airlines until /)
  expect(risk.join(' ')).not.toContain('come for the scheduled time')
})

test('the weather that is forecast for the departure here and for the arrival there is said', () => {
  const { KJFK: taf } = exampleContent().tafs as { KJFK: TafForecast }
  const departure = NOW + 400 * MINUTE_MS
  const snow = (from: number, change: 'FM' | 'PROB') => ({
    ...taf,
    periods: [{ ...taf.periods[0]!, from: isoUtc(from), change, weather: '-SN' }],
  })
  const weather = (tafs: Record<string, TafForecast>) =>
    leaveBy(
      { iata: 'ATL', departure: isoUtc(departure), destination: 'JFK' },
      'pro',
      snapshotAt(NOW, { forecasts: FORECASTS, tafs }),
    ).weather
  expect(weather({ KATL: snow(NOW, 'FM') })).toBe('At ATL the forecast for 16:00 has snow: de-icing takes time.')
  // The flight takes two hours: what begins there before the arrival counts, what begins after it does not.
  expect(weather({ KJFK: snow(departure + 60 * MINUTE_MS, 'PROB') })).toMatch(
    /^At JFK the forecast for 18:\d\d may have snow/,
  )
  expect(weather({ KJFK: snow(departure + 200 * MINUTE_MS, 'FM') })).toBeNull()
  expect(weather({})).toBeNull()
})

test('the weather that is reported counts for flights within three hours of it, where none that delays is forecast', () => {
  const report = {
    ...exampleContent().weather!.KJFK!,
    icao: 'KATL',
    observed_at: isoUtc(NOW - 12 * MINUTE_MS),
    age_seconds: 720,
  }
  const weather = (changes: Partial<WeatherReport>, minutes = 60) => {
    const over = snapshotAt(NOW, { forecasts: FORECASTS, weather: { KATL: { ...report, ...changes } } })
    return leaveBy({ iata: 'ATL', departure: isoUtc(NOW + minutes * MINUTE_MS) }, 'pro', over).weather
  }
  expect(weather({ weather: '-SN' })).toBe('At ATL the report of 12 min ago has snow: de-icing takes time.')
  expect(weather({ weather: '-SN' }, 240)).toBeNull()
  expect(weather({ raw: 'METAR KATL 211408Z NIL R/SNOCLO' })).toMatch(/the aerodrome is closed by snow/)
  expect(weather({ raw: 'METAR KATL 211408Z 27010KT 9999 FEW040 10/05 Q1013 WS R27 NOSIG' })).toMatch(/wind shear/)
  expect(weather({ raw: 'METAR KATL 211408Z 27010KT 9999 FEW040 10/05 Q1013 WS TKOF RWY27' })).toMatch(/wind shear/)
  expect(weather({ raw: 'METAR KATL 211408Z 27010KT 9999 FEW040 10/05 Q1013 NO WS RWY27' })).toBeNull()
  expect(weather({ raw: 'METAR KATL 211408Z 27010KT 9999 FEW040 10/05 A2992 RMK WSHFT 1350' })).toBeNull()
  expect(weather({ weather: null })).toBeNull()
})

const WIND = fakeAlert(NOW, { event: 'Wind Advisory', effect: 'slows', severity: 'Moderate' })

test('weather alerts are told where they hold at the departure or at the arrival, those that may stop it before delays', () => {
  const over = snapshotAt(NOW, {
    forecasts: FORECASTS,
    delays: { JFK: GROUND_DELAY, ATL: QUIET },
    weatherAlerts: {
      ATL: fakeAlerts(NOW, [fakeAlert(NOW), WIND]),
      // It begins after the arrival.
      JFK: fakeAlerts(NOW, [fakeAlert(NOW, { onset: isoUtc(NOW + 20 * HOUR_MS), ends: null })]),
    },
  })
  const departure = isoUtc(NOW + 300 * MINUTE_MS)
  const answer = leaveBy({ iata: 'ATL', departure, destination: 'JFK' }, 'pro', over)
  expect(answer.weather_alerts.map(({ airport, event }) => [airport, event])).toEqual([
    ['ATL', 'Blizzard Warning'],
    ['ATL', 'Wind Advisory'],
  ])
  const risk = departureWords(answer).risk.join(' ')
  expect(risk).toMatch(
    /ATL: Blizzard warning until 19:20: flights may stop or be cancelled\. JFK: Ground delay: .* ATL: Wind advisory until 19:20: delays are possible\./,
  )
  expect(risk).toContain('Ask the airline before you set out.')
})

test('an alert that ends before the departure, or whose message lapses before it, is not told', () => {
  const alerts = [WIND, fakeAlert(NOW, { ends: null })]
  const over = snapshotAt(NOW, { forecasts: FORECASTS, weatherAlerts: { ATL: fakeAlerts(NOW, alerts) } })
  const alertsIn = (hours: number) =>
    leaveBy({ iata: 'ATL', departure: isoUtc(NOW + hours * HOUR_MS) }, 'pro', over).weather_alerts
  expect(alertsIn(3).map(({ event }) => event)).toEqual(['Wind Advisory', 'Blizzard Warning'])
  expect(alertsIn(5).map(({ event }) => event)).toEqual(['Wind Advisory'])
  expect(alertsIn(11)).toEqual([])
})

test('a program that begins after the departure does not hold it, one of the destination that begins before the arrival does', () => {
  const later = (hours: number): DelayState => ({
    ...GROUND_DELAY,
    status: 'normal',
    programs: GROUND_DELAY.programs.map((program) => ({ ...program, start: isoUtc(NOW + hours * HOUR_MS), end: null })),
  })
  const departure = isoUtc(NOW + 5 * HOUR_MS)
  const of = (iata: string, destination: string, hours: number) =>
    leaveBy(
      { iata, departure, destination },
      'pro',
      snapshotAt(NOW, { forecasts: [...FORECASTS, typical('DEN')], delays: { JFK: later(hours), DEN: QUIET } }),
    ).delays
  expect(of('JFK', 'DEN', 6)).toBeNull()
  expect(of('JFK', 'DEN', 4)).toMatch(/^Ground delay: flights to JFK wait .* from /)
  expect(of('DEN', 'JFK', 7)).toMatch(/^JFK: Ground delay: /)
  expect(of('DEN', 'JFK', 12)).toBeNull()
})
