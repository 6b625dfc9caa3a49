import { encode } from 'gpt-tokenizer'
import { describe, expect, test } from 'vitest'
import { getHistorical } from '../../../answers/questions/get-historical.ts'
import { type ObservedMean, summaryOfHistory } from '../../../answers/questions/history-summary.ts'
import { getHistoricalWaitTimesTool } from '../../../api/tools/get-historical-wait-times.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { HOUR_MS, isoUtc } from '../../../config/vocabulary.ts'
import type { LearnedHours } from '../../../warehouse/publishing/waits/learned-hours.ts'
import { exampleContent, NOW, snapshotAt, THIS_HOUR } from '../example-snapshot.ts'
import { historyOf } from '../fake-snapshot.ts'
import { callOf } from './run-tool.ts'

/** Hours in UTC that end before now, with means by a rule of the hour of the day and the days before now. */
function observed(days: number, meanAt: (hour: number, daysAgo: number) => number | null): ObservedMean[] {
  return Array.from({ length: days * 24 }, (_, index) => {
    const start = THIS_HOUR - (days * 24 - index) * HOUR_MS
    const daysAgo = Math.floor((THIS_HOUR - HOUR_MS - start) / (24 * HOUR_MS))
    const mean = meanAt(new Date(start).getUTCHours(), daysAgo)
    return mean === null ? [] : [{ time: isoUtc(start), mean }]
  }).flat()
}

const rush = (hour: number) => ({ 7: 30, 14: 5 })[hour] ?? 12

describe('the summary of observed hours', () => {
  test('names the quietest and busiest hours of the day in local time', () => {
    const { median_minutes, quietest, busiest } = summaryOfHistory(observed(20, rush), 'Asia/Tokyo')
    expect(median_minutes).toBe(12)
    expect(quietest[0]).toEqual({ hour: '23:00', median_minutes: 5, p90_minutes: 5, samples: 20 })
    expect(busiest[0]).toMatchObject({ hour: '16:00', median_minutes: 30 })
  })

  test('never recommends an hour whose usual wait is 0, which is empty or closed', () => {
    const night = (hour: number) => (hour < 4 || hour === 23 ? 0 : rush(hour))
    const { quietest, without_wait, week } = summaryOfHistory(observed(20, night), 'UTC')
    expect(quietest[0]!.hour).toBe('14:00')
    expect(without_wait).toEqual(['23:00 to 04:00'])
    for (const { quietest_minutes } of week) expect(quietest_minutes).toBeGreaterThan(0)
    const closed = summaryOfHistory(
      observed(3, () => 0),
      'UTC',
    )
    expect([closed.quietest, closed.without_wait]).toEqual([[], ['00:00 to 24:00']])
  })

  test('names no tenth part of fewer than ten days', () => {
    const few = summaryOfHistory(
      observed(9, (hour, daysAgo) => rush(hour) + daysAgo),
      'UTC',
    )
    expect(few.busiest[0]).toMatchObject({ p90_minutes: null, samples: 9 })
    const summary = summaryOfHistory(observed(1, rush).slice(0, 1), 'UTC')
    expect(summary.quietest[0]).toMatchObject({ p90_minutes: null, samples: 1 })
    expect(summary).toMatchObject({ p90_minutes: null, busiest: [], recent: null, trend: null })
  })

  test('compares the last week with the same hours before, and the last day where there is less', () => {
    const week = summaryOfHistory(
      observed(35, (hour, daysAgo) => rush(hour) + (daysAgo < 7 ? 6 : 0)),
      'UTC',
    )
    expect(week.recent).toMatchObject({ days: 7, samples: 168 })
    expect(week.recent!.mean_minutes - week.recent!.usual_minutes).toBe(6)
    const day = summaryOfHistory(
      observed(7, (hour, daysAgo) => rush(hour) - (daysAgo < 1 ? 4 : 0)),
      'UTC',
    )
    expect(day.recent).toMatchObject({ days: 1, samples: 24 })
    expect(day.recent!.mean_minutes - day.recent!.usual_minutes).toBe(-4)
  })

  test('a trend needs two weeks; a change under two minutes is steady', () => {
    const rising = summaryOfHistory(
      observed(42, (hour, daysAgo) => rush(hour) + (42 - daysAgo) / 7),
      'UTC',
    )
    expect(rising.trend).toMatchObject({ direction: 'rising', minutes_per_week: 1 })
    expect(summaryOfHistory(observed(42, rush), 'UTC').trend).toMatchObject({ direction: 'steady' })
    expect(summaryOfHistory(observed(10, rush), 'UTC').trend).toBeNull()
  })
})

describe('the answer', () => {
  const terminals = ['', 'T1', 'T4', 'T5', 'T7', 'T8']
  const startsOf = (hours: number) => Array.from({ length: hours }, (_, index) => THIS_HOUR - (hours - index) * HOUR_MS)
  const wave = (start: number) => 100 + 10 * (new Date(start).getUTCHours() % 12)
  const snapshotOf = (hours: number) =>
    snapshotAt(NOW, { history: terminals.map((terminal) => historyOf('JFK', startsOf(hours), wave, terminal)) })

  test('90 days with terminals: under 1,500 tokens, recommendation first, the whole week, and the way to every hour', () => {
    const answer = callOf<{ week: object[]; terminals: object[]; more: string }>(
      getHistoricalWaitTimesTool,
      { iata: 'JFK', days: 90 },
      'enterprise',
      snapshotOf(90 * 24),
    )
    expect(encode(JSON.stringify(answer)).length).toBeLessThan(1_500)
    expect(answer.text).toMatch(/^Usually 16 min\. Quietest about \d\d:00 \(10 min\), busiest about \d\d:00 \(21 min\)/)
    expect(answer.structured.week).toHaveLength(7)
    expect(answer.structured.terminals).toHaveLength(5)
    expect(answer.structured.more).toContain('/api/v1/airports/JFK/historical?days=90 (as CSV: historical.csv)')
  })

  test('under 50 observed hours nothing is called usual', () => {
    const starts = startsOf(49)
    const nights = (start: number) => (new Date(start).getUTCHours() < 4 ? 0 : wave(start))
    const snapshot = snapshotAt(NOW, { history: [historyOf('JFK', starts, nights, '')] })
    const { text } = callOf(getHistoricalWaitTimesTool, { iata: 'JFK', days: 7 }, 'pro', snapshot)
    expect(text).toMatch(/\n0 min .*: empty or closed\.\nThe last day: /)
    expect(text).not.toMatch(/usual/i)
  })

  test('of one observed hour no rule is made', () => {
    const { text } = callOf(getHistoricalWaitTimesTool, { iata: 'JFK', days: 7 }, 'pro', snapshotOf(1))
    expect(text).toContain('In 1 observed hour, too few for a rule,')
    expect(text).not.toMatch(/one day in ten/)
    const empty = snapshotAt(NOW, { history: [historyOf('JFK', startsOf(1), () => 0, '')] })
    expect(callOf(getHistoricalWaitTimesTool, { iata: 'JFK', days: 7 }, 'pro', empty).text).toMatch(
      /^The wait was 0 min in the one observed hour \(/,
    )
  })

  test('without observations the answer says so and names the tool to ask instead', () => {
    const { text, structured } = callOf<{ more: string | null }>(
      getHistoricalWaitTimesTool,
      { iata: 'JFK', days: 7 },
      'pro',
      snapshotAt(NOW, { history: [] }),
    )
    expect(text).toContain('get_security_wait_estimate')
    expect(structured.more).toBeNull()
  })
})

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
