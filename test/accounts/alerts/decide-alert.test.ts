import { expect, test } from 'vitest'
import { type AlertCondition, decideAlert, isQuiet, nextQuietMinute } from '../../../accounts/alerts/decide-alert.ts'
import { localTime } from '../../../answers/statements/local-time.ts'

const START = Date.parse('2026-11-21T00:00:00Z')
const MINUTE = 60_000
const alert = (over: Partial<AlertCondition> = {}): AlertCondition => ({
  direction: 'above',
  threshold_minutes: 30,
  state: 'armed',
  expires_at: '2026-12-01T00:00:00.000Z',
  quiet_from: null,
  quiet_to: null,
  ...over,
})

test.each([
  ['above the threshold', {}, 31, '12:00', 'fire'],
  ['at the threshold is not above it', {}, 30, '12:00', 'nothing'],
  ['not observed', {}, null, '12:00', 'nothing'],
  ['below the threshold', { direction: 'below' }, 29, '12:00', 'fire'],
  ['at the threshold is not below it', { direction: 'below' }, 30, '12:00', 'nothing'],
  ['still above', { state: 'fired' }, 60, '12:00', 'nothing'],
  ['returned, but not past the hysteresis of 6', { state: 'fired' }, 25, '12:00', 'nothing'],
  ['returned past the hysteresis', { state: 'fired' }, 24, '12:00', 'arm'],
  ['returned above past the hysteresis', { state: 'fired', direction: 'below' }, 36, '12:00', 'arm'],
  ['not yet returned above', { state: 'fired', direction: 'below' }, 35, '12:00', 'nothing'],
  ['a low threshold: the smallest hysteresis', { state: 'fired', threshold_minutes: 10 }, 7, '12:00', 'arm'],
  ['a low threshold: within it', { state: 'fired', threshold_minutes: 10 }, 8, '12:00', 'nothing'],
  ['the lowest threshold can be armed again', { state: 'fired', threshold_minutes: 1 }, 1, '12:00', 'arm'],
  ['only a wait of 0 is below 1', { direction: 'below', threshold_minutes: 1 }, 0, '12:00', 'fire'],
  ['in quiet hours', { quiet_from: '11:00', quiet_to: '13:00' }, 60, '12:00', 'nothing'],
  ['quiet hours include their first minute', { quiet_from: '12:00', quiet_to: '13:00' }, 60, '12:00', 'nothing'],
  ['quiet hours exclude their end', { quiet_from: '11:00', quiet_to: '12:00' }, 60, '12:00', 'fire'],
  ['quiet over midnight, before midnight', { quiet_from: '22:00', quiet_to: '06:00' }, 60, '23:30', 'nothing'],
  ['quiet over midnight, after midnight', { quiet_from: '22:00', quiet_to: '06:00' }, 60, '05:59', 'nothing'],
  ['not quiet before they begin', { quiet_from: '22:00', quiet_to: '06:00' }, 60, '21:59', 'fire'],
  ['armed again also in quiet hours', { state: 'fired', quiet_from: '22:00', quiet_to: '06:00' }, 5, '23:00', 'arm'],
  ['expired at exactly its expiry', { expires_at: '2026-11-21T00:00:00.000Z' }, 60, '12:00', 'nothing'],
  [
    'an expired alert is not armed again',
    { state: 'fired', expires_at: '2026-11-21T00:00:00.000Z' },
    1,
    '12:00',
    'nothing',
  ],
] as [string, Partial<AlertCondition>, number | null, string, string][])('%s', (_, over, wait, time, expected) => {
  expect(decideAlert(alert(over), wait, time, START)).toBe(expected)
})

test('quiet hours follow the wall clock on the days on which daylight saving time begins or ends', () => {
  const quietAt = (instant: string) =>
    isQuiet(
      { quiet_from: '01:00', quiet_to: '03:00' },
      localTime(Date.parse(instant), 'America/New_York').slice(11, 16),
    )
  // 1 November 2026: the hour from 01:00 to 02:00 occurs twice, so three hours are quiet.
  const autumn = ['04:59', '05:00', '06:30', '07:59', '08:00'].map((time) => quietAt(`2026-11-01T${time}:00Z`))
  expect(autumn).toEqual([false, true, true, true, false])
  // 8 March 2026: the hour from 02:00 to 03:00 does not occur, so one hour is quiet.
  const spring = ['05:59', '06:00', '06:59', '07:00'].map((time) => quietAt(`2026-03-08T${time}:00Z`))
  expect(spring).toEqual([false, true, true, false])
})

test.each([
  ['later this day', 'America/New_York', '22:00', '06:00', '2026-11-22T01:20:00Z', '2026-11-22T03:00:00Z'],
  ['not within two hours', 'America/New_York', '22:00', '06:00', '2026-11-22T00:20:00Z', null],
  ['just over, for a day', 'America/New_York', '22:00', '06:00', '2026-11-22T11:00:00Z', null],
  ['past midnight', 'America/New_York', '00:10', '06:00', '2026-11-22T04:20:00Z', '2026-11-22T05:10:00Z'],
  [
    'at an hour that the clock leaves out',
    'Europe/Berlin',
    '02:30',
    '05:00',
    '2027-03-28T00:30:00Z',
    '2027-03-28T01:00:00Z',
  ],
  ['within an hour that it leaves out', 'Europe/Berlin', '02:30', '02:45', '2027-03-28T00:30:00Z', null],
  ['a second time in autumn', 'Europe/Berlin', '02:30', '02:45', '2026-10-25T00:50:00Z', '2026-10-25T01:30:00Z'],
  [
    'in the half hour that Lord Howe leaves out',
    'Australia/Lord_Howe',
    '02:15',
    '04:00',
    '2026-10-03T15:10:00Z',
    '2026-10-03T15:30:00Z',
  ],
  ['never', 'America/New_York', null, null, '2026-11-22T01:20:00Z', null],
])('the next quiet minute is found: %s', (_, timezone, quiet_from, quiet_to, now, begins) => {
  const from = Date.parse(now)
  const to = from + 120 * MINUTE
  expect(nextQuietMinute({ quiet_from, quiet_to }, timezone, from, to)).toBe(begins === null ? to : Date.parse(begins))
})
