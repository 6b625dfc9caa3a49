import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Query } from '../../../answers/questions/define.ts'
import { getHistorical } from '../../../answers/questions/get-historical.ts'
import { getPredictions } from '../../../answers/questions/get-predictions.ts'
import { type Airport, indexAirports } from '../../../config/airports/directory.ts'
import { DAY_MS, HOUR_MS, isoUtc, type Tier } from '../../../config/vocabulary.ts'
import { DIRECTORY } from '../../api/airport-directory.ts'
import { fakeSnapshot, forecastFrom, historyOf } from '../../api/fake-snapshot.ts'
import { repetitions } from '../../exhaustive.ts'

/** Time zones of every kind: without clock changes, with changes of an hour or half an hour or at midnight, and far from UTC on both sides. */
const ZONES: Record<string, string> = {
  NYC: 'America/New_York',
  LON: 'Europe/London',
  SYD: 'Australia/Sydney',
  LDH: 'Australia/Lord_Howe',
  SCL: 'America/Santiago',
  HAV: 'America/Havana',
  CAI: 'Africa/Cairo',
  PDL: 'Atlantic/Azores',
  YYT: 'America/St_Johns',
  DEL: 'Asia/Kolkata',
  KTM: 'Asia/Kathmandu',
  CHT: 'Pacific/Chatham',
  CXI: 'Pacific/Kiritimati',
  APW: 'Pacific/Apia',
  PPG: 'Pacific/Pago_Pago',
  GOH: 'America/Nuuk',
}
const first = DIRECTORY.all[0] as Airport
const directory = indexAirports(
  Object.entries(ZONES)
    .map(([iata, timezone]) => ({ ...first, iata, timezone }))
    .sort((a, b) => (a.iata < b.iata ? -1 : 1)),
)

/** The local day from the runtime's own calendar, not from the tested library. */
function dayOf(timezone: string): (instant: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' })
  return (instant) => format.format(instant)
}

const PAST_DAYS = 20
const hourOf = (now: number) => Math.floor(now / HOUR_MS) * HOUR_MS
const hoursFrom = (start: number, count: number) => Array.from({ length: count }, (_, index) => start + index * HOUR_MS)

function timesOf(query: Query, iata: string, input: object, now: number, tier: Tier): string[] {
  const snapshot = fakeSnapshot(now, {
    forecasts: [forecastFrom(iata, hourOf(now))],
    history: [historyOf(iata, hoursFrom(hourOf(now) - PAST_DAYS * DAY_MS, PAST_DAYS * 24), () => 100)],
  })
  const { hours } = query.run({ iata, ...input }, { snapshot, directory, tier, now }) as { hours: { time: string }[] }
  return hours.map(({ time }) => time)
}

// The runtime's calendar knows no changes of 2026, of which these zones have one in Havana.
const begin = Date.parse('2024-01-01T00:00:00Z')
const end = Date.parse('2025-12-31T00:00:00Z')

/** Instants within two years; every other one is within three days of a clock change of the zone. */
function drawnMoment() {
  return fc.constantFrom(...Object.entries(ZONES)).chain(([iata, timezone]) => {
    const day = dayOf(timezone)
    const anywhere = fc.integer({ min: begin / 60_000, max: end / 60_000 }).map((minute) => minute * 60_000)
    const changes = changesOf(timezone)
    const near = fc
      .tuple(fc.constantFrom(...(changes.length > 0 ? changes : [begin])), fc.integer({ min: -72 * 60, max: 24 * 60 }))
      .map(([change, minutes]) => change + minutes * 60_000)
    return fc.oneof(anywhere, near).map((now) => ({ iata, timezone, now, day }))
  })
}

const known = new Map<string, number[]>()

/** The hours at which a zone's offset from UTC changes. */
function changesOf(timezone: string): number[] {
  const format = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' })
  const offset = (instant: number) => format.format(instant).split(', ').at(-1)
  const days = hoursFrom(begin, (end - begin) / HOUR_MS).filter((instant) => instant % DAY_MS === 0)
  const found =
    known.get(timezone) ??
    days
      .filter((start) => offset(start) !== offset(start + DAY_MS))
      .flatMap((start) => hoursFrom(start, 24).filter((hour) => offset(hour) !== offset(hour + HOUR_MS)))
      .map((hour) => hour + HOUR_MS)
  known.set(timezone, found)
  return found
}

describe('the hours of a local day are the UTC hours that begin in it, in every time zone', () => {
  test('predictions: every day of the next seven, up to the horizon of the tier', () => {
    const property = fc.property(drawnMoment(), ({ iata, now, day }) => {
      const seen = hoursFrom(hourOf(now), 168)
      const days = [...new Set(seen.map(day)), day(now)]
      for (const date of new Set(days.filter((other) => other >= day(now)))) {
        const expected = seen.filter((hour) => day(hour) === date).map((hour) => isoUtc(hour))
        expect(timesOf(getPredictions, iata, { date }, now, 'enterprise'), date).toEqual(expected)
      }
      const today = day(now)
      const tomorrow = days[1]!
      // Pro sees 24 hours, the same for today and for tomorrow.
      for (const date of [today, tomorrow])
        expect(timesOf(getPredictions, iata, { date }, now, 'pro'), date).toEqual(
          seen.slice(0, 24).map((hour) => isoUtc(hour)),
        )
    })
    fc.assert(property, { numRuns: repetitions(12, 40) })
  })

  test('history: from and to are included, and no hour is after the last full hour', () => {
    const property = fc.property(
      drawnMoment(),
      fc.integer({ min: 0, max: PAST_DAYS - 2 }),
      fc.integer({ min: 0, max: 6 }),
      ({ iata, now, day }, back, length) => {
        const past = hoursFrom(hourOf(now) - PAST_DAYS * DAY_MS, PAST_DAYS * 24)
        const from = day(now - back * DAY_MS)
        const to = day(Math.min(now, now - (back - length) * DAY_MS))
        const expected = past.filter((hour) => day(hour) >= from && day(hour) <= to).map((hour) => isoUtc(hour))
        expect(timesOf(getHistorical, iata, { from, to }, now, 'enterprise'), `${from} to ${to}`).toEqual(expected)
      },
    )
    fc.assert(property, { numRuns: repetitions(25, 100) })
  })

  test('days of 23 and 25 hours, the half-hour change of Lord Howe, and days without or with two midnights', () => {
    const count = (iata: string, date: string) =>
      timesOf(getPredictions, iata, { date }, Date.parse(`${date}T00:00:00Z`) - 36 * HOUR_MS, 'enterprise').length
    expect([count('NYC', '2026-03-08'), count('NYC', '2026-11-01')]).toEqual([23, 25])
    expect([count('LON', '2026-03-29'), count('LON', '2026-10-25')]).toEqual([23, 25])
    // The UTC hours that begin within its days of 23.5 and 24.5 hours.
    expect([count('LDH', '2026-10-04'), count('LDH', '2026-04-05')]).toEqual([23, 25])
    expect([count('SCL', '2026-09-06'), count('HAV', '2027-11-07')]).toEqual([23, 25])
    expect([count('CXI', '2026-11-22'), count('KTM', '2026-11-22')]).toEqual([24, 24])
  })
})

describe('a day in words', () => {
  // A Sunday at the airport, and Monday in UTC.
  const now = Date.parse('2026-11-30T02:30:00Z')
  const ask = (query: Query, input: object) =>
    query.run({ iata: 'NYC', ...input }, { snapshot: fakeSnapshot(now), directory, tier: 'enterprise', now })

  test.each([
    ['yesterday', 'yesterday', '2026-11-28', '2026-11-29'],
    ['last Friday', 'Friday', '2026-11-27', '2026-11-28'],
    ['20 Nov', 'today', '2026-11-20', '2026-11-30'],
    ['3 days ago', undefined, '2026-11-26', '2026-11-30'],
  ])('the history from %s to %s', (from, to, firstDay, endDay) => {
    const start = (day: string) => `${day}T05:00:00Z`
    const end = endDay === '2026-11-30' ? '2026-11-30T02:00:00Z' : start(endDay)
    expect(ask(getHistorical, { from, to })).toMatchObject({ from: start(firstDay), to: end })
  })

  test('of the history is a past one', () => {
    expect(() => ask(getHistorical, { from: 'tomorrow' })).toThrow(
      /^from: must not be after 2026-11-29, today at the airport$/,
    )
    // On a Sunday the last one was a week ago.
    expect(() => ask(getHistorical, { from: 'Friday', to: 'last Sunday' })).toThrow(
      'from: must not be after `to`: 2026-11-27 is later than 2026-11-22',
    )
    expect(() => ask(getHistorical, { from: 'last friady' })).toThrow(/did you mean "last Friday"\?$/)
    expect(() => ask(getPredictions, { date: 'next Friday' })).toThrow(/either of two days: "Friday" is the first/)
    expect(() => ask(getHistorical, { from: 'Concourse' })).toThrow(/or a past day like `yesterday`$/)
    expect(() => ask(getHistorical, { from: 'last week' })).toThrow(/; for the days until now give `days`: 7$/)
    expect(() => ask(getHistorical, { from: 'the last 30 days' })).toThrow(/; for the days until now give `days`: 30$/)
  })

  test('of the forecast may have a part of the day, and names who has past ones', () => {
    expect(ask(getPredictions, { date: 'tomorrow morning' })).toMatchObject({ date: '2026-11-30' })
    expect(ask(getPredictions, { date: 'ce soir' })).toMatchObject({ date: '2026-11-29' })
    expect(() => ask(getPredictions, { date: 'last Friday' })).toThrow(/get_historical_wait_times/)
  })
})
