import { expect, test } from 'vitest'
import { lengthText } from '../../../answers/statements/delay-news.ts'
import { compareAirportsTool } from '../../../api/tools/compare-airports.ts'
import { getAirportDelaysSummaryTool } from '../../../api/tools/get-airport-delays-summary.ts'
import { getAirportOverviewTool } from '../../../api/tools/get-airport-overview.ts'
import { getBestTimeToFlyTool } from '../../../api/tools/get-best-time-to-fly.ts'
import { getHistoricalWaitTimesTool } from '../../../api/tools/get-historical-wait-times.ts'
import { getLoungesTool } from '../../../api/tools/get-lounges.ts'
import { getSecurityWaitEstimateTool } from '../../../api/tools/get-security-wait-estimate.ts'
import { getWaitTimePredictionsTool } from '../../../api/tools/get-wait-time-predictions.ts'
import { HOUR_MS } from '../../../config/domain.ts'
import { localClock } from '../../../config/time-zones/local-time.ts'
import { learnHours } from '../../../warehouse/publishing/waits/learned-hours.ts'
import { withReopening } from '../../../warehouse/publishing/waits/status-by-hours.ts'
import { exampleContent, NOW, snapshotAt, THIS_HOUR } from '../example-snapshot.ts'
import { closedUnknown, closedUntil, forecastFrom, historyOf, measured, UNSUPPORTED } from '../fake-snapshot.ts'
import { callOf, toolText } from './run-tool.ts'

const TIMEZONE = 'America/New_York'

/** Four weeks of a queue that opens at 03:20 and closes at 22:30 local time, as a source read every ten minutes tells them. */
const HOURS = learnHours(
  Array.from({ length: 28 * 24 }, (_, back) => {
    const hour = THIS_HOUR - (back + 1) * HOUR_MS
    const local = localClock(TIMEZONE, [hour]).hour[0]!
    const open_slots = local === 3 ? 4 : local === 22 ? 3 : local > 3 && local < 22 ? 6 : 0
    const opened = local === 3 ? hour + 20 * 60_000 : hour
    return { hour, slots: 6, open_slots, first_open_at: open_slots > 0 ? opened : null, follows_closure: local === 3 }
  }),
  TIMEZONE,
)!
const withHours = (snapshot: ReturnType<typeof snapshotAt>) =>
  Object.assign({}, snapshot, { openingHours: () => Object.assign({ kind: 'security' as const }, HOURS) })

test('the opening of security is one time in every answer', () => {
  // 02:00 in New York.
  const night = Date.parse('2026-11-21T07:00:00Z')
  const closed = withReopening(closedUntil(night, '2026-11-21T07:00:00Z'), HOURS, night)
  const snapshot = withHours(snapshotAt(night, { queues: { 'JFK security': closed } }))
  expect(toolText(getSecurityWaitEstimateTool, { iata: 'JFK' }, 'free', snapshot)).toContain('opens about 03:20, as')
  const input = { iata: 'JFK', departure: '2026-11-22T05:00', travel_minutes: 30 }
  expect(toolText(getBestTimeToFlyTool, input, 'enterprise', snapshot)).toContain('Security opens at 03:20.')
})

test('a flight after the last hour of security hears when security closes', () => {
  const input = { iata: 'JFK', departure: '2026-12-16T00:20' }
  const { text, structured } = callOf<{ security_closes_at_local: string }>(
    getBestTimeToFlyTool,
    input,
    'enterprise',
    withHours(snapshotAt()),
  )
  expect(structured.security_closes_at_local).toBe('2026-12-15T22:30:00-05:00')
  expect(text).toContain(
    'The risk is mostly the hour at which security closes. Security closes at 22:30 on Tue 15 Dec.',
  )
  expect(text).toMatch(/Be there by 22:2\d: later is too late\./)
  expect(text).not.toContain('security opens')
})

test('a forecast says what its next hours follow, in local time, and only where they do', () => {
  const adjusted_to = {
    wait_minutes: 14,
    expected_minutes: 9,
    basis: 'measured' as const,
    observed_at: '2026-11-21T13:58:00Z',
    source: 'panynj',
  }
  const forecasts = [Object.assign(forecastFrom('JFK', THIS_HOUR), { adjusted_to })]
  const snapshot = snapshotAt(NOW, { forecasts, queues: {} })
  expect(toolText(getWaitTimePredictionsTool, { iata: 'JFK' }, 'enterprise', snapshot)).toContain(
    'The next hours follow 14 min measured at 08:58 (9 min had been expected).',
  )
  expect(
    toolText(getWaitTimePredictionsTool, { iata: 'JFK', date: '2026-11-23' }, 'enterprise', snapshot),
  ).not.toContain('The next hours follow')
})

test('a list that was shortened says how many there are in all', () => {
  const snapshot = snapshotAt(NOW, { forecasts: [forecastFrom('JFK', THIS_HOUR)] })
  const text = toolText(getWaitTimePredictionsTool, { iata: 'JFK', days: 7 }, 'enterprise', snapshot)
  expect(text).not.toMatch(/Hours: \d of [0-9]{1,2} shown/)
})

test('the terminals of a history are called terminals', () => {
  const starts = Array.from({ length: 48 }, (_, back) => THIS_HOUR - (back + 1) * HOUR_MS).reverse()
  const history = ['', '4', 'Main hall'].map((terminal) => historyOf('JFK', starts, () => 70, terminal))
  const snapshot = snapshotAt(NOW, Object.assign(exampleContent(), { history }))
  expect(toolText(getHistoricalWaitTimesTool, { iata: 'JFK' }, 'enterprise', snapshot)).toContain(
    'Median by terminal: Terminal 4: 7 min, “Main hall”: 7 min.',
  )
})

test('a comparison tells the longer waits apart from those that are alike', () => {
  const queues = {
    'JFK security': measured(NOW, 14),
    'LGA security': measured(NOW, 13),
    'ZRH security': measured(NOW, 40),
  }
  const text = toolText(
    compareAirportsTool,
    { airports: ['JFK', 'LGA', 'ZRH'] },
    'free',
    snapshotAt(NOW, { queues, delays: {} }),
  )
  expect(text).toContain(
    'Security makes no difference between LGA and JFK (LGA 13 min measured and JFK 14 min measured): choose by travel time and fare. It is longer at ZRH (40 min measured).',
  )
})

/** A measured wait of several terminals, each with one standard lane. */
function byTerminal(average: number, waits: Record<string, number | null>) {
  const whole = measured(NOW, average)
  const [{ checkpoints, ...terminal }] = whole.terminals as [(typeof whole.terminals)[0]]
  const terminals = Object.entries(waits).map(([name, minutes]) =>
    minutes === null
      ? { ...terminal, terminal: name, ...closedUnknown(NOW), wait_minutes: null, checkpoints: [] }
      : {
          ...terminal,
          terminal: name,
          wait_minutes: minutes,
          checkpoints: checkpoints.map((lane) => ({ ...lane, wait_minutes: minutes, range: null })),
        },
  )
  return { ...whole, terminals }
}

test('one figure says how far apart its terminals are, and what is closed', () => {
  const queues = { 'JFK security': byTerminal(9, { '1': 5, '4': 19, '5': null }) }
  const asked = { iata: 'JFK' }
  const { text, structured } = callOf<object>(getSecurityWaitEstimateTool, asked, 'free', snapshotAt(NOW, { queues }))
  expect(text).toContain(
    '5–19 min at security of JFK now: longest at T4; T5 closed; 9 min on average (measured 2 min ago',
  )
  expect(structured).toMatchObject({
    average_wait_minutes: 9,
    spread: { shortest_minutes: 5, longest_minutes: 19, longest_at: 'T4', without_wait: [{ terminal: '5' }] },
  })
})

test('airports whose terminals overlap are not called alike', () => {
  const queues = { 'JFK security': byTerminal(9, { '1': 5, '4': 19 }), 'LGA security': measured(NOW, 9) }
  const asked = { airports: ['JFK', 'LGA'] }
  const { text, structured } = callOf<{ recommended: string | null }>(
    compareAirportsTool,
    asked,
    'free',
    snapshotAt(NOW, { queues, delays: {} }),
  )
  expect(structured.recommended).toBeNull()
  expect(text).toContain(
    'Which queue is shorter depends on the terminal: JFK 5–19 min by terminal measured and LGA 9 min measured.',
  )
  const apart = { 'JFK security': byTerminal(9, { '1': 5, '4': 19 }), 'LGA security': measured(NOW, 30) }
  expect(toolText(compareAirportsTool, asked, 'free', snapshotAt(NOW, { queues: apart, delays: {} }))).toContain(
    'JFK has the shortest security wait: 5–19 min by terminal measured, against LGA 30 min measured.',
  )
})

test('nobody is told to go as planned while the weather delays flights', () => {
  const delays = {
    JFK: { ...UNSUPPORTED, supported: true, status: 'normal' as const, summary: 'The FAA lists no delay.' },
  }
  const gusty = { ...exampleContent().weather!['KJFK']!, wind_gust_kt: 37 }
  const snapshot = snapshotAt(NOW, { delays, weather: { KJFK: gusty } })
  const calm = snapshotAt(NOW, { delays, weather: { KJFK: { ...gusty, wind_gust_kt: null, wind_kt: 5 } } })
  for (const tool of [getAirportDelaysSummaryTool, getAirportOverviewTool]) {
    const text = toolText(tool, { iata: 'JFK' }, 'free', snapshot)
    expect(text).toMatch(/strong wind, gusts of 37 kt: delays are likely/i)
    expect(text).not.toContain('as planned')
  }
  expect(toolText(getAirportDelaysSummaryTool, { iata: 'JFK' }, 'free', calm)).toContain('Go as planned')
})

test('lounges of "Terminal five" are those of T5, and who names none hears where they are', () => {
  const named = (terminal: string) =>
    callOf<{ total: number }>(getLoungesTool, { iata: 'LHR', terminal }).structured.total
  expect(named('5')).toBeGreaterThan(0)
  for (const spoken of ['T5', 'terminal 5', 'Terminal five', 'five']) expect(named(spoken), spoken).toBe(named('5'))
  expect(toolText(getLoungesTool, { iata: 'LHR', terminal: '99' })).toMatch(/Known ones are in: .*Terminal 5/)
  expect(toolText(getLoungesTool, { iata: 'JFK' })).not.toMatch(/; ([^;]+); \1;/)
})

test.each([
  [{ average_minutes: 15, min_minutes: 16, max_minutes: 30 }, '16 to 30 min'],
  [{ average_minutes: 15, min_minutes: 1, max_minutes: 15 }, '1 to 15 min'],
  [{ average_minutes: 42, min_minutes: null, max_minutes: 95 }, '42 min on average'],
  [{ average_minutes: 20, min_minutes: 10, max_minutes: 45 }, '20 min on average'],
  [{ average_minutes: null, min_minutes: null, max_minutes: 30 }, 'up to 30 min'],
  [{ average_minutes: null, min_minutes: null, max_minutes: null }, null],
])('an average at the end of its range or beyond it is no average: %o', (length, text) => {
  const program = {
    type: 'departure_delay' as const,
    reason: null,
    trend: null,
    start: null,
    end: null,
    destination: null,
  }
  expect(lengthText(Object.assign({}, program, length))).toBe(text)
})

test('a plan by the usual pattern calls no step predicted', () => {
  const starts = Array.from({ length: 28 * 24 }, (_, back) => THIS_HOUR - (back + 1) * HOUR_MS).reverse()
  const snapshot = snapshotAt(NOW, { history: [historyOf('JFK', starts, () => 70)], forecasts: [] })
  const text = toolText(getBestTimeToFlyTool, { iata: 'JFK', departure: '2026-12-08T12:00' }, 'enterprise', snapshot)
  expect(text).toContain('Security is by the usual pattern of that weekday and hour')
  expect(text).toMatch(/security: \d+ min.*, usual at that hour/)
  expect(text).not.toContain('predicted')
})
