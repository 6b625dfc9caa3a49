import { describe, expect, it, test } from 'vitest'
import { closureInForce, parseClosedHours } from '../../../warehouse/tables/closure.ts'

const closure = {
  type: 'closure',
  closed_to_airlines: true,
  closed_hours_utc: null,
  start: '2026-08-11T04:30:00Z',
  end: '2026-08-22T09:45:00Z',
} as const

const inForce = (at: string, changes: Partial<Parameters<typeof closureInForce>[0]> = {}) =>
  closureInForce({ ...closure, ...changes }, Date.parse(at))

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

  it('is never in force for a partial or unclear closure, a program, or unreadable hours', () => {
    const inside = '2026-08-15T00:00:00Z'
    expect(inForce(inside)).toBe(true)
    expect(inForce(inside, { closed_to_airlines: false })).toBe(false)
    expect(inForce(inside, { closed_to_airlines: null })).toBe(false)
    expect(inForce(inside, { type: 'ground_stop' })).toBe(false)
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
  ])('%s at %s: %s', (closed_hours_utc, at, expected) => expect(inForce(at, { closed_hours_utc })).toBe(expected))
})

describe('parseClosedHours', () => {
  test.each(['', 'DLY 0430-0945', '0430', '0430-0960', '2500-0100', 'XXX 0430-0945', '0430-0945;'])(
    '%j is no hours',
    (text) => expect(parseClosedHours(text)).toBeNull(),
  )
})
