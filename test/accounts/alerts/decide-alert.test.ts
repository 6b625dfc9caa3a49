import { expect, test } from 'vitest'
import { type AlertCondition, decideAlert, isQuiet, nextQuietMinute } from '../../../accounts/alerts/decide-alert.ts'
import { localTime } from '../../../answers/statements/local-time.ts'
import { readCases } from '../../values.ts'

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

interface Cases {
  decisions: [what: string, over: Partial<AlertCondition>, wait: number | null, time: string, expected: string][]
  /** Of the two hours after an instant; null where none of them is quiet. */
  next_quiet_minutes: [
    what: string,
    timezone: string,
    quiet_from: string | null,
    quiet_to: string | null,
    now: string,
    begins: string | null,
  ][]
}
const CASES = readCases<Cases>('accounts/alerts/decide-alert.json')

test.each(CASES.decisions)('%s', (_, over, wait, time, expected) => {
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

test.each(CASES.next_quiet_minutes)(
  'the next quiet minute is found: %s',
  (_, timezone, quiet_from, quiet_to, now, begins) => {
    const from = Date.parse(now)
    const to = from + 120 * MINUTE
    expect(nextQuietMinute({ quiet_from, quiet_to }, timezone, from, to)).toBe(
      begins === null ? to : Date.parse(begins),
    )
  },
)
