import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dateOf, dayNumber, Presence } from '../../../../api/data/schengen/stay-days.ts'
import { checkSchengenDaysTool } from '../../../../api/data/tools/check-schengen-days.ts'
import { projectFile } from '../../../../config/paths.ts'
import { repetitions } from '../../../exhaustive.ts'
import { runTool } from './run-tool.ts'

const CASES = projectFile('..', 'shared', 'samples', 'schengen', 'cases.json')

interface Trip {
  entry: string
  exit?: string | null
  country?: string
}
interface Answer {
  window_start: string
  days_used: number
  days_left: number
  last_allowed_day: string | null
  overstay_days_on_date: number
  overstay_days_total: number
  first_overstay_day: string | null
  next_entry: { date: string; longest_stay_days: number }
  planned: {
    allowed: boolean
    longest_stay_days: number
    last_allowed_day: string | null
    overstay_days: number
  } | null
  window: { date: string; present: boolean; days_used: number }[]
  not_counted: { country: string; days: number; reason: string }[]
  membership: { country: string; member: boolean; counts_from: string | null }[]
}
const check = (input: object) => runTool<Answer>(checkSchengenDaysTool, input)

interface Case {
  id: string
  trips: Trip[]
  query: { type: 'status' | 'maxStay'; onDate?: string; entry?: string }
  expected: Record<string, unknown>
}

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

/** Counts every day of every window: slow, but simple enough to be right. */
function bruteForce(trips: Trip[], on: string) {
  const today = dayNumber(on)
  const origin = START - 200
  const present = new Uint8Array(1_200)
  for (const { entry, exit } of trips)
    for (let day = dayNumber(entry); day <= dayNumber(exit ?? on); day++) present[day - origin] = 1
  const usedOn = (day: number) => {
    let used = 0
    for (let back = 0; back < 180; back++) used += present[day - back - origin]!
    return used
  }
  const over: string[] = []
  for (let day = START; day <= today; day++) if (present[day - origin] === 1 && usedOn(day) > 90) over.push(dateOf(day))
  return { used: usedOn(today), over }
}

const START = dayNumber('2024-06-01')
const itinerary = fc
  .array(fc.record({ gap: fc.integer({ min: 0, max: 60 }), stay: fc.integer({ min: 1, max: 70 }) }), { maxLength: 5 })
  .map((legs) => {
    let day = START
    return legs.map(({ gap, stay }) => {
      const entry = day + gap
      day = entry + stay
      return { entry: dateOf(entry), exit: dateOf(day - 1) }
    })
  })

describe('compared with a brute-force count', () => {
  it('agrees on 10,000 random itineraries', () => {
    const days = fc.integer({ min: 0, max: 400 })
    fc.assert(
      fc.property(itinerary, days, (trips, offset) => {
        const on = dateOf(START + offset)
        const { used, over } = bruteForce(trips, on)
        const answer = check({ trips, on })
        expect([answer.days_used, answer.days_left, answer.overstay_days_total, answer.first_overstay_day]).toEqual([
          used,
          Math.max(0, 90 - used),
          over.length,
          over[0] ?? null,
        ])
      }),
      { numRuns: repetitions(1_500, 10_000), seed: 180 },
    )
  }, 60_000)

  it('the longest stay has no overstay, and one more day has', () => {
    fc.assert(
      fc.property(itinerary, fc.integer({ min: 0, max: 400 }), (trips, offset) => {
        const entry = START + offset
        const before = trips.flatMap(({ entry: first, exit }) => {
          const days: number[] = []
          for (let day = dayNumber(first); day <= dayNumber(exit) && day < entry; day++) days.push(day)
          return days
        })
        const stay = new Presence(before).longestStay(entry)
        const within = (length: number) =>
          new Presence([...before, ...Array.from({ length }, (_, k) => entry + k)])
            .overstays()
            .filter((day) => day >= entry)
        expect(within(stay)).toEqual([])
        expect(within(stay + 1)).toEqual([entry + stay])
      }),
      { numRuns: repetitions(100, 500), seed: 90 },
    )
  })
})

describe('questions of travellers', () => {
  it('an open stay counts to the requested day, and its last allowed day is the ninetieth', () => {
    const answer = check({ trips: [{ entry: '2026-10-01' }], on: '2026-10-10' })
    expect(answer).toMatchObject({ days_used: 10, days_left: 80, inside: true, last_allowed_day: '2026-12-29' })
  })

  it('a planned stay that is too long has its overstay and the first entry that allows it', () => {
    const trips = [{ entry: '2026-08-01', exit: '2026-10-19' }]
    const { planned } = check({ trips, on: '2026-11-21', planned: { entry: '2026-12-01', days: 20 } })
    expect(planned).toMatchObject({ allowed: false, longest_stay_days: 10, overstay_days: 10 })
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

  it.each([
    [{ trips: [{ entry: '2026-10-10', exit: '2026-10-01' }] }, 'trips[0].exit'],
    [{ trips: [{ entry: '2026-10-10' }, { entry: '2026-11-10' }] }, 'trips'],
    [{ trips: [{ entry: '2026-02-30', exit: '2026-03-01' }] }, 'trips[0].entry'],
    [{ trips: [{ entry: '1900-01-01', exit: '2026-03-01' }] }, 'trips[0].exit'],
    [{ trips: [], planned: { entry: 'soon' } }, 'planned.entry'],
    [{ trips: [{ entry: '2026-10-10', country: 'fr' }] }, 'trips[0].country'],
  ])('%j is refused by name', (input, parameter) => {
    expect(() => check(input)).toThrowError(expect.objectContaining({ code: 'INVALID_PARAMETER' }))
    expect(() => check(input)).toThrow(parameter)
  })
})
