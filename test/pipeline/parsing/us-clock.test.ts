import { describe, expect, it } from 'vitest'
import { usClock } from '../../../pipeline/parsing/us-clock.ts'
import { wallClock } from '../../../pipeline/parsing/wall-clock.ts'

const FETCHED = '2026-11-21T10:03:00Z'
const CHICAGO = 'America/Chicago'

describe('usClock', () => {
  it.each([
    'Updated Nov 21, 2026 3:58 AM',
    'Updated: November 21, 2026 at 3:58 a.m.',
    'Data Last Updated: 11/21/2026 3:58 AM',
    'Last updated Saturday, November 21, 2026 3:58 am',
    '2026-11-21 03:58:00',
    'Updated 3:58 AM',
    'Updated at 3:58AM',
    'Updated 4:58 AM EST',
    'as of 1:58 a.m. PT',
  ])('reads %j', (text) => {
    expect(usClock(text, CHICAGO, FETCHED)).toBe('2026-11-21T09:58:00Z')
  })

  it.each(['', 'Updated moments ago', '25:61 AM', 'Nov 31, 2026 3:58 AM'])('reads nothing from %j', (text) => {
    expect(usClock(text, CHICAGO, FETCHED)).toBeNull()
  })

  it('reads nothing without a zone, and the day before around midnight', () => {
    expect(usClock('3:58 AM', null, FETCHED)).toBeNull()
    expect(usClock('11:58 PM', CHICAGO, '2026-11-21T06:05:00Z')).toBe('2026-11-21T05:58:00Z')
  })
})

describe('wallClock', () => {
  it('takes the run of a repeated hour that has begun, and only its own form', () => {
    const read = (fetched: string) => wallClock('2026-11-01T01:30:00', "yyyy-MM-dd'T'HH:mm:ss", CHICAGO, fetched)
    expect(read('2026-11-01T06:40:00Z')).toBe('2026-11-01T06:30:00Z')
    expect(read('2026-11-01T07:40:00Z')).toBe('2026-11-01T07:30:00Z')
    expect(wallClock('1:30', 'HH:mm:ss', CHICAGO, FETCHED)).toBeNull()
    expect(wallClock(130, 'HH:mm', CHICAGO, FETCHED)).toBeNull()
  })
})
