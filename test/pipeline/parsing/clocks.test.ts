import { describe, expect, it } from 'vitest'
import {
  isoClock,
  localIsoClock,
  monthDayClock,
  slashDate,
  timeOfDay,
  unixSeconds,
  usClock,
  wallClock,
} from '../../../pipeline/parsing/clocks.ts'

const NEW_YORK = 'America/New_York'
const CHICAGO = 'America/Chicago'
const FETCHED = '2026-11-21T10:03:00Z'

describe('isoClock and localIsoClock', () => {
  it.each([
    ['2026-11-21T10:01:12.500Z', '2026-11-21T10:01:12.500Z'],
    ['2026-11-21T05:01:00-05:00', '2026-11-21T10:01:00Z'],
    ['2026-11-21T05:01:00', '2026-11-21T10:01:00Z'],
    ['2026-07-21 05:01:00', '2026-07-21T09:01:00Z'],
    ['2026-11-21', null],
    ['2026-13-21T05:01:00', null],
    ['1970-01-01T00:00:00Z', null],
    [1_795_255_200, null],
    [null, null],
  ])('reads %j in New York as %j', (text, expected) => {
    expect(isoClock(text, NEW_YORK, FETCHED)).toBe(expected)
  })

  it('ignores the offset of a source that marks local times wrongly', () => {
    for (const mark of ['Z', '', '+00:00'])
      expect(localIsoClock(`2026-11-21T05:01:00${mark}`, NEW_YORK, FETCHED)).toBe('2026-11-21T10:01:00Z')
    expect(localIsoClock(7, NEW_YORK, FETCHED)).toBeNull()
    // 01:30 comes twice on 2026-11-01, at 05:30Z and 06:30Z.
    expect(localIsoClock('2026-11-01T01:30:00Z', NEW_YORK, '2026-11-01T06:40:00Z')).toBe('2026-11-01T06:30:00Z')
    expect(localIsoClock('2026-11-01T01:30:00Z', NEW_YORK, '2026-11-01T05:40:00Z')).toBe('2026-11-01T05:30:00Z')
  })
})

describe('timeOfDay', () => {
  it.each([
    ['1:15 AM', '2026-04-10T05:20:00Z', '2026-04-10T05:15:00Z'],
    ['11:58 PM', '2026-11-21T05:03:00Z', '2026-11-21T04:58:00Z'],
    ['12:00 AM', '2026-11-21T05:03:00Z', '2026-11-21T05:00:00Z'],
    ['12:00 PM', '2026-11-21T05:03:00Z', '2026-11-20T17:00:00Z'],
    // The source's clock is two minutes ahead, over midnight.
    ['12:01 AM', '2026-11-21T04:59:00Z', '2026-11-21T05:01:00Z'],
    // 01:30 comes twice on 2026-11-01: 05:30Z and 06:30Z.
    ['1:30 AM', '2026-11-01T06:40:00Z', '2026-11-01T06:30:00Z'],
    ['1:30 AM', '2026-11-01T05:20:00Z', '2026-11-01T05:30:00Z'],
    ['1:30 AM', '2026-11-01T05:31:00Z', '2026-11-01T05:30:00Z'],
    // 02:30 does not exist on 2026-03-08: the latest one is of the day before.
    ['2:30 AM', '2026-03-08T07:40:00Z', '2026-03-07T07:30:00Z'],
  ])('reads %s, fetched at %s, as %s', (clock, fetched_at, expected) => {
    expect(timeOfDay(clock, NEW_YORK, fetched_at)).toBe(expected)
  })

  it.each(['', 'now', '13:15 PM', '0:15 AM', '1:75 AM', null, 7])('does not read %j', (clock) => {
    expect(timeOfDay(clock, NEW_YORK, '2026-11-21T05:03:00Z')).toBeNull()
  })
})

it('other clocks read epoch times and month days, but nothing outside this century', () => {
  expect(slashDate('/Date(1774394580987)/')).toBe('2026-03-24T23:23:00.987Z')
  expect(slashDate('/Date(-1)/')).toBeNull()
  expect(unixSeconds(1_795_255_200)).toBe('2026-11-21T10:00:00Z')
  expect(unixSeconds('1795255200')).toBe('2026-11-21T10:00:00Z')
  expect(unixSeconds(1_795_255_200_000)).toBeNull()
  expect(unixSeconds(Number.NaN)).toBeNull()
  const twice = (fetched_at: string) => monthDayClock('Nov 01 at 01:30 am', 'America/Los_Angeles', fetched_at)
  expect(twice('2026-11-01T08:31:00Z')).toBe('2026-11-01T08:30:00Z')
  expect(twice('2026-11-01T09:31:00Z')).toBe('2026-11-01T09:30:00Z')
  expect(monthDayClock('Feb 30 at 01:00 pm', 'America/Los_Angeles', '2026-11-21T05:03:00Z')).toBeNull()
})

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

  it("reads nothing without a zone, and yesterday's time after midnight", () => {
    expect(usClock('3:58 AM', null, FETCHED)).toBeNull()
    expect(usClock('11:58 PM', CHICAGO, '2026-11-21T06:05:00Z')).toBe('2026-11-21T05:58:00Z')
  })
})

it('wallClock uses the run of a repeated hour that has begun, and reads only its own format', () => {
  const read = (fetched: string) => wallClock("yyyy-MM-dd'T'HH:mm:ss")('2026-11-01T01:30:00', CHICAGO, fetched)
  expect(read('2026-11-01T06:40:00Z')).toBe('2026-11-01T06:30:00Z')
  expect(read('2026-11-01T07:40:00Z')).toBe('2026-11-01T07:30:00Z')
  expect(wallClock('HH:mm:ss')('1:30', CHICAGO, FETCHED)).toBeNull()
  expect(wallClock('HH:mm')(130, CHICAGO, FETCHED)).toBeNull()
})

it('local times in Berlin uses the run of a repeated hour that has passed, and reads no hour that the clock skips', () => {
  const read = (text: string, fetched_at: string) => wallClock('d.M.yyyy H:mm')(text, 'Europe/Berlin', fetched_at)
  expect(read('25.10.2026 2:30', '2026-10-25T00:40:00Z')).toBe('2026-10-25T00:30:00Z')
  expect(read('25.10.2026 2:30', '2026-10-25T01:40:00Z')).toBe('2026-10-25T01:30:00Z')
  expect(read('29.03.2026 2:30', '2026-03-29T04:00:00Z')).toBeNull()
  expect(wallClock('d.M.yyyy H:mm')('21.11.2026 9:00', 'Nowhere/Land', FETCHED)).toBeNull()
})
