import { describe, expect, it, test } from 'vitest'
import {
  nearestInstantOfTime,
  nextInstantOfClock,
  nextInstantOfTime,
  timeOfHhmm,
} from '../../../../pipeline/collectors/faa/times.ts'

const at = (iso: string) => Date.parse(iso)
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

describe('nextInstantOfClock', () => {
  test.each([
    ['6:30 pm MDT', '2026-08-14T23:58:22Z', '2026-08-15T00:30:00.000Z'],
    ['7 PM EDT', '2026-09-09T17:23:43Z', '2026-09-09T23:00:00.000Z'],
    ['4:00 pm EDT.', '2011-06-22T19:40:19Z', '2011-06-22T20:00:00.000Z'],
    // Across local midnight: 11:45 pm now, 12:30 am is tomorrow's.
    ['12:30 am EDT', '2026-07-05T03:45:00Z', '2026-07-05T04:30:00.000Z'],
    ['11:15 pm EDT', '2026-07-05T03:45:00Z', '2026-07-06T03:15:00.000Z'],
    ['12:00 pm HST', '2026-07-05T03:45:00Z', '2026-07-05T22:00:00.000Z'],
    ['12 am AKST', '2026-12-05T03:45:00Z', '2026-12-05T09:00:00.000Z'],
    ['1:15 p.m. AST', '2026-12-05T03:45:00Z', '2026-12-05T17:15:00.000Z'],
    // The night the clocks go back: 1:30 happens twice and the abbreviation tells which.
    ['1:30 am EDT', '2026-11-01T05:10:00Z', '2026-11-01T05:30:00.000Z'],
    ['1:30 am EST', '2026-11-01T05:10:00Z', '2026-11-01T06:30:00.000Z'],
    // The night they go forward.
    ['3:15 am CDT', '2026-03-08T07:30:00Z', '2026-03-08T08:15:00.000Z'],
    // The minute that is running has not passed yet.
    ['3:30 pm EDT', '2026-07-05T19:30:46Z', '2026-07-05T19:30:00.000Z'],
    ['3:29 pm EDT', '2026-07-05T19:30:46Z', '2026-07-06T19:29:00.000Z'],
  ])('%s after %s is %s', (text, after, expected) => expect(iso(nextInstantOfClock(text, at(after)))).toBe(expected))

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
  ])('%j is unknown', (text) => expect(nextInstantOfClock(text, 0)).toBeNull())
})

describe('UTC times of day', () => {
  it('reads HHMM and nothing else', () => {
    expect(timeOfHhmm('0459')).toBe((4 * 60 + 59) * 60_000)
    expect(['459', '2400', '1260', 'abcd', ''].map(timeOfHhmm)).toEqual([null, null, null, null, null])
  })

  it('finds the next and the nearest such instant', () => {
    const time = timeOfHhmm('0459')!
    expect(iso(nextInstantOfTime(time, at('2027-01-07T23:45:10Z')))).toBe('2027-01-08T04:59:00.000Z')
    expect(iso(nearestInstantOfTime(time, at('2027-01-08T05:00:00Z')))).toBe('2027-01-08T04:59:00.000Z')
    expect(iso(nearestInstantOfTime(time, at('2027-01-07T20:00:00Z')))).toBe('2027-01-08T04:59:00.000Z')
  })
})
