import { describe, expect, it } from 'vitest'
import { clockFault } from '../../../pipeline/parsing/clock-fault.ts'
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
import { reported } from '../../reported.ts'
import { parseAs } from '../collectors/context.ts'

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

describe('clock-fault', () => {
  const FETCHED = '2026-11-25T12:05:00Z'
  const rows = (...times: string[]) =>
    times.map((time) => ({ observed_at: `2026-11-25T${time}Z`, observed_at_basis: 'source' as const }))

  describe('a clock fault', () => {
    it.each<[string, string[], number, number]>([
      ['all rows an hour ahead', ['13:03:00', '13:04:30'], 1, 60],
      ['a single row', ['13:05:00'], 1, 60],
      ['older rows of the same clock', ['12:20:00', '13:02:00'], 1, 57],
      ['two hours', ['14:01:00', '14:03:00'], 2, 118],
      ['a clock that also runs a minute fast', ['13:06:00'], 1, 61],
      ['a row that was forgotten days ago', ['13:03:00'], 1, 58],
    ])('%s', (_, times, step_hours, ahead_minutes) => {
      const old = { observed_at: '2026-11-20T12:00:00Z', observed_at_basis: 'source' as const }
      expect(clockFault([...rows(...times), old], FETCHED)).toEqual({ step_hours, ahead_minutes })
    })

    it.each<[string, string[]]>([
      ['one row ahead among sound ones', ['12:03:00', '13:03:00', '12:04:00']],
      ['no whole hour', ['12:35:00', '12:34:00']],
      ['rows ahead by different hours', ['13:03:00', '14:03:00']],
      ['more than two hours', ['15:03:00']],
      ['a day', ['23:59:00']],
      ['a clock that is a little fast', ['12:06:30']],
      ['sound rows', ['12:00:00', '12:04:00']],
      ['no rows', []],
    ])('is not: %s', (_, times) => {
      expect(clockFault(rows(...times), FETCHED)).toBeNull()
    })

    it('is not seen where the times are ours', () => {
      expect(clockFault([{ observed_at: '2026-11-25T13:05:00Z', observed_at_basis: 'fetch' }], FETCHED)).toBeNull()
    })
  })

  const yvr = (...clocks: string[]) =>
    JSON.stringify({
      value: clocks.map((clock, index) => ({
        Terminal: `Gate ${index}`,
        LastUpdatedDate: `Wednesday, 25 November 2026 ${clock}`,
        WaitTime: '420',
      })),
    })
  const codesOf = (body: string) => parseAs('yvr-catsa', body, 'YVR', FETCHED).notices.map(({ code }) => code)

  describe('a source in the parser', () => {
    it('says once that its clock is an hour ahead, beside the rows that are left out', () => {
      const { readings, notices } = parseAs('yvr-catsa', yvr('06:03:00', '06:02:00'), 'YVR', FETCHED)
      expect(readings).toEqual([])
      expect(notices.map(({ code }) => code)).toEqual([
        'source_clock_ahead',
        'observed_in_future',
        'observed_in_future',
      ])
      expect(notices[0]).toMatchObject({
        severity: 'warning',
        iata: 'YVR',
        value: '1 h ahead in America/Vancouver',
        message: expect.stringMatching(/clock of the source is 1 h ahead in America\/Vancouver.*newest by 58 min/),
      })
    })

    it('says nothing of the clock where one row of several is ahead', () => {
      expect(codesOf(yvr('05:03:00', '06:03:00'))).toEqual(['observed_in_future'])
    })

    it('looks at the rows before forgotten ones are left out', () => {
      const row = (time: string, queueName: string) => ({ queueName, projectedWaitTime: 420, time })
      const body = JSON.stringify({
        current: [row('2026-11-25T13:03:00Z', '2 General'), row('2026-11-01T13:03:00Z', '3 General')],
      })
      const { notices } = parseAs('sita-mia', body, 'MIA', FETCHED)
      expect(notices.map(({ code }) => code)).toContain('source_clock_ahead')
    })
  })

  it('the reported feed of Vancouver has two readings of the minute before the fetch', () => {
    const { readings, notices } = parseAs('yvr-catsa', reported('yvr-waits.json'), 'YVR', FETCHED)
    expect(notices).toEqual([])
    expect(readings.map(({ observed_at, wait_minutes }) => [observed_at, wait_minutes])).toEqual([
      ['2026-11-25T12:03:00Z', 7],
      ['2026-11-25T12:03:00Z', 15],
    ])
  })
})
