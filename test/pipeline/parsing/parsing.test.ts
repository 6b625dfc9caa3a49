import { describe, expect, it } from 'vitest'
import { laneOfWord } from '../../../config/lanes.ts'
import { clockBefore, monthDayClock, slashDate, unixSeconds } from '../../../pipeline/parsing/clocks.ts'
import { readCsv } from '../../../pipeline/parsing/csv.ts'
import { laneInName } from '../../../pipeline/parsing/lane.ts'
import { readMinutesText } from '../../../pipeline/parsing/minutes-text.ts'

describe('minutes in words', () => {
  it.each([
    ['18', [18, null, null, 'open']],
    ['4 mins', [4, null, null, 'open']],
    ['7.5 minutes', [7.5, null, null, 'open']],
    ['No Wait', [0, null, null, 'open']],
    ['less than a min', [null, 0, 1, 'open']],
    ['Less than 5 min', [null, 0, 5, 'open']],
    ['< 5', [null, 0, 5, 'open']],
    ['10-15', [null, 10, 15, 'open']],
    ['5 – 10 min', [null, 5, 10, 'open']],
    ['> 20 min', [null, 20, null, 'open']],
    ['More than 30 min', [null, 30, null, 'open']],
    ['at least 25 min', [null, 25, null, 'open']],
    ['30+ min', [null, 30, null, 'open']],
    ['X', [null, null, null, 'closed']],
    ['Closed', [null, null, null, 'closed']],
    ['Opens 4am', [null, null, null, 'closed']],
    ['Not Available', [null, null, null, 'unknown']],
    ['-', [null, null, null, 'unknown']],
    ['', [null, null, null, 'unknown']],
  ])('%j', (text, expected) => {
    const { wait_minutes, wait_minutes_low, wait_minutes_high, status, understood } = readMinutesText(text)
    expect([wait_minutes, wait_minutes_low, wait_minutes_high, status]).toEqual(expected)
    expect(understood).toBe(true)
  })

  it.each(['high', 'a while', '15-10', 'min', '5 hours', '=5', '-3'])('%j is not read into anything', (text) => {
    expect(readMinutesText(text)).toEqual({
      wait_minutes: null,
      wait_minutes_low: null,
      wait_minutes_high: null,
      status: 'unknown',
      understood: false,
    })
  })
})

describe('lanes', () => {
  it.each([
    ['Standard', 'standard'],
    ['General', 'standard'],
    ['Reg', 'standard'],
    ['TSA Pre✓', 'precheck'],
    ['TSA-Pre', 'precheck'],
    ['TSAPre', 'precheck'],
    ['TMP_PreCheck', 'precheck'],
    ['PreCheck OPEN Only', 'precheck'],
    ['9 Clear', 'clear'],
    ['FastTrack', 'priority'],
    ['all passengers', 'all'],
    ['Spot Saver', null],
    ['', null],
  ])('%s is %s', (word, lane) => {
    expect(laneOfWord(word)).toBe(lane)
  })

  it('are split from the end of a name', () => {
    expect(laneInName('IAH Terminal A North TSA PreCheck')).toEqual({ place: 'IAH Terminal A North', lane: 'precheck' })
    expect(laneInName('West Standard')).toEqual({ place: 'West', lane: 'standard' })
    expect(laneInName('Checkpoint 5 General')).toEqual({ place: 'Checkpoint 5', lane: 'standard' })
    expect(laneInName('Premier')).toEqual({ place: 'Premier', lane: null })
    expect(laneInName('Checkpoint Main')).toEqual({ place: 'Checkpoint Main', lane: null })
  })
})

describe('clocks', () => {
  const NEW_YORK = 'America/New_York'
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
  ])('%s read at %s is %s', (clock, fetched_at, expected) => {
    expect(clockBefore(clock, NEW_YORK, fetched_at)).toBe(expected)
  })

  it.each(['', 'now', '13:15 PM', '0:15 AM', '1:75 AM', null, 7])('%j is no clock', (clock) => {
    expect(clockBefore(clock, NEW_YORK, '2026-11-21T05:03:00Z')).toBeNull()
  })

  it('read the other spellings, and nothing out of this century', () => {
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
})

describe('CSV', () => {
  it('knows quotes, doubled quotes, line ends inside quotes and a byte order mark', () => {
    expect(readCsv('\uFEFFa,b\r\n"x, y","say ""hi""\nthere"\n1,\n\n')).toEqual([
      { a: 'x, y', b: 'say "hi"\nthere' },
      { a: '1', b: '' },
    ])
    expect(readCsv('')).toEqual([])
  })
})
