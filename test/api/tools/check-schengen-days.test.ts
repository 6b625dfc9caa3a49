import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { DayCheck } from '../../../answers/schengen/day-check.ts'
import { dateOf, dayNumber } from '../../../answers/schengen/days.ts'
import { checkSchengenDaysTool } from '../../../api/tools/check-schengen-days.ts'
import { projectFile } from '../../../config/paths.ts'
import { runTool, toolText } from './run-tool.ts'

/** What the tool answers to travellers is in `texts/check_schengen_days.json`. */

const CASES = projectFile('..', 'shared', 'samples', 'schengen', 'cases.json')

interface Case {
  id: string
  trips: { entry: string; exit?: string | null; country?: string }[]
  query: { type: 'status' | 'maxStay'; onDate?: string; entry?: string }
  expected: Record<string, unknown>
}

const check = (input: object) => runTool<DayCheck>(checkSchengenDaysTool, input)

it('reads days in words and other ways to write them', () => {
  // Saturday 21 November 2026.
  const words = { trips: [{ entry: 'last Friday', exit: 'today' }], planned: { entry: '1 May', exit: '3 May 2027' } }
  const trips = [{ entry: '2026-11-20', exit: '2026-11-21' }]
  expect(check(words)).toEqual(check({ trips, planned: { entry: '2027-05-01', exit: '2027-05-03' } }))
  const asWritten = {
    trips: [{ entry: '2026-11-20T10:00:00Z', exit: '2026-11-21' }],
    planned: { entry: '2027-5-1', exit: '3.5.2027' },
  }
  expect(check(asWritten)).toEqual(check(words))
  // A planned stay may have begun: no stay ends before it begins.
  const begun = { trips: [], planned: { entry: '19 November', exit: '3 December' } }
  expect(check(begun)).toEqual(check({ trips: [], planned: { entry: '2026-11-19', exit: '2026-12-03' } }))
})

describe.skipIf(!existsSync(CASES))('worked examples of the Commission and others (needs ../shared)', () => {
  const cases = existsSync(CASES) ? (JSON.parse(readFileSync(CASES, 'utf8')) as Case[]) : []
  it.each(cases.map((example) => [example.id, example] as const))('%s', (_id, { trips, query, expected }) => {
    if (query.type === 'maxStay') {
      const { planned } = check({ trips, on: query.entry, planned: { entry: query.entry } })
      expect(planned?.longest_stay_days).toBe(expected.maxDays)
      if (expected.lastAllowedDay) expect(planned?.last_allowed_day).toBe(expected.lastAllowedDay)
      return
    }
    const answer = check({ trips, on: query.onDate })
    const answered: Record<string, unknown> = {
      onDate: query.onDate,
      windowStart: answer.window_start,
      daysUsed: answer.days_used,
      daysRemaining: answer.days_left,
      overstay: answer.overstay_days_on_date > 0,
      firstOverstayDay: answer.first_overstay_day,
      overstayDaysTotal: answer.overstay_days_total,
      mayStayUntil: answer.last_allowed_day,
    }
    for (const [name, value] of Object.entries(expected))
      if (name in answered) expect(answered[name], name).toEqual(value)
    // The calculator of the examples allows an entry on the day itself and leaves out the days that are already used on it.
    const entered = check({ trips: trips.map(({ entry, exit }) => ({ entry, exit })), on: query.onDate })
    if (expected.maxStayIfEnteringOnDate !== undefined) {
      const { planned } = check({ trips, on: query.onDate, planned: { entry: query.onDate } })
      expect(planned?.longest_stay_days).toBe(expected.maxStayIfEnteringOnDate)
    }
    expect(entered.days_used).toBe(answer.days_used)
  })
})

it('overlapping trips count each day once; the window is listed on request', () => {
  const trips = [
    { entry: '2026-10-01', exit: '2026-10-10' },
    { entry: '2026-10-05', exit: '2026-10-12' },
  ]
  const { days_used, window } = check({ trips, on: '2026-10-12', day_by_day: true })
  expect(days_used).toBe(12)
  expect(window).toHaveLength(180)
  expect(window.filter(({ present }) => present)).toHaveLength(12)
  expect(window.at(-1)).toEqual({ date: '2026-10-12', present: true, days_used: 12 })
})

it('an answer about two hundred trips stays short', () => {
  const trips = Array.from({ length: 200 }, (_, k) => {
    const entry = dayNumber('2024-01-20') + k * 130
    return { entry: dateOf(entry), exit: dateOf(entry + 100), country: k % 2 === 0 ? 'France' : 'IT' }
  })
  const input = { trips, on: '2026-11-22', planned: { entry: '2027-01-01', days: 90 } }
  expect(JSON.stringify(check(input)).length / 4).toBeLessThan(2_600)
  expect(toolText(checkSchengenDaysTool, input).length / 4).toBeLessThan(500)
})
