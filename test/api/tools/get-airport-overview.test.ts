import { expect, test } from 'vitest'
import type { Overview } from '../../../answers/questions/overview-answer.ts'
import { getAirportOverviewTool } from '../../../api/tools/get-airport-overview.ts'
import { HOUR_MS } from '../../../config/vocabulary.ts'
import type { BorderForecast } from '../../../warehouse/publishing/read/border-forecasts.ts'
import { exampleContent, NOW, snapshotAt, THIS_HOUR } from '../example-snapshot.ts'
import {
  borderForecastFrom,
  CLOSED_AT_NIGHT,
  closedUnknown,
  type FakeSnapshotContent,
  measured,
  UNSUPPORTED,
} from '../fake-snapshot.ts'
import { callOf } from './run-tool.ts'

/** Arrivals at JFK: none in the third hour, the longest wait five hours ahead, a longer one after more than a day. */
const HOURS = Array.from({ length: 168 }, (_, hour) => {
  const p50 = { 6: 38.4, 30: 90 }[hour] ?? 17.2
  return hour === 3 ? null : { p10: p50 - 8, p50, p90: p50 + 14, samples: 25, confidence: 0.48 }
})
const forecastOf = (over: Partial<BorderForecast> = {}) =>
  borderForecastFrom(THIS_HOUR - HOUR_MS, { hours: HOURS, ...over })

/** The answer with a free key. */
function overviewOf(iata: string, content: FakeSnapshotContent, now = NOW) {
  const { text, structured } = callOf<Overview>(getAirportOverviewTool, { iata }, 'free', snapshotAt(now, content))
  const line = text.split('\n').find((candidate) => /^(The wait at p|P)assport control/.test(candidate))
  return { immigration: structured.immigration, line, text }
}

test('a traveller who arrives sees the expected wait at passport control, and the longest of the next 24 hours', () => {
  const { immigration, line } = overviewOf('JFK', { borderForecasts: [forecastOf()] })
  expect(immigration).toMatchObject({
    wait_minutes: 17,
    low: 9,
    high: 31,
    basis: 'predicted',
    source: 'model:JFK@2026-11-20T04Z',
    longest: { wait_minutes: 38, low: 30, high: 52, basis: 'predicted' },
    unavailable_reason: null,
  })
  expect(line).toMatch(
    /^Passport control for arrivals: about 17 min now \(forecast from its own past; mostly 9 to 31 min\)\./,
  )
  expect(line).toMatch(/Longest of the next 24 hours: about 38 min at 14:00\.$/)
})

test('an hour in which nobody arrives has no wait of zero, but the longest hour is shown', () => {
  const hours = forecastOf().hours.with(1, null)
  const { immigration, line } = overviewOf('JFK', { borderForecasts: [forecastOf({ hours })] })
  expect(immigration).toMatchObject({ wait_minutes: null, basis: null, longest: { wait_minutes: 38 } })
  expect(immigration.unavailable_reason).toBe('hardly anybody arrives from abroad in this hour')
  expect(line).toContain('not known now: hardly anybody arrives')
})

test('a measured wait comes before the forecast of the hour', () => {
  const queues = { 'JFK immigration': measured(NOW, 41) }
  const { immigration, line, text } = overviewOf('JFK', { queues, borderForecasts: [forecastOf()] })
  expect(immigration).toMatchObject({ wait_minutes: 41, low: null, basis: 'measured', longest: { wait_minutes: 38 } })
  expect(text).toMatch(/Long queue at passport control on arrival: about 41 min \(measured 2 min ago by panynj\)\./)
  // The recommendation has its figure: the line names the queue all the same, because that of security stands between them.
  expect(line).toBe('The wait at passport control is not longer in the next 24 hours.')
})

test('a Schengen airport has the queue of those who enter; a range alike at all hours has no longest hour', () => {
  const hours = forecastOf().hours.map(() => ({ p10: 4, p50: 20, p90: 70, samples: null, confidence: null }))
  const note = 'Taken from US airports.'
  const entry = forecastOf({ iata: 'ZRH', direction: 'entry', basis: 'typical', version: 'prior:x', hours, note })
  const { immigration } = overviewOf('ZRH', {
    borderForecasts: [entry, forecastOf({ iata: 'ZRH', direction: 'exit' })],
  })
  expect(immigration).toMatchObject({ wait_minutes: 20, high: 70, basis: 'typical', longest: null })
})

test('an airport without a source says so in its fields and not in its text', () => {
  const { immigration, line } = overviewOf('NRT', {})
  expect(immigration).toMatchObject({ wait_minutes: null, basis: null, longest: null })
  expect(immigration.unavailable_reason).toContain('no source of passport control waits')
  expect(line).toBeUndefined()
})

test('closed passport control is said to be closed, not unknown', () => {
  const queues = { 'JFK immigration': closedUnknown(NOW) }
  const { line } = overviewOf('JFK', { queues, borderForecasts: [forecastOf()] })
  expect(line).toMatch(/^Passport control for arrivals is closed now\. Longest of the next 24 hours: about 38 min/)
})

test('what closes an airport closes its queues, which is not said again', () => {
  const night = Date.parse('2026-11-21T09:00:00Z')
  const { LGA: quiet } = exampleContent().delays ?? {}
  const closures = [{ ...CLOSED_AT_NIGHT, in_force: true }]
  const { text } = overviewOf(
    'ASE',
    {
      delays: { ASE: { ...quiet!, status: 'closed', closures } },
      queues: { 'ASE security': closedUnknown(night), 'ASE immigration': closedUnknown(night) },
    },
    night,
  )
  expect(text).toMatch(/^ASE is closed to airlines every night/)
  expect(text).not.toMatch(/[Ss]ecurity is|Passport control/)
})

test('flights that are held for another airport lead where no other delay is known', () => {
  const { JFK: held } = exampleContent().delays ?? {}
  const programs = held!.programs.map((program) => ({ ...program, destination: 'JFK' }))
  const { text } = overviewOf('YYZ', { delays: { YYZ: { ...UNSUPPORTED, programs } } })
  expect(text).toMatch(/^Flights from YYZ to JFK are held by the FAA\./)
  expect(text).not.toMatch(/elays are (not|known)/)
})

test('a short wait of hours ago is not called short', () => {
  const queue = { ...measured(NOW, 4), age_seconds: 3 * 3_600, freshness: 'stale' as const }
  const { text } = overviewOf('LGA', { queues: { 'LGA security': queue } })
  expect(text).toMatch(/^The queue at T4 of LGA: 4 min at security, measured 3 h ago by .*, so it may have changed\./)
})

test.each([
  [
    'what a busy airport alone notices leads nothing',
    { weather: 'BR', flight_category: 'MVFR' },
    /^(No long queue|The queue)/,
  ],
  ['snow leads', { weather: '-SN', flight_category: 'MVFR' }, /^Snow: de-icing takes time\./],
] as const)('weather in an overview: %s', (_kind, sky, words) => {
  const { weather, delays } = exampleContent()
  const KLGA = { ...weather!.KJFK!, icao: 'KLGA', wind_gust_kt: null, ceiling_ft: 1_500, ...sky }
  const content = { weather: { KLGA }, delays: { LGA: delays!.LGA! }, queues: { 'LGA security': measured(NOW, 9) } }
  expect(overviewOf('LGA', content).text).toMatch(words)
})
