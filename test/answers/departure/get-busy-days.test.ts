import { expect, test } from 'vitest'
import { type BusyDays, getBusyDays } from '../../../answers/departure/get-busy-days.ts'
import { peakDay } from '../../../answers/departure/peak-day.ts'
import { busyDayText, schoolHolidaysText, screenedText } from '../../../answers/texts/busy-days-text.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { DAY_MS, HOUR_MS } from '../../../config/vocabulary.ts'
import { NOW, snapshotAt } from '../../api/example-snapshot.ts'
import { historyOf } from '../../api/fake-snapshot.ts'
import { openHarness } from '../../api/harness.ts'

const ask = (iata: string, now = NOW, over = snapshotAt(NOW, { history: [] })) =>
  getBusyDays.run({ iata }, { snapshot: over, directory: airportDirectory(), tier: 'free', now }) as BusyDays
const on = ({ days }: BusyDays, date: string) => days.find((day) => day.date === date)

test('a month of local days has the days before holidays with how much and from where', () => {
  const answer = ask('JFK')
  expect(answer.days).toHaveLength(31)
  expect(answer.days[0]!.date).toBe('2026-11-21')
  expect(on(answer, '2026-11-25')).toMatchObject({ expected: 'busier', why: 'the day before Thanksgiving Day' })
  expect(on(answer, '2026-11-25')!.wait_factor).toBeGreaterThan(1.1)
  expect(on(answer, '2026-11-25')!.source).not.toBeNull()
  expect(on(answer, '2026-12-08')).toMatchObject({ expected: 'as_usual', why: null, wait_factor: null })
})

test('a holiday of several days is one itself, and without a calendar nothing is known', () => {
  const eid = ask('DXB', Date.parse('2026-11-25T08:00:00Z'))
  expect(on(eid, '2026-12-02')).toMatchObject({ expected: 'holiday', wait_factor: null })
  expect(on(eid, '2026-12-03')).toMatchObject({ expected: 'holiday' })
  expect(busyDayText(on(eid, '2026-12-03')!)).toMatch(/^Thu 3 Dec, .*: how busy is not known$/)
  const beyond = ask('JFK', Date.parse('2032-06-01T08:00:00Z'))
  expect(new Set(beyond.days.map(({ expected }) => expected))).toEqual(new Set(['not_known']))
})

test('names the school holidays of a French region, single days of Israel, and says where they are not known', () => {
  const paris = ask('CDG', Date.parse('2027-02-01T08:00:00Z'))
  expect(on(paris, '2027-02-05')!.school_holiday).toBeNull()
  expect(on(paris, '2027-02-06')!.school_holiday).toBe('winter holidays')
  expect(paris.school_holidays_source).toContain('vacances-scolaires-france')
  expect(schoolHolidaysText(paris)).toBe('School holidays here: Sat 6 Feb to Sun 21 Feb (winter holidays).')
  const lyon = ask('LYS', Date.parse('2027-02-01T08:00:00Z'))
  expect(schoolHolidaysText(lyon)).toBe('School holidays here: Sat 13 Feb to Sun 28 Feb (winter holidays).')
  expect(schoolHolidaysText(ask('CDG', Date.parse('2026-11-10T08:00:00Z')))).toBe(
    'No school holidays here in these days.',
  )
  const israel = ask('TLV', Date.parse('2026-11-20T08:00:00Z'))
  expect(schoolHolidaysText(israel)).toBe(
    'No school on Sat 5 Dec to Sat 12 Dec (Hanukkah); other school holidays are not known.',
  )
  for (const [iata, now] of [
    ['AJA', '2027-02-01T08:00:00Z'],
    ['JFK', '2026-11-21T08:00:00Z'],
    ['CDG', '2028-08-20T08:00:00Z'],
    ['TLV', '2029-11-20T08:00:00Z'],
  ] as const) {
    const answer = ask(iata, Date.parse(now))
    expect(answer.school_holidays, iata).toBe('not_known')
  }
})

test('US days have the people screened on the same weekday a year before, and null where that is not known', () => {
  const counts = (from: string, days: number, count: number) =>
    Object.fromEntries(
      Array.from({ length: days }, (_, k) => [
        new Date(Date.parse(from) + k * DAY_MS).toISOString().slice(0, 10),
        count,
      ]),
    )
  const screened = { US: { ...counts('2025-10-25', 34, 2_000_000), ...counts('2026-10-24', 28, 2_100_000) } }
  const answer = ask('JFK', NOW, snapshotAt(NOW, { history: [], screened }))
  // 26 November 2025 is 364 days before the day before Thanksgiving; the counts end on the 27th.
  expect(on(answer, '2026-11-25')!.screened_last_year).toBe(2_000_000)
  expect(on(answer, '2026-11-27')!.screened_last_year).toBeNull()
  expect(answer.screened_factor).toBe(1.05)
  expect(busyDayText(on(answer, '2026-11-25')!)).toContain('2.00 million people were screened')
  const elsewhere = ask('CDG', NOW, snapshotAt(NOW, { history: [], screened }))
  expect(new Set(elsewhere.days.map((day) => day.screened_last_year))).toEqual(new Set([null]))
  expect(screenedText(answer)).toBeNull()
  expect(screenedText(elsewhere)).toBeNull()
  expect(ask('JFK').screened_factor).toBeNull()
  expect(screenedText(ask('JFK'))).toBe('How many people were screened a year before is not known here.')
})

test('the past of an airport says what its weekdays and its busier days were like', () => {
  const now = Date.parse('2027-01-15T12:00:00Z')
  const hours = Array.from({ length: 90 * 24 }, (_, back) => now - (90 * 24 - back) * HOUR_MS)
  const isBusier = (instant: number) =>
    peakDay('US', new Date(instant - 5 * HOUR_MS).toISOString().slice(0, 10)) !== null
  const busier = new Set(hours.filter(isBusier).map((instant) => Math.floor((instant - 5 * HOUR_MS) / DAY_MS)))
  const history = [historyOf('JFK', hours, (instant) => (isBusier(instant) ? 200 : 100))]
  const answer = ask('JFK', now, snapshotAt(now, { history }))
  expect(busier.size).toBeGreaterThan(1)
  expect(answer.days.every(({ usual_minutes }) => usual_minutes === 10)).toBe(true)
  expect(answer.past_factor).toBeCloseTo(2, 1)
})

test('is an answer over REST, as CSV too, and a block of the page', async () => {
  const { call, app } = await openHarness()
  expect((await call('free', '/api/v1/airports/JFK/busy-days')).json().days).toHaveLength(31)
  expect((await call('free', '/api/v1/airports/JFK/busy-days.csv')).body).toMatch(/^airport,date,expected,why/)
  const page = (await app.inject({ url: '/airports/JFK', headers: { accept: 'text/html' } })).body
  expect(page).toContain('Busy days of the next month')
  expect(page).toMatch(/Wed 25 Nov, the day before Thanksgiving Day: waits about 1\.\d times the usual/)
})
