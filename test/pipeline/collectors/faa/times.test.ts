import { describe, expect, it, test } from 'vitest'
import { reasonCategory } from '../../../../pipeline/collectors/faa/reason.ts'
import {
  endNearest,
  instantNearest,
  nearestInstantOfClock,
  nearestInstantOfTime,
  nearestPeriodOfTimes,
  timeOfHhmm,
  utcMs,
} from '../../../../pipeline/collectors/faa/times.ts'
import { hasSamples, sample } from '../faa-and-weather.ts'

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

describe('dates without a year', () => {
  const near = Date.parse('2026-12-30T12:00:00Z')
  it('uses the year nearest to the document', () => {
    expect(iso(instantNearest('Dec 28 at 04:00 UTC.', near))).toBe('2026-12-28T04:00:00.000Z')
    expect(iso(instantNearest('Jan 03 at 16:00 UTC.', near))).toBe('2027-01-03T16:00:00.000Z')
    expect(iso(instantNearest('Jan 3 at 16:00', Date.parse('2026-01-01T00:00:00Z')))).toBe('2026-01-03T16:00:00.000Z')
  })

  it('dates the end of a listed closure a year later when the nearest is over', () => {
    const september = Date.parse('2026-09-09T17:23:43Z')
    expect(iso(instantNearest('May 28 at 16:00 UTC.', september))).toBe('2026-05-28T16:00:00.000Z')
    expect(iso(endNearest('May 28 at 16:00 UTC.', september))).toBe('2027-05-28T16:00:00.000Z')
    expect(iso(endNearest('Sep 09 at 01:00 UTC.', september))).toBe('2026-09-09T01:00:00.000Z')
  })

  it('skips years without the day', () => {
    expect(iso(instantNearest('Feb 29 at 00:00 UTC.', Date.parse('2027-03-01T00:00:00Z')))).toBe(
      '2028-02-29T00:00:00.000Z',
    )
    expect(iso(instantNearest('Feb 30 at 00:00 UTC.', near))).toBeNull()
  })

  test.each(['', 'May 28', 'May 28 at 25:00 UTC.', 'Mai 28 at 16:00 UTC.', 'May 28 at 16:00 EDT'])(
    'does not read %j',
    (text) => expect(instantNearest(text, near)).toBeNull(),
  )
})

it('utcMs rejects impossible dates and times', () => {
  expect(utcMs(2026, 1, 29, 0, 0)).toBeNull()
  expect(utcMs(2026, 0, 1, 24, 0)).toBeNull()
  expect(utcMs(2028, 1, 29, 23, 59)).toBe(Date.parse('2028-02-29T23:59:00Z'))
})

const instant = (iso: string) => Date.parse(iso)

describe('nearestInstantOfClock', () => {
  test.each([
    ['6:30 pm MDT', '2026-08-14T23:58:22Z', '2026-08-15T00:30:00.000Z'],
    ['7 PM EDT', '2026-09-09T17:23:43Z', '2026-09-09T23:00:00.000Z'],
    ['4:00 pm EDT.', '2011-06-22T19:40:19Z', '2011-06-22T20:00:00.000Z'],
    // Across local midnight: 11:45 pm now, 12:30 am is tomorrow's.
    ['12:30 am EDT', '2026-07-05T03:45:00Z', '2026-07-05T04:30:00.000Z'],
    // It ended half an hour ago.
    ['11:15 pm EDT', '2026-07-05T03:45:00Z', '2026-07-05T03:15:00.000Z'],
    ['4:16 pm EDT', '2026-08-12T20:17:42Z', '2026-08-12T20:16:00.000Z'],
    ['11:58 pm PST', '2026-12-05T08:05:00Z', '2026-12-05T07:58:00.000Z'],
    // Arizona has no summer time, in any month.
    ['4:16 pm MST', '2026-08-12T23:17:00Z', '2026-08-12T23:16:00.000Z'],
    ['4:18 pm MST', '2026-12-12T23:17:00Z', '2026-12-12T23:18:00.000Z'],
    ['12:00 pm HST', '2026-07-05T13:45:00Z', '2026-07-05T22:00:00.000Z'],
    ['12 am AKST', '2026-12-05T03:45:00Z', '2026-12-05T09:00:00.000Z'],
    ['1:15 p.m. AST', '2026-12-05T13:45:00Z', '2026-12-05T17:15:00.000Z'],
    // The night the clocks go back: 1:30 happens twice and the abbreviation says which.
    ['1:30 am EDT', '2026-11-01T05:10:00Z', '2026-11-01T05:30:00.000Z'],
    ['1:30 am EST', '2026-11-01T05:10:00Z', '2026-11-01T06:30:00.000Z'],
    // The night they go forward.
    ['3:15 am CDT', '2026-03-08T07:30:00Z', '2026-03-08T08:15:00.000Z'],
    ['1:55 am CST', '2026-03-08T08:02:00Z', '2026-03-08T07:55:00.000Z'],
    ['1:58 am EDT', '2026-11-01T06:02:00Z', '2026-11-01T05:58:00.000Z'],
    ['3:30 pm EDT', '2026-07-05T19:30:46Z', '2026-07-05T19:30:00.000Z'],
  ])('reads %s after %s as %s', (text, after, expected) =>
    expect(iso(nearestInstantOfClock(text, instant(after)))).toBe(expected),
  )

  test.each([
    '',
    'soon',
    '13:00 pm EDT',
    '0 am EDT',
    '7:75 pm EDT',
    '7 pm',
    '7 pm XYZ',
    '19:00 EDT',
    '7 pm constructor',
  ])('does not read %j', (text) => expect(nearestInstantOfClock(text, 0)).toBeNull())
})

describe('timeOfHhmm', () => {
  it('reads HHMM and nothing else', () => {
    expect(timeOfHhmm('0459')).toBe((4 * 60 + 59) * 60_000)
    expect(['459', '2400', '1260', 'abcd', ''].map(timeOfHhmm)).toEqual([null, null, null, null, null])
  })

  it('gives the nearest instant', () => {
    const time = timeOfHhmm('0459')!
    expect(iso(nearestInstantOfTime(time, instant('2027-01-08T05:00:00Z')))).toBe('2027-01-08T04:59:00.000Z')
    expect(iso(nearestInstantOfTime(time, instant('2027-01-07T20:00:00Z')))).toBe('2027-01-08T04:59:00.000Z')
  })
})

test.each([
  // 23:00 to 04:59, before, within and after it.
  ['2300', '0459', '2027-01-07T22:50:00Z', '2027-01-07T23:00:00.000Z', '2027-01-08T04:59:00.000Z'],
  ['2300', '0459', '2027-01-08T00:10:00Z', '2027-01-07T23:00:00.000Z', '2027-01-08T04:59:00.000Z'],
  ['2300', '0459', '2027-01-08T05:01:00Z', '2027-01-07T23:00:00.000Z', '2027-01-08T04:59:00.000Z'],
  // A long program is in force although its end of the day before is nearer than that of today.
  ['1100', '0459', '2027-01-08T11:30:00Z', '2027-01-08T11:00:00.000Z', '2027-01-09T04:59:00.000Z'],
  ['0000', '0000', '2027-01-08T11:30:00Z', '2027-01-08T00:00:00.000Z', '2027-01-09T00:00:00.000Z'],
])('nearestPeriodOfTimes dates %s to %s near %s', (start, end, near, from, to) => {
  const period = nearestPeriodOfTimes(timeOfHhmm(start)!, timeOfHhmm(end)!, instant(near))
  expect([iso(period.start), iso(period.end)]).toEqual([from, to])
})

it.skipIf(!hasSamples)('reasonCategory knows every reason of the public collections', () => {
  const reasons = sample('faa-nasstatus', 'reason-vocabulary.txt').split('\n').filter(Boolean)
  expect(reasons.length).toBeGreaterThan(80)
  expect(reasons.filter((reason) => reasonCategory(reason) === null)).toEqual([])
})
