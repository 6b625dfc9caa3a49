import { describe, expect, it } from 'vitest'
import { isoClock, wallClock } from '../../../pipeline/parsing/wall-clock.ts'

const FETCHED = '2026-11-21T10:03:00Z'

describe('wall clocks', () => {
  it.each([
    ['2026-11-21T10:00:00Z', '2026-11-21T10:00:00Z'],
    ['2026-11-21T11:00:00+0100', '2026-11-21T10:00:00Z'],
    ['2026-11-21 11:00:00', '2026-11-21T10:00:00Z'],
    ['2026-11-21', null],
    ['soon', null],
    ['2026-02-31T10:00:00Z', null],
    [1_795_255_200, null],
  ])('reads %s in Berlin', (text, expected) => {
    expect(isoClock(text, 'Europe/Berlin', FETCHED)).toBe(expected)
  })

  it('takes the run of a repeated hour that has passed, and no hour that the clock skips', () => {
    const read = (text: string, fetched_at: string) => wallClock(text, 'd.M.yyyy H:mm', 'Europe/Berlin', fetched_at)
    expect(read('25.10.2026 2:30', '2026-10-25T00:40:00Z')).toBe('2026-10-25T00:30:00Z')
    expect(read('25.10.2026 2:30', '2026-10-25T01:40:00Z')).toBe('2026-10-25T01:30:00Z')
    expect(read('29.03.2026 2:30', '2026-03-29T04:00:00Z')).toBeNull()
    expect(wallClock('21.11.2026 9:00', 'd.M.yyyy H:mm', 'Nowhere/Land', FETCHED)).toBeNull()
  })
})
