import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type AlertCondition,
  decideAlert,
  isQuiet,
  nextQuietMinute,
  returnLevel,
} from '../../../accounts/alerts/decide-alert.ts'
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

const time = fc.integer({ min: 0, max: 1_439 }).map(clock)
function clock(minutes: number): string {
  const part = (value: number) => String(value).padStart(2, '0')
  return `${part(Math.floor(minutes / 60) % 24)}:${part(minutes % 60)}`
}

test('a series of waits fires once for each crossing, never in quiet hours and never after expiry', () => {
  const series = fc.array(fc.option(fc.integer({ min: 0, max: 90 }), { freq: 8 }), { minLength: 1, maxLength: 120 })
  const randomSeries = fc.record({
    waits: series,
    direction: fc.constantFrom('above' as const, 'below' as const),
    threshold: fc.integer({ min: 1, max: 60 }),
    step: fc.integer({ min: 1, max: 90 }),
    quiet: fc.option(fc.tuple(time, time).filter(([from, to]) => from !== to)),
    lasts: fc.integer({ min: 0, max: 150 }),
  })
  fc.assert(
    fc.property(randomSeries, ({ waits, direction, threshold, step, quiet, lasts }) => {
      const expires = START + lasts * step * MINUTE
      const current = alert({
        direction,
        threshold_minutes: threshold,
        expires_at: new Date(expires).toISOString(),
        quiet_from: quiet?.[0] ?? null,
        quiet_to: quiet?.[1] ?? null,
      })
      const fires: number[] = []
      for (const [k, wait] of waits.entries()) {
        const now = START + k * step * MINUTE
        const decision = decideAlert(current, wait, clock(k * step), now)
        if (decision === 'fire') fires.push(k)
        if (decision !== 'nothing') current.state = decision === 'fire' ? 'fired' : 'armed'
      }
      expect(fires).toEqual(crossings({ waits, direction, threshold, step, quiet, lasts }))
      for (const k of fires) {
        expect(k).toBeLessThan(lasts)
        if (quiet) expect(naivelyQuiet(quiet, k * step)).toBe(false)
      }
    }),
    { numRuns: 400 },
  )
})

interface Series {
  waits: (number | null)[]
  direction: 'above' | 'below'
  threshold: number
  step: number
  quiet: [string, string] | null
  lasts: number
}

/** A naive model: an alert fires once between a crossing and the return past the hysteresis, at the first step outside quiet hours. */
function crossings({ waits, direction, threshold, step, quiet, lasts }: Series): number[] {
  const sign = direction === 'above' ? 1 : -1
  const back = sign * returnLevel({ direction, threshold_minutes: threshold })
  const observed = waits
    .map((wait, k) => ({ k, height: wait === null ? null : sign * wait }))
    .filter(({ k, height }) => height !== null && k < lasts) as { k: number; height: number }[]
  const fires: number[] = []
  let from = 0
  for (;;) {
    const fire = observed.findIndex(
      ({ k, height }, place) => place >= from && height > sign * threshold && !(quiet && naivelyQuiet(quiet, k * step)),
    )
    if (fire < 0) return fires
    fires.push(observed[fire]!.k)
    const returned = observed.findIndex(({ height }, place) => place > fire && height <= back)
    if (returned < 0) return fires
    from = returned + 1
  }
}

/** Walks the clock minute by minute from the beginning of the quiet hours to their end. */
function naivelyQuiet([from, to]: [string, string], minutes: number): boolean {
  const start = Number(from.slice(0, 2)) * 60 + Number(from.slice(3))
  for (let minute = start; clock(minute) !== to; minute++) if (clock(minute) === clock(minutes)) return true
  return false
}
