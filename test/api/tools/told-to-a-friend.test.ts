import { expect, test } from 'vitest'
import { getHistorical } from '../../../answers/questions/get-historical.ts'
import { compareAirportsTool } from '../../../api/tools/compare-airports.ts'
import { getAirportDelaysSummaryTool } from '../../../api/tools/get-airport-delays-summary.ts'
import { getAirportOverviewTool } from '../../../api/tools/get-airport-overview.ts'
import { getBestTimeToFlyTool } from '../../../api/tools/get-best-time-to-fly.ts'
import { getHistoricalWaitTimesTool } from '../../../api/tools/get-historical-wait-times.ts'
import { getSecurityWaitEstimateTool } from '../../../api/tools/get-security-wait-estimate.ts'
import { searchAirportsTool } from '../../../api/tools/search-airports.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'
import type { QueueWait } from '../../../config/answers.ts'
import { UNKNOWN_STATUS } from '../../../config/answers.ts'
import { HOUR_MS } from '../../../config/domain.ts'
import type { LearnedHours } from '../../../warehouse/publishing/waits/learned-hours.ts'
import { exampleContent, NOW, snapshotAt, THIS_HOUR } from '../example-snapshot.ts'
import { historyOf, measured, NOTHING } from '../fake-snapshot.ts'
import { toolText } from './run-tool.ts'

const typical: QueueWait = {
  ...NOTHING,
  ...UNKNOWN_STATUS,
  average_wait_minutes: 5,
  unavailable_reason: null,
  basis: 'typical',
  source: 'prior:2026',
}

/** Security that is open from 04:00 to 22:00 every day. */
const HOURS: LearnedHours = {
  timezone: 'America/New_York',
  days: 28,
  from: '2026-10-24',
  to: '2026-11-20',
  open: Array.from({ length: 168 }, (_, hour) => (hour % 24 >= 4 && hour % 24 < 22 ? 100 : 0)),
  opens: Array.from({ length: 168 }, (_, hour) => (hour % 24 >= 4 && hour % 24 < 22 ? 100 : 0)),
  minute: Array(24).fill(0),
  observed_days: Array(24).fill(28),
}
const withHours = (snapshot: ReturnType<typeof snapshotAt>) =>
  Object.assign({}, snapshot, { openingHours: () => Object.assign({ kind: 'security' as const }, HOURS) })

test('a figure that nobody observed is said for an open queue only, at night', () => {
  // 02:30 in New York, 09:30 in Zurich.
  const night = Date.parse('2026-11-21T07:30:00Z')
  const snapshot = snapshotAt(night, { queues: { 'BRD security': typical, 'ZRH security': typical } })
  for (const tool of [getSecurityWaitEstimateTool, getAirportOverviewTool]) {
    expect(toolText(tool, { iata: 'BRD' }, 'free', snapshot)).toMatch(/open (now, which|at this hour) is not known/)
    expect(toolText(tool, { iata: 'ZRH' }, 'free', snapshot)).not.toMatch(/if it is open|open at this hour/)
  }
  expect(toolText(getAirportOverviewTool, { iata: 'BRD' }, 'free', snapshot)).not.toContain('no long queue')
  expect(toolText(compareAirportsTool, { airports: ['BRD', 'ZRH'] }, 'free', snapshot)).toMatch(
    /BRD: security 5 min if it is open now, which is not known \(/,
  )
  const open = snapshotAt(night, { queues: { 'BRD security': Object.assign({}, typical, { status: 'open' }) } })
  expect(toolText(getSecurityWaitEstimateTool, { iata: 'BRD' }, 'free', open)).not.toContain('if it is open')
})

test('the date of pages is said once for all terminals that share it', () => {
  const text = toolText(getAirportOverviewTool, { iata: 'JFK' })
  expect(text.match(/without a date|as of an unknown date/g)?.length ?? 0).toBeLessThan(2)
  expect(text).toMatch(/Terminals, possibly not all: Terminal 1, Terminal 4, .* \(from pages without a date\)/)
})

test('a comparison never denies the wait that it shows', () => {
  const queues = { 'JFK security': measured(NOW, 14) }
  const text = toolText(compareAirportsTool, { airports: ['JFK', 'LGA', 'GRU'] }, 'free', snapshotAt(NOW, { queues }))
  expect(text).toContain('JFK: security 14 min')
  expect(text).not.toContain('No wait is known')
  expect(text).toMatch(/^The waits at LGA and GRU are not known, .* JFK has a ground delay\./)
})

test('leaving times are said as how sure one is to make it', () => {
  const input = { iata: 'JFK', departure: '2026-11-22T17:30', travel_minutes: 40 }
  const text = toolText(getBestTimeToFlyTool, input)
  expect(text).toMatch(
    /Leave by \d\d:\d\d to be nearly certain\. Whoever leaves after \d\d:\d\d more likely misses it than not\./,
  )
  expect(text.match(/\d+ %/g)).toHaveLength(1)
})

test('beyond the forecast the learned opening hours count', () => {
  const input = { iata: 'JFK', departure: '2026-12-15T05:00', travel_minutes: 30 }
  expect(toolText(getBestTimeToFlyTool, input, 'enterprise', withHours(snapshotAt()))).toContain(
    'Security opens at 04:00.',
  )
  expect(toolText(getBestTimeToFlyTool, input)).not.toContain('Security opens')
})

test('zeros of hours in which security is closed are no waits in the pattern of the week', () => {
  const hours = Array.from({ length: 7 * 24 }, (_, back) => THIS_HOUR - (back + 1) * HOUR_MS).reverse()
  // Local time is five hours behind.
  const isClosed = (start: number) => [22, 23, 0, 1, 2, 3].includes(new Date(start - 5 * HOUR_MS).getUTCHours())
  const history = [historyOf('JFK', hours, (start) => (isClosed(start) ? 0 : 80))]
  const context = { directory: airportDirectory(), tier: 'enterprise' as const, now: NOW }
  const patternOf = (snapshot: ReturnType<typeof snapshotAt>) =>
    (getHistorical.run({ iata: 'JFK', days: 7 }, { ...context, snapshot }) as { pattern: { p50: number }[] }).pattern
  const snapshot = snapshotAt(NOW, Object.assign(exampleContent(), { history }))
  expect(patternOf(snapshot).filter(({ p50 }) => p50 === 0).length).toBeGreaterThan(0)
  expect(patternOf(withHours(snapshot)).filter(({ p50 }) => p50 === 0)).toEqual([])
  expect(patternOf(withHours(snapshot)).length).toBe(7 * 18)
})

test('who comes too late for a closed checkpoint is told that it is closed', () => {
  const closed = Object.assign({}, measured(NOW, 0), {
    average_wait_minutes: null,
    status: 'closed' as const,
    unavailable_reason: 'closed',
    reopens_at: '2026-11-21T19:20:00Z',
    reopens_basis: 'measured' as const,
    terminals: [],
  })
  const snapshot = snapshotAt(NOW, { queues: { 'JFK security': closed } })
  const input = { iata: 'JFK', departure: '2026-11-21T11:30', international: true }
  expect(toolText(getBestTimeToFlyTool, input, 'free', snapshot)).toMatch(/^Too late .* Security is closed now\./)
  expect(toolText(compareAirportsTool, { airports: ['JFK', 'LGA'] }, 'free', snapshot)).toMatch(
    /^Prefer LGA\. Security is closed at JFK\. The wait at LGA is not known\./,
  )
})

test('hours that are alike have no quietest one', () => {
  const text = toolText(getHistoricalWaitTimesTool, { iata: 'JFK', days: 7 })
  expect(text).toMatch(/^In 48 observed hours, too few for a rule, about 13 min at every hour\./)
  expect(text).not.toMatch(/Quietest|Busiest/)
})

test('a hamlet and a small word do not pass for a mistyped city', () => {
  expect(toolText(searchAirportsTool, { query: 'charlote' })).toMatch(/^CLT /)
})

test('who plans abroad with PreCheck is told that the lane exists in the US only', () => {
  const text = toolText(getBestTimeToFlyTool, { iata: 'LHR', departure: '2026-11-22T13:00', lane: 'precheck' })
  expect(text).toContain('the lane precheck exists at US airports only')
})

test('an airport that is closed at night is not one that is closed until further notice', () => {
  const closure = {
    reason: '!JFK 11/021 JFK AD AP CLSD DLY 0600-1430 2611010600-2611301430',
    start: '2026-11-01T06:00:00Z',
    end: '2026-11-30T14:30:00Z',
    closed_to_airlines: true,
    closed_hours_utc: '0600-1430',
    closed_hours_local: 'every night from 01:00 to 09:30',
    in_force: true,
  }
  const delays = { ...snapshotAt(NOW).delays('JFK'), status: 'closed' as const, programs: [] }
  const at = (over: object) =>
    toolText(
      getAirportDelaysSummaryTool,
      { iata: 'JFK' },
      'free',
      snapshotAt(NOW, { delays: { JFK: { ...delays, closures: [{ ...closure, ...over }] } } }),
    )
  expect(at({})).toMatch(
    /^JFK is closed to airlines every night from 01:00 to 09:30 local time, until 30 Nov\. That is now;/,
  )
  expect(at({}).match(/01:00 to 09:30/g)).toHaveLength(1)
  const open = { ...delays, status: 'normal' as const, closures: [{ ...closure, in_force: false }] }
  expect(
    toolText(getAirportDelaysSummaryTool, { iata: 'JFK' }, 'free', snapshotAt(NOW, { delays: { JFK: open } })),
  ).toMatch(
    /^The FAA lists no delay at JFK now\. Go as planned;.*\. JFK is closed to airlines every night from 01:00 to 09:30 local time, until 30 Nov\./,
  )
  expect(at({ closed_hours_utc: null, closed_hours_local: null })).toMatch(/do not set out before the airline confirms/)
})
