import { describe, expect, it, test } from 'vitest'
import { endNearest, instantNearest, updateTimeMs, utcMs } from '../../../../pipeline/collectors/faa/times.ts'

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

describe('updateTimeMs', () => {
  test.each([
    ['Sat Aug 15 19:38:46 2026 GMT', '2026-08-15T19:38:46.000Z'],
    ['Fri Oct 2 11:46:31 2026 GMT', '2026-10-02T11:46:31.000Z'],
    ['Wed Jan  7 03:05:09 2027 UTC', '2027-01-07T03:05:09.000Z'],
  ])('reads %s', (text, expected) => expect(iso(updateTimeMs(text))).toBe(expected))

  test.each([
    '',
    'now',
    'Sat Aug 32 19:38:46 2026 GMT',
    'Sat Aux 15 19:38:46 2026 GMT',
    'Sat Aug 15 25:38:46 2026 GMT',
  ])('%j is unknown', (text) => expect(updateTimeMs(text)).toBeNull())
})

describe('dates without a year', () => {
  const near = Date.parse('2026-12-30T12:00:00Z')
  it('takes the year nearest to the document', () => {
    expect(iso(instantNearest('Dec 28 at 04:00 UTC.', near))).toBe('2026-12-28T04:00:00.000Z')
    expect(iso(instantNearest('Jan 03 at 16:00 UTC.', near))).toBe('2027-01-03T16:00:00.000Z')
    expect(iso(instantNearest('Jan 3 at 16:00', Date.parse('2026-01-01T00:00:00Z')))).toBe('2026-01-03T16:00:00.000Z')
  })

  it('puts the end of a closure that is still listed into the year after, when the nearest is long over', () => {
    const september = Date.parse('2026-09-09T17:23:43Z')
    expect(iso(instantNearest('May 28 at 16:00 UTC.', september))).toBe('2026-05-28T16:00:00.000Z')
    expect(iso(endNearest('May 28 at 16:00 UTC.', september))).toBe('2027-05-28T16:00:00.000Z')
    expect(iso(endNearest('Sep 09 at 01:00 UTC.', september))).toBe('2026-09-09T01:00:00.000Z')
  })

  it('skips years that lack the day', () => {
    expect(iso(instantNearest('Feb 29 at 00:00 UTC.', Date.parse('2027-03-01T00:00:00Z')))).toBe(
      '2028-02-29T00:00:00.000Z',
    )
    expect(iso(instantNearest('Feb 30 at 00:00 UTC.', near))).toBeNull()
  })

  test.each(['', 'May 28', 'May 28 at 25:00 UTC.', 'Mai 28 at 16:00 UTC.', 'May 28 at 16:00 EDT'])(
    '%j is unknown',
    (text) => expect(instantNearest(text, near)).toBeNull(),
  )
})

it('utcMs refuses what no calendar or clock shows', () => {
  expect(utcMs(2026, 1, 29, 0, 0)).toBeNull()
  expect(utcMs(2026, 0, 1, 24, 0)).toBeNull()
  expect(utcMs(2028, 1, 29, 23, 59)).toBe(Date.parse('2028-02-29T23:59:00Z'))
})
