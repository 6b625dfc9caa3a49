import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { DayCheck } from '../../../answers/schengen/day-check.ts'
import { dateOf, dayNumber } from '../../../answers/schengen/days.ts'
import { checkSchengenDaysTool } from '../../../api/tools/check-schengen-days.ts'
import { projectFile } from '../../../config/paths.ts'
import { snapshotAt } from '../example-snapshot.ts'
import { runTool, toolText } from './run-tool.ts'

const CASES = projectFile('..', 'shared', 'samples', 'schengen', 'cases.json')

interface Trip {
  entry: string
  exit?: string | null
  country?: string
}
const SNAPSHOT = snapshotAt()
const check = (input: object) => runTool<DayCheck>(checkSchengenDaysTool, input, 'enterprise', SNAPSHOT)

interface Case {
  id: string
  trips: Trip[]
  query: { type: 'status' | 'maxStay'; onDate?: string; entry?: string }
  expected: Record<string, unknown>
}

it('says on which day one may enter where another day than today is meant', () => {
  const trips = [{ entry: '2026-09-10', exit: '2026-09-12' }]
  expect(check({ trips }).advice).toMatch(/^You may enter now, for up to \d\d days\. A stay of all 90 days is possible/)
  expect(check({ trips, on: '2026-12-01' }).advice).toMatch(/^You may enter on 2026-12-01, for up to 87 days\./)
})

it('reads days in words, and asks which one is meant where it may be a past day or one to come', () => {
  // Saturday 21 November 2026.
  const words = { trips: [{ entry: 'last Friday', exit: 'today' }], planned: { entry: '1 May', exit: '3 May 2027' } }
  const trips = [{ entry: '2026-11-20', exit: '2026-11-21' }]
  expect(check(words)).toEqual(check({ trips, planned: { entry: '2027-05-01', exit: '2027-05-03' } }))
  const asWritten = {
    trips: [{ entry: '2026-11-20T10:00:00Z', exit: '2026-11-21' }],
    planned: { entry: '2027-5-1', exit: '3.5.2027' },
  }
  expect(check(asWritten)).toEqual(check(words))
  const fault = (entry: string) => () => check({ trips: [{ entry }] })
  expect(fault('Friday')).toThrow('trips[0].entry: may be 2026-11-20 or 2026-11-27: write the date')
  expect(fault('20 November')).toThrow('trips[0].entry: may be 2026-11-20 or 2027-11-20: write the date')
  expect(fault('22 November')).toThrow('trips[0].entry: may be 2025-11-22 or 2026-11-22: write the date')
  expect(fault('1 October')).toThrow('trips[0].entry: may be 2026-10-01 or 2027-10-01: write the date')
  // A planned stay may have begun: no stay ends before it begins.
  const begun = { trips: [], planned: { entry: '19 November', exit: '3 December' } }
  expect(check(begun)).toEqual(check({ trips: [], planned: { entry: '2026-11-19', exit: '2026-12-03' } }))
  expect(() => check({ trips: [], planned: { entry: '5 March', exit: '3 December' } })).toThrow('planned')
  // Empty texts are no absent days.
  expect(() => check({ trips: [{ entry: '', exit: '' }], on: '', planned: { entry: '', exit: '' } })).toThrow(
    ['trips[0].entry', 'trips[0].exit', 'on', 'planned.entry', 'planned.exit']
      .map((parameter) => `${parameter}: must be a date that exists, YYYY-MM-DD`)
      .join('; '),
  )
  expect(fault('2026-11-20T99:soon')).toThrow('trips[0].entry: must be a date that exists, YYYY-MM-DD')
  expect(fault('30 February 2026')).toThrow('must be a date that exists, YYYY-MM-DD; February 2026 has 28 days')
})

it('says of one day that it is allowed', () => {
  const day = { entry: '2027-03-01', exit: '2027-03-01' }
  expect(check({ trips: [], planned: day }).advice).toMatch(/^Yes: 1 day from 2027-03-01 is allowed;/)
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

describe('questions of travellers', () => {
  it('an open stay counts to the requested day, and its last allowed day is the ninetieth', () => {
    const answer = check({ trips: [{ entry: '2026-10-01' }], on: '2026-10-10' })
    expect(answer).toMatchObject({ days_used: 10, days_left: 80, inside: true, last_allowed_day: '2026-12-29' })
  })

  it('days in a state count from the day it joined; days outside the area never count', () => {
    const answer = check({
      trips: [
        { entry: '2022-12-25', exit: '2023-01-05', country: 'HR' },
        { entry: '2023-02-01', exit: '2023-02-10', country: 'IE' },
      ],
      on: '2023-02-10',
    })
    expect(answer.days_used).toBe(5)
    expect(answer.not_counted).toEqual([
      { country: 'HR', days: 7, reason: 'counted from 2023-01-01 on' },
      { country: 'IE', days: 10, reason: 'not in the Schengen area' },
    ])
    expect(answer.membership).toMatchObject([
      { country: 'HR', member: true, counts_from: '2023-01-01' },
      { country: 'IE', member: false },
    ])
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

  it('a planned stay of more than 90 days is never allowed, and no date is promised', () => {
    const { planned, advice, changes, allowed } = check({
      trips: [],
      on: '2026-11-22',
      planned: { entry: '2026-12-01', days: 91 },
    })
    expect(planned).toMatchObject({
      allowed: false,
      longest_stay_days: 90,
      last_allowed_day: '2027-02-28',
      overstay_days: 1,
      first_overstay_day: '2027-03-01',
      first_entry_for_stay: null,
    })
    expect(allowed).toBe(false)
    expect(changes).toMatchObject([
      { stay: 'planned', leave_by: '2027-02-28', shorten_by_days: 1, first_entry_same_length: null },
    ])
    expect(advice).toBe(
      'No: 91 days from 2026-12-01 are not allowed; 2027-03-01 would be the first day over 90. Leave by 2027-02-28: 90 days, 1 day shorter. No date allows 91 days in one stay: the most is 90.',
    )
  })

  it('booked trips of 121 days in one window are an overstay, with the change that mends it', () => {
    const trips = [
      { entry: '2026-12-01', exit: '2027-01-30' },
      { entry: '2027-02-10', exit: '2027-04-10' },
    ]
    const answer = check({ trips, on: '2026-11-22' })
    expect(answer).toMatchObject({
      allowed: false,
      days_used: 0,
      overstay_days_total: 31,
      first_overstay_day: '2027-03-11',
      first_overstay_day_ahead: '2027-03-11',
      overstays: [{ stay: 'trips[1]', first: '2027-03-11', last: '2027-04-10', days: 31 }],
      changes: [
        { stay: 'trips[1]', leave_by: '2027-03-10', shorten_by_days: 31, first_entry_same_length: '2027-05-01' },
      ],
      longest_stays: [
        { stay: 'trips[0]', longest_stay_days: 30 },
        { stay: 'trips[1]', longest_stay_days: 29 },
      ],
    })
    expect(answer.advice).toContain(
      'Your trips break the rule on 2027-03-11: end the trip of 2027-02-10 to 2027-04-10 by',
    )
  })

  it('a planned stay before a booked trip is refused when the booked trip would be over 90 by it', () => {
    const trips = [{ entry: '2027-02-01', exit: '2027-04-10' }]
    const { planned, advice } = check({ trips, on: '2026-11-22', planned: { entry: '2026-12-01', exit: '2027-01-06' } })
    expect(planned).toMatchObject({
      allowed: false,
      asked_days: 37,
      longest_stay_days: 21,
      overstay_days: 16,
      first_overstay_day: '2027-03-26',
      overstay_in: 'trips[0]',
    })
    expect(advice).toContain('your later trip of 2027-02-01 would be over 90 from 2027-03-26')
  })

  it('an open stay must end in time for the later trips and the planned stay', () => {
    const trips = [{ entry: '2026-10-01' }, { entry: '2027-01-10', exit: '2027-02-08' }]
    const answer = check({ trips, on: '2026-11-22', planned: { entry: '2027-02-20', days: 5 } })
    // 53 days to today and 30 booked: 7 more with the booked trip, 2 with the planned stay too, whose window loses no day.
    expect(answer).toMatchObject({
      last_allowed_day: '2026-11-29',
      last_allowed_day_without_later_trips: '2026-12-29',
      planned: { allowed: true, open_stay_must_end_by: '2026-11-24' },
    })
  })

  it('a stay outside the area is not limited by this rule', () => {
    const { planned, advice } = check({
      trips: [],
      on: '2026-11-22',
      planned: { entry: '2026-12-01', days: 200, country: 'uk' },
    })
    expect(planned).toMatchObject({ allowed: true, longest_stay_days: null, last_allowed_day: null, overstay_days: 0 })
    expect(advice).toContain('uses no Schengen days')
  })

  it('a planned stay on a day that allows none is not allowed, also without a length', () => {
    const trips = [{ entry: '2026-08-25', exit: '2026-11-22' }]
    const { planned, advice } = check({ trips, on: '2026-11-23', planned: { entry: '2026-11-30' } })
    expect(planned).toMatchObject({ allowed: false, longest_stay_days: 0, first_entry_for_stay: '2027-02-21' })
    expect(advice).toContain('Do not enter on 2026-11-30')
  })

  it.each([
    ['el', 'GR', 10],
    ['EL', 'GR', 10],
    ['Deutschland', 'DE', 10],
    ['Czech Republic', 'CZ', 10],
    ['Schengen', null, 10],
    ['Monaco', 'MC', 10],
    ['Gibraltar', 'GI', 10],
    ['Canary Islands', 'ES', 10],
    ['Ceuta', 'ES', 10],
    ['Melilla', 'ES', 10],
    ['UAE', 'AE', 0],
    ['Bosnia', 'BA', 0],
    ['UK', 'GB', 0],
    ['Irland', 'IE', 0],
    ['Zypern', 'CY', 0],
    ['Andorra', 'AD', 0],
    ['gl', 'GL', 0],
    ['US', 'US', 0],
  ])('a country may be a code or a name: %s', (country, code, used) => {
    const answer = check({ trips: [{ entry: '2026-10-01', exit: '2026-10-10', country }], on: '2026-10-10' })
    expect(answer.days_used).toBe(used)
    expect(answer.not_counted.map((row) => row.country)).toEqual(used === 0 ? [code] : [])
    if (code === 'MC') expect(answer.notes).toEqual([expect.stringContaining('Monaco: France checks')])
  })

  it.each([
    ['BG', '2024-03-26', '2024-04-04', 5],
    ['RO', '2024-12-28', '2025-01-06', 10],
    ['PL', '2007-12-16', '2007-12-25', 5],
    ['CH', '2008-12-08', '2008-12-17', 6],
    ['GI', '2026-07-10', '2026-07-19', 5],
  ])('days in %s count from the day it joined', (country, entry, exit, used) => {
    expect(check({ trips: [{ entry, exit, country }], on: exit }).days_used).toBe(used)
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

  it.each([
    [{ trips: [{ entry: '2026-10-10', exit: '2026-10-01' }] }, 'trips[0].exit'],
    [{ trips: [{ entry: '2026-10-10' }, { entry: '2026-11-10' }] }, 'trips'],
    [{ trips: [{ entry: '2026-02-30', exit: '2026-03-01' }] }, 'trips[0].entry'],
    [{ trips: [{ entry: '2010-01-01', exit: '2026-03-01' }] }, 'trips[0].exit'],
    [{ trips: [], planned: { entry: 'soon' } }, 'planned.entry'],
    [{ trips: [{ entry: '2026-10-10', country: 'ZZ' }] }, 'trips[0].country: is not a known country'],
    [{ trips: [{ entry: '2026-10-10', country: 'Atlantis' }] }, 'trips[0].country'],
    [{ trips: [], planned: { entry: '2026-10-10', country: 'ZZ' } }, 'planned.country'],
    [{ trips: [], planned: { entry: '2026-10-10', exit: '2026-10-01' } }, 'planned.exit'],
    [{ trips: [], planned: { entry: '2026-10-10', exit: '2026-10-11', days: 3 } }, 'planned.days'],
    [{ trips: [{ entry: '9999-10-10' }] }, 'trips[0].entry: must be from 1990-01-01'],
  ])('%j is refused by name', (input, parameter) => {
    expect(() => check(input)).toThrowError(expect.objectContaining({ code: 'INVALID_PARAMETER' }))
    expect(() => check(input)).toThrow(parameter)
  })
})

describe('what the text says agrees with the structure', () => {
  const ON = '2026-11-21'
  const textOf = (input: object) =>
    toolText(checkSchengenDaysTool, Object.assign({ on: ON }, input), 'enterprise', SNAPSHOT)
  const structureOf = (input: object) => check(Object.assign({ on: ON }, input))

  it.each([
    [[{ entry: '2026-08-23' }]],
    [[{ entry: '2026-05-25', exit: '2026-06-10' }, { entry: '2026-09-08' }]],
    [
      [
        { entry: '2026-05-25', exit: '2026-06-30' },
        { entry: '2026-08-30', exit: ON },
      ],
    ],
    [[{ entry: '2026-08-01', exit: '2026-11-30' }]],
  ])('who must leave is told so first, and of no further stay: %j', (trips) => {
    const answer = structureOf({ trips })
    expect(answer.last_allowed_day_without_later_trips).toBeNull()
    expect(textOf({ trips })).toMatch(/^Leave now: /)
    expect(textOf({ trips })).not.toContain('further stay')
  })

  it('who is inside and may stay is told of no further stay from tomorrow', () => {
    const trips = [{ entry: '2026-05-25', exit: '2026-06-10' }, { entry: '2026-09-10' }]
    expect(textOf({ trips })).toMatch(/^You are in the area: leave by 2026-12-08 at the latest\./)
    expect(textOf({ trips })).not.toContain('further stay')
  })

  it('days over 90 that are still to come are none that were overstayed', () => {
    const trips = [{ entry: '2026-08-01', exit: '2026-11-30' }]
    expect(structureOf({ trips }).overstayed).toEqual({ days: 23, first: '2026-10-30' })
    expect(textOf({ trips })).toContain('Overstayed already: 23 days over 90')
  })

  it('a stay that was only planned, in the past, is no overstay', () => {
    const input = { trips: [{ entry: '2026-01-01', exit: '2026-03-20' }], planned: { entry: '2026-03-25', days: 40 } }
    const answer = structureOf(input)
    expect(answer).toMatchObject({ overstayed: null, changes: [] })
    expect(answer.planned).toMatchObject({ allowed: false, overstay_days: 29 })
    expect(textOf(input)).not.toContain('Overstayed')
    expect(textOf(input)).toContain('It begins in the past')
  })
})

it.each([
  ['long-past days drop out while one stays', [{ entry: '2026-06-01', exit: '2026-08-20' }], {}, true],
  [
    'the same of a planned stay',
    [{ entry: '2026-06-01', exit: '2026-08-20' }],
    { planned: { entry: '2026-11-28' } },
    true,
  ],
  ['a stay uses up what is left', [{ entry: '2026-10-20', exit: '2026-11-20' }], {}, false],
  ['nothing was used', [], {}, false],
])('why a stay may outlast the days left is said: %s', (_kind, trips, over, isSaid) => {
  const text = toolText(checkSchengenDaysTool, { trips, on: '2026-11-28', ...over }, 'enterprise', SNAPSHOT)
  expect(text.includes('older ones drop out meanwhile')).toBe(isSaid)
})
