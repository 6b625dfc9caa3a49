import { expect, it } from 'vitest'
import type { Comparison } from '../../../answers/questions/compare-airports.ts'
import { alertNews } from '../../../answers/statements/alert-news.ts'
import { compareAirportsTool } from '../../../api/tools/compare-airports.ts'
import { getAirportDelaysSummaryTool } from '../../../api/tools/get-airport-delays-summary.ts'
import { getAirportOverviewTool } from '../../../api/tools/get-airport-overview.ts'
import { getHistoricalWaitTimesTool } from '../../../api/tools/get-historical-wait-times.ts'
import { getSecurityWaitEstimateTool } from '../../../api/tools/get-security-wait-estimate.ts'
import { HOUR_MS, isoUtc } from '../../../config/domain.ts'
import type { Closure } from '../../../warehouse/publishing/read/delays.ts'
import type { AirportAlerts } from '../../../warehouse/publishing/read/weather-alerts.ts'
import { NOW, snapshotAt, THIS_HOUR } from '../example-snapshot.ts'
import { CLOSED_AT_NIGHT, fakeAlert, fakeAlerts, forecastFrom, measured, NOTHING } from '../fake-snapshot.ts'
import { runTool, toolText } from './run-tool.ts'

const queues = { 'JFK security': measured(NOW, 14), 'LGA security': measured(NOW, 9) }
const both = snapshotAt(NOW, { queues })
const ask = (airports: string[], snapshot = both) =>
  runTool<Comparison>(compareAirportsTool, { airports }, 'free', snapshot)

it('each airport has the same wait and delays as in its own tools', () => {
  const { airports, shortest_wait, comparable } = ask(['LGA', 'JFK', 'GRU'], snapshotAt())
  expect(airports.map(({ airport }) => airport)).toEqual(['LGA', 'JFK', 'GRU'])
  for (const { airport, security } of airports) {
    const alone = runTool<Record<string, unknown>>(getSecurityWaitEstimateTool, { iata: airport }, 'free')
    expect(security.wait_minutes).toBe(alone.average_wait_minutes)
    expect(security.basis).toBe(alone.basis)
  }
  expect([shortest_wait, comparable]).toEqual([null, false])
})

it('names the shortest wait only if all waits are the airports’ own and one is shortest', () => {
  expect(ask(['JFK', 'LGA'])).toMatchObject({ shortest_wait: 'LGA', comparable: true })
  const same = snapshotAt(NOW, { queues: { ...queues, 'LGA security': measured(NOW, 14) } })
  expect(ask(['JFK', 'LGA'], same)).toMatchObject({ shortest_wait: null, comparable: true })
})

it('prefers none of two waits that differ by less than three minutes', () => {
  const waits = (jfk: number, lga: number) =>
    runTool<Comparison>(
      compareAirportsTool,
      { airports: ['JFK', 'LGA'] },
      'free',
      snapshotAt(NOW, {
        delays: {},
        queues: { 'JFK security': measured(NOW, jfk), 'LGA security': measured(NOW, lga) },
      }),
    )
  expect(waits(12, 12)).toMatchObject({ recommended: null, shortest_wait: null })
  for (const lga of [13, 14]) expect(waits(12, lga)).toMatchObject({ recommended: null, shortest_wait: 'JFK' })
  expect(waits(12, 15)).toMatchObject({ recommended: 'JFK', shortest_wait: 'JFK' })
})

it('shows basis and age of an observed wait, and the probability of a forecast one', () => {
  const forecast = forecastFrom('LGA', THIS_HOUR)
  const snapshot = snapshotAt(NOW, {
    queues: {
      'JFK security': measured(NOW, 14),
      'LGA security': { ...NOTHING, average_wait_minutes: 0, basis: 'predicted' },
    },
    forecasts: [forecast],
  })
  const securities = ask(['JFK', 'LGA', 'GRU'], snapshot).airports.map(({ security }) => security.probability)
  expect(securities).toEqual([null, 0.73, null])
  const text = toolText(compareAirportsTool, { airports: ['JFK', 'LGA'] }, 'free', snapshot)
  expect(text).toContain('JFK: security 14 min (measured 2 min ago by panynj); delays ground delay.')
  expect(text).toContain('LGA: security 0 min (forecast from its own past; mostly 0 to 5 min)')
})

it('recommends the shortest wait, says when a queue makes no difference, and names what is not certain', () => {
  const textOf = (jfk: number, lga: number, over: object = {}) =>
    toolText(
      compareAirportsTool,
      { airports: ['JFK', 'LGA'] },
      'free',
      snapshotAt(NOW, {
        delays: {},
        queues: { 'JFK security': measured(NOW, jfk), 'LGA security': { ...measured(NOW, lga), ...over } },
      }),
    )
  expect(textOf(20, 9)).toMatch(/^LGA has the shortest security wait: 9 min measured, against JFK 20 min measured\.\n/)
  expect(textOf(1, 2)).toMatch(
    /^Security makes no difference between JFK and LGA \(JFK 1 min measured and LGA 2 min measured\)/,
  )
  const typical = { basis: 'typical', observed_at: null, age_seconds: null, freshness: null, terminals: [] }
  expect(textOf(9, 20, typical)).toMatch(
    /^The queues cannot be compared: only that at JFK is known, 9 min measured\. At LGA 20 min is what is typical/,
  )
})

it('of three airports two of which are known, it names both as known', () => {
  const typical = {
    ...measured(NOW, 6),
    basis: 'typical' as const,
    observed_at: null,
    age_seconds: null,
    terminals: [],
  }
  const queues = { 'JFK security': measured(NOW, 9), 'LGA security': measured(NOW, 3), 'GRU security': typical }
  const over = snapshotAt(NOW, { delays: {}, queues })
  expect(toolText(compareAirportsTool, { airports: ['JFK', 'LGA', 'GRU'] }, 'free', over)).toMatch(
    /^The queues cannot all be compared: only those at JFK \(9 min measured\) and LGA \(3 min measured\) are known\. At GRU 6 min is/,
  )
})

it('typical waits do not tell airports apart', () => {
  const typical = (minutes: number) => ({
    ...measured(NOW, minutes),
    basis: 'typical' as const,
    observed_at: null,
    age_seconds: null,
    terminals: [],
  })
  const snapshot = snapshotAt(NOW, { delays: {}, queues: { 'JFK security': typical(5), 'LGA security': typical(15) } })
  expect(
    runTool<{ recommended: string | null; recommendation: string }>(
      compareAirportsTool,
      { airports: ['JFK', 'LGA'] },
      'free',
      snapshot,
    ),
  ).toMatchObject({ recommended: null, recommendation: expect.stringContaining('JFK 5 min and LGA 15 min') })
  expect(ask(['JFK', 'LGA'], snapshot)).toMatchObject({ comparable: false, shortest_wait: null })
})

it('a ground stop outweighs a queue, and a closed queue is no short one', () => {
  const stop = snapshotAt(NOW, { queues: { 'JFK security': measured(NOW, 3), 'LGA security': measured(NOW, 25) } })
  const recommended = (snapshot = stop) =>
    runTool<{ recommended: string | null; recommendation: string }>(
      compareAirportsTool,
      { airports: ['JFK', 'LGA'] },
      'free',
      snapshot,
    )
  expect(recommended()).toMatchObject({
    recommended: 'LGA',
    recommendation: expect.stringContaining('JFK has a ground delay'),
  })
  const closed = {
    ...measured(NOW, 0),
    average_wait_minutes: null,
    status: 'closed' as const,
    unavailable_reason: 'closed',
    reopens_at: '2026-11-22T09:00:00Z',
    terminals: [],
  }
  const night = { delays: {}, queues: { 'JFK security': closed, 'LGA security': measured(NOW, 25) } }
  expect(recommended(snapshotAt(NOW, night))).toMatchObject({ recommended: 'LGA' })
  const allClosed = (reopens_at: string | null) => {
    const queues = { 'JFK security': closed, 'LGA security': { ...closed, reopens_at } }
    return recommended(snapshotAt(NOW, { delays: {}, queues })).recommendation
  }
  expect(allClosed('2026-11-22T10:00:00Z')).toBe(
    'Security is closed at all of them now. JFK opens first, at about 04:00 local time.',
  )
  expect(allClosed(null)).toBe(
    'Security is closed at all of them now. JFK opens at about 04:00 local time; when LGA opens is not known.',
  )
  const late = Date.parse('2026-11-22T07:00:00Z')
  const guessed = { ...measured(late, 4), basis: 'typical' as const, status: 'unknown' as const, terminals: [] }
  const atNight = { delays: {}, queues: { 'JFK security': closed, 'LGA security': guessed } }
  expect(recommended(snapshotAt(late, atNight)).recommendation).toBe(
    'Prefer LGA: 4 min estimated if it is open now, which is not known. Security is closed at JFK.',
  )
})

it('accepts two to five different airports', () => {
  expect(() => ask(['JFK'])).toThrow(/airports: /)
  expect(() => ask(['JFK', 'JFK'])).toThrow('airports: must name each airport once')
  expect(() => ask(['JFK', 'QQQ'])).toThrowError(expect.objectContaining({ code: 'AIRPORT_NOT_FOUND' }))
})

it('the delays summary of one airport names its programs, or says that nothing is known', () => {
  const text = toolText(getAirportDelaysSummaryTool, { iata: 'JFK' }, 'free')
  expect(text).toContain(
    'Ground delay at JFK for wind until 15:00: flights to JFK leave late. If you fly from JFK, be on time',
  )
  expect(text).toContain(
    'Ground delay, 42 min on average, increasing, for wind, until 15:00: flights to here wait where they depart.',
  )
  expect(text).toContain('Weather 30 min ago: Wind from the northwest at 18 kt, gusts 27 kt.')
  expect(toolText(getAirportDelaysSummaryTool, { iata: 'GRU' }, 'free')).toContain('Delays at GRU are not known')
})

it('the text of the history names the quietest and busiest hours and how many were observed', () => {
  const text = toolText(getHistoricalWaitTimesTool, { iata: 'JFK', days: 7 }, 'pro')
  expect(text).toMatch(/^In 48 observed hours, too few for a rule, about 13 min at every hour\./)
  expect(text).toMatch(
    /Security at JFK from Sat 14 Nov to Sat 21 Nov, on its local clock: 48 hours observed \(28 % of all\) by panynj/,
  )
  expect(() => toolText(getHistoricalWaitTimesTool, { iata: 'JFK', days: 30 }, 'pro')).toThrowError(
    expect.objectContaining({ code: 'PREMIUM_REQUIRED' }),
  )
  expect(toolText(getHistoricalWaitTimesTool, { iata: 'LHR' })).toContain('No wait was observed at LHR')
})

it('prefers an airport without a weather alert that may stop flights now, and says where all have one', () => {
  const alerts = (over: object = {}) => fakeAlerts(NOW, [fakeAlert(NOW, over)])
  const textOf = (weatherAlerts: Record<string, AirportAlerts>) => {
    const snapshot = snapshotAt(NOW, { delays: {}, queues, weatherAlerts })
    return toolText(compareAirportsTool, { airports: ['JFK', 'LGA'] }, 'free', snapshot)
  }
  const { period } = alertNews(fakeAlert(NOW), { timezone: 'America/New_York' }, NOW)
  expect(textOf({ LGA: alerts() })).toMatch(
    /^Prefer JFK: 14 min measured\. LGA has a weather alert \(Blizzard warning until /,
  )
  expect(textOf({ LGA: alerts() })).toContain(`; Blizzard warning ${period}.`)
  expect(textOf({ JFK: alerts(), LGA: alerts() })).toMatch(
    /^LGA has the shortest .* The weather may stop flights at JFK and LGA\.\n/,
  )
  for (const over of [{ effect: 'slows' }, { onset: isoUtc(NOW + 3 * HOUR_MS) }])
    expect(textOf({ LGA: alerts(over) })).toMatch(/^LGA has the shortest security wait: 9 min measured/)
})

it('prefers none where no airline may fly from any, and says until when each is closed', () => {
  const closedBy = (over: Partial<Closure>) => ({
    ...snapshotAt().delays('JFK'),
    status: 'closed' as const,
    programs: [],
    closures: [{ ...CLOSED_AT_NIGHT, closed_hours_utc: null, closed_hours_local: null, in_force: true, ...over }],
  })
  const delays = { JFK: closedBy({ end: null }), LGA: closedBy({ end: '2026-11-21T20:00:00Z' }) }
  const snapshot = snapshotAt(NOW, { queues, delays })
  expect(ask(['JFK', 'LGA'], snapshot).recommended).toBeNull()
  const [first, jfk] = toolText(compareAirportsTool, { airports: ['JFK', 'LGA'] }, 'free', snapshot).split('\n')
  expect(first).toBe(
    'None can be preferred now: JFK is closed to airlines, until when is not known and LGA is closed to airlines until 15:00.',
  )
  expect(jfk).toMatch(/^JFK: security 14 min \(measured .*\); closed to airlines, until when is not known\.$/)
  // What is measured there is told behind the closure.
  expect(toolText(getSecurityWaitEstimateTool, { iata: 'LGA' }, 'free', snapshot)).toMatch(
    /^LGA is closed to airlines until 15:00\. About 9 minutes at security of LGA now/,
  )
  expect(toolText(getAirportOverviewTool, { iata: 'LGA' }, 'free', snapshot)).not.toMatch(/queue|at security/)
})

it('a wait of hours ago is no wait of now', () => {
  const old = { ...measured(NOW, 14), age_seconds: 3 * 3_600, freshness: 'stale' as const }
  const snapshot = snapshotAt(NOW, { queues: { 'JFK security': old } })
  expect(toolText(getSecurityWaitEstimateTool, { iata: 'JFK' }, 'free', snapshot)).toBe(
    'About 14 minutes at security of JFK (measured 3 h ago by panynj, so it may have changed).',
  )
})
