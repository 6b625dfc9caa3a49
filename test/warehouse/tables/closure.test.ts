import { describe, expect, it, test } from 'vitest'
import {
  closedUntil,
  closureInForce,
  localClosedHours,
  localClosedHoursUntil,
  parseClosedHours,
} from '../../../warehouse/tables/closure.ts'

const closure = {
  closed_to_airlines: true,
  closed_hours_utc: null,
  start: '2026-08-11T04:30:00Z',
  end: '2026-08-22T09:45:00Z',
} as const

const inForce = (instant: string, changes: Partial<Parameters<typeof closureInForce>[0]> = {}) =>
  closureInForce({ ...closure, ...changes }, Date.parse(instant))

describe('closureInForce', () => {
  it('is in force from its start until just before its end', () => {
    expect(inForce('2026-08-11T04:29:59Z')).toBe(false)
    expect(inForce('2026-08-11T04:30:00Z')).toBe(true)
    expect(inForce('2026-08-22T09:44:59Z')).toBe(true)
    expect(inForce('2026-08-22T09:45:00Z')).toBe(false)
  })

  it('has no bound when start or end is unknown or permanent', () => {
    expect(inForce('2040-01-01T00:00:00Z', { end: null })).toBe(true)
    expect(inForce('2000-01-01T00:00:00Z', { start: null })).toBe(true)
  })

  it('is never in force for a partial or unclear closure, or unreadable hours', () => {
    const inside = '2026-08-15T00:00:00Z'
    expect(inForce(inside)).toBe(true)
    expect(inForce(inside, { closed_to_airlines: false })).toBe(false)
    expect(inForce(inside, { closed_to_airlines: null })).toBe(false)
    expect(inForce(inside, { closed_hours_utc: 'SR-SS' })).toBe(false)
  })

  test.each([
    ['0430-0945', '2026-08-15T04:29:00Z', false],
    ['0430-0945', '2026-08-15T04:30:00Z', true],
    ['0430-0945', '2026-08-15T09:44:00Z', true],
    ['0430-0945', '2026-08-15T09:45:00Z', false],
    ['2200-0600', '2026-08-15T23:00:00Z', true],
    ['2200-0600', '2026-08-15T05:59:00Z', true],
    ['2200-0600', '2026-08-15T12:00:00Z', false],
    ['0000-2400', '2026-08-15T23:59:59Z', true],
    // 15 August 2026 is a Saturday.
    ['FRI SUN 0500-1300', '2026-08-15T06:00:00Z', false],
    ['FRI SUN 0500-1300', '2026-08-14T06:00:00Z', true],
    ['FRI 2200-0600', '2026-08-14T23:00:00Z', true],
    ['FRI 2200-0600', '2026-08-15T03:00:00Z', true],
    ['FRI 2200-0600', '2026-08-14T03:00:00Z', false],
    ['SAT 2200-0600', '2026-08-15T03:00:00Z', false],
    ['FRI 0500-1300, SAT 0100-0200', '2026-08-15T01:30:00Z', true],
  ])('%s at %s: %s', (closed_hours_utc, instant, expected) =>
    expect(inForce(instant, { closed_hours_utc })).toBe(expected),
  )
})

test.each(['', 'DLY 0430-0945', '0430', '0430-0960', '2500-0100', 'XXX 0430-0945', '0430-0945;'])(
  'parseClosedHours: %j is no hours',
  (text) => expect(parseClosedHours(text)).toBeNull(),
)

describe('localClosedHours', () => {
  const summer = Date.parse('2026-08-15T12:00:00Z')
  const winter = Date.parse('2026-12-15T12:00:00Z')
  test.each([
    ['0430-0945', 'America/Denver', summer, 'every night from 22:30 to 03:45'],
    ['0430-0945', 'America/Denver', winter, 'every night from 21:30 to 02:45'],
    [
      'WED THU 2200-0600, SAT 0000-2400',
      'America/New_York',
      summer,
      'on Wed, Thu from 18:00 to 02:00; on Fri from 20:00 to 20:00 the next day',
    ],
    ['WED THU FRI SUN MON TUE SAT 0500-1300', 'America/Denver', summer, 'every night from 23:00 to 07:00'],
    ['WED 0500-1300', 'America/Denver', summer, 'on Tue from 23:00 to 07:00'],
    ['SAT 1500-1800', 'Pacific/Guam', winter, 'on Sun from 01:00 to 04:00'],
  ])('%s in %s', (utc, timezone, instant, local) => expect(localClosedHours(utc, timezone, instant)).toBe(local))

  it.each([
    ['2026-10-20', '2026-10-30', 'every night from 22:30 to 03:45'],
    ['2026-10-20', '2026-11-10', 'every night from 22:30 to 03:45 (from 1 Nov on every night from 21:30 to 02:45)'],
    ['2026-11-02', '2026-11-10', 'every night from 21:30 to 02:45'],
  ])('from %s to %s they follow the clock of Denver, also where it changes', (from, until, local) => {
    expect(localClosedHoursUntil('0430-0945', 'America/Denver', Date.parse(from), Date.parse(until))).toBe(local)
  })

  it('is null for hours in another form', () => expect(localClosedHours('SR-SS', 'UTC', summer)).toBeNull())
})

test.each([
  ['the end of its hours, past midnight', '0600-1330', '2026-08-15T08:00:00Z', '2026-08-15T13:30:00Z'],
  ['hours that began the evening before', '2200-0600', '2026-08-15T03:00:00Z', '2026-08-15T06:00:00Z'],
  ['hours that end the next day', '2200-0600', '2026-08-15T23:00:00Z', '2026-08-16T06:00:00Z'],
  ['hours that follow each other', 'SAT 2200-2400, SUN 0000-0600', '2026-08-15T22:30:00Z', '2026-08-16T06:00:00Z'],
  ['hours that last until the period ends', '0800-1200', '2026-08-22T09:00:00Z', '2026-08-22T09:45:00Z'],
  ['the period, where it is round the clock', null, '2026-08-15T08:00:00Z', '2026-08-22T09:45:00Z'],
  ['the period, where the hours cover every day', '0000-2400', '2026-08-15T08:00:00Z', '2026-08-22T09:45:00Z'],
])('a closure ends at %s', (_, closed_hours_utc, instant, until) => {
  expect(closedUntil({ ...closure, closed_hours_utc }, Date.parse(instant))).toBe(Date.parse(until))
})

test('a permanent closure has no end', () => {
  expect(closedUntil({ ...closure, end: null }, Date.parse('2026-08-15T08:00:00Z'))).toBe(null)
})
