import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getLeaveBy } from '../../../../api/data/departure/get-leave-by.ts'
import type { LeaveBy } from '../../../../api/data/departure/leave-by-answer.ts'
import { departureWords } from '../../../../api/data/tools/departure-text.ts'
import { airportDirectory } from '../../../../config/airports/directory.ts'
import { HOUR_MS, isoUtc, MINUTE_MS, type Tier } from '../../../../config/domain.ts'
import { localClock } from '../../../../config/time-zones/local-time.ts'
import { typicalModel, typicalQuantiles } from '../../../../forecasting/prior/typical.ts'
import type { ForecastSeries } from '../../../../warehouse/publishing/read/forecasts.ts'
import { repetitions } from '../../../exhaustive.ts'
import { NOW, snapshotAt, THIS_HOUR } from '../../example-snapshot.ts'
import { closedUnknown, forecastFrom, historyOf } from '../../fake-snapshot.ts'
import { openHarness } from '../../harness.ts'
import { call as callTool, connect } from '../../mcp-clients.ts'

const directory = airportDirectory()

/** A forecast of 168 hours with the same quantiles in minutes, like that of an airport's own model. */
function steady(iata: string, p10: number, p50: number, p90: number, terminal = ''): ForecastSeries {
  const fill = (minutes: number) => new Int16Array(168).fill(minutes * 10)
  return Object.assign(forecastFrom(iata, THIS_HOUR, terminal), { p10: fill(p10), p50: fill(p50), p90: fill(p90) })
}

/** The worldwide prior of an airport, as the snapshot holds it. */
function typical(iata: string): ForecastSeries {
  const { size, timezone } = directory.byIata.get(iata)!
  const starts = Array.from({ length: 168 }, (_, hour) => THIS_HOUR + hour * HOUR_MS)
  const { hour, weekday } = localClock(timezone, starts)
  const waits = starts.map((_, at) => typicalQuantiles(size, hour[at]!, weekday[at]!))
  const tenths = (of: (wait: (typeof waits)[number]) => number) => Int16Array.from(waits, (wait) => of(wait) * 10)
  const quantiles = { p10: tenths(({ p10 }) => p10), p50: tenths(({ p50 }) => p50), p90: tenths(({ p90 }) => p90) }
  return Object.assign(forecastFrom(iata, THIS_HOUR), quantiles, { model: typicalModel(size) })
}

const PRIORS = ['ATL', 'LIS', 'ZRH', 'DUB', 'YYZ', 'SIN', 'LHR', 'CDG', 'BTV', 'SJU'].map(typical)
const FORECASTS = PRIORS.concat(steady('JFK', 6, 12, 25), steady('JFK', 2, 4, 8, '4'))
const snapshot = snapshotAt(NOW, { forecasts: FORECASTS })

function leaveBy(input: object, tier: Tier = 'pro', over = snapshot): LeaveBy {
  const asked = { iata: 'JFK', departure: '2026-11-22T08:30', ...input }
  return getLeaveBy.run(asked, { snapshot: over, directory, tier, now: NOW }) as LeaveBy
}
const minutesOf = (instant: string | null | undefined) => Date.parse(instant ?? '') / MINUTE_MS
const stepsOf = ({ steps }: LeaveBy) => steps.map(({ step }) => step)
const assumed = ({ assumptions }: LeaveBy, name: string) => assumptions.find((one) => one.name === name)

describe('the plan', () => {
  it.each([
    ['YVR', '2026-11-26T08:00', '2026-11-26T15:00:00Z', /-07:00$/],
    ['YYC', '2026-11-26T08:00', '2026-11-26T14:00:00Z', /-06:00$/],
    ['CMN', '2026-11-26T08:00', '2026-11-26T08:00:00Z', /\+00:00$/],
    ['YWG', '2026-11-26T08:00', '2026-11-26T13:00:00Z', /-05:00$/],
  ])('%s: a departure at %s local time is at %s by the rules of 2026', (iata, departure, instant, offset) => {
    const answer = leaveBy(
      { iata, departure, travel_minutes: 45 },
      'pro',
      snapshotAt(NOW, { forecasts: [typical(iata)] }),
    )
    expect(answer.departure).toBe(instant)
    expect(answer.recommended!.leave_at_local).toMatch(offset)
    expect(Date.parse(answer.recommended!.leave_at)).toBeLessThan(Date.parse(instant) - 90 * MINUTE_MS)
  })

  it('counts from the door to the gate, rounds down to five minutes and holds what it states', () => {
    const answer = leaveBy({ travel_minutes: 45 })
    expect(answer).toMatchObject({ airport: 'JFK', departure: '2026-11-22T13:30:00Z', outcome: 'recommended' })
    expect(stepsOf(answer)).toEqual(['travel', 'security', 'walk_to_gate'])
    const { leave_at, leave_at_local, arrive_at, probability } = answer.recommended!
    expect(leave_at_local).toMatch(/T0\d:\d[05]:00-05:00$/)
    expect(minutesOf(arrive_at) - minutesOf(leave_at)).toBe(45)
    expect(probability).toBeGreaterThanOrEqual(0.95)
    expect(minutesOf(answer.required_at) - minutesOf(leave_at)).toBeLessThan(5)
    expect(answer.dominated_by).toBe('security')
    expect(answer.security_hours).toBe('not_known')
  })

  it('takes every constant from a page, from the caller or as an assumption that says so', () => {
    const answer = leaveBy({ bags: true, destination: 'LHR', airline: 'AA' })
    for (const { source, basis } of [...answer.steps, ...answer.deadlines]) {
      expect(source).not.toBe('')
      if (basis === 'published') expect(source).toMatch(/https?:\/\//)
    }
    for (const { name, source } of answer.assumptions) expect(source.length, name).toBeGreaterThan(5)
    for (const name of ['travel_minutes', 'walk_to_gate', 'bag_drop', 'bag_drop_closes', 'international'])
      expect(assumed(answer, name), name).toBeDefined()
  })

  it('each step has its long tail, and security the chance of a long wait, none of them in disorder', () => {
    const { steps } = leaveBy({ bags: true, terminal: '4' }, 'enterprise')
    for (const { step, p50_minutes, p90_minutes, p95_minutes, p99_minutes, over_15, over_30 } of steps) {
      const tail = [p50_minutes, p90_minutes, p95_minutes, p99_minutes]
      expect(tail, step).toEqual(tail.toSorted((a, b) => a - b))
      expect([over_15 === undefined, over_30 === undefined], step).toEqual([step !== 'security', step !== 'security'])
    }
    // Quantiles of 2, 4 and 8 minutes: the tail above the 90th percentile falls by e in 1.6 × √4 minutes.
    const security = steps.find(({ step }) => step === 'security')!
    expect(security).toMatchObject({ p50_minutes: 4, p90_minutes: 8 })
    expect(Math.abs(security.p95_minutes - (8 + 3.2 * Math.log(2)))).toBeLessThan(1)
    expect(Math.abs(security.p99_minutes - (8 + 3.2 * Math.log(10)))).toBeLessThan(2)
    expect(security.over_15).toBeCloseTo(0.1 * Math.exp(-7 / 3.2), 1)
    const whole = leaveBy({}).steps.find(({ step }) => step === 'security')!
    expect(whole.over_15).toBeGreaterThan(security.over_15!)
    expect(whole.over_30).toBeLessThan(whole.over_15!)
  })

  it('the way to the airport may be uncertain, and then counts as such', () => {
    const exact = leaveBy({ travel_minutes: 45 })
    const uncertain = leaveBy({ travel_minutes: 45, travel_p90_minutes: 90 })
    expect(minutesOf(uncertain.required_at)).toBeLessThan(minutesOf(exact.required_at) - 20)
    expect(uncertain.dominated_by).toBe('travel')
    expect(exact.steps[0]!.note).toContain('taken as exact')
  })

  it('what would help is computed anew, the most helpful first', () => {
    const answer = leaveBy({ bags: true, travel_minutes: 30 })
    expect(answer.what_if.map(({ change }) => change)).toEqual([
      'carry_on_only',
      'precheck',
      'international_flight',
      'leave_20_minutes_earlier',
    ])
    const [carryOn] = answer.what_if
    const without = leaveBy({ travel_minutes: 30 })
    expect(carryOn!.leave_at).toBe(without.required_at)
    expect(carryOn!.minutes_later).toBe(minutesOf(without.required_at) - minutesOf(answer.required_at))
    const earlier = answer.what_if.at(-1)!
    expect(earlier.probability).toBeGreaterThan(answer.recommended!.probability)
  })

  it('P99 is not later than P90, nor P90 than P50; the curve falls; more to do is never later', {
    timeout: 60_000,
  }, () => {
    const airports = fc.constantFrom('JFK', 'ATL', 'LIS', 'DUB', 'SIN', 'BTV')
    const trip = fc.record({
      iata: airports,
      hour: fc.integer({ min: 2, max: 160 }),
      international: fc.boolean(),
      travel_minutes: fc.nat(120),
      confidence: fc.double({ min: 0.5, max: 0.99, noNaN: true }),
    })
    fc.assert(
      fc.property(trip, ({ iata, hour, ...input }) => {
        const asked = { iata, departure: isoUtc(THIS_HOUR + hour * HOUR_MS), ...input }
        const plain = leaveBy(asked)
        const { p50, p90, p99 } = plain.leave_times
        const times = [p99, p90, p50].flatMap((one) => (one ? [minutesOf(one.leave_at)] : []))
        expect(times).toEqual(times.toSorted((a, b) => a - b))
        const chances = plain.curve.map(({ probability }) => probability)
        expect(chances).toEqual(chances.toSorted((a, b) => b - a))
        for (const chance of chances) expect(chance >= 0 && chance <= 0.99).toBe(true)
        const bags = leaveBy({ ...asked, bags: true })
        const further = leaveBy({ ...asked, travel_minutes: input.travel_minutes + 20 })
        for (const more of [bags, further])
          expect(minutesOf(more.required_at)).toBeLessThanOrEqual(minutesOf(plain.required_at))
      }),
      { numRuns: repetitions(5, 60) },
    )
  })
})

describe('what applies at the airport', () => {
  it('closes bag drop by the airline’s page, at some airports earlier; by the general rule without an airline', () => {
    const closing = (input: object, name = 'bag_drop_closes') =>
      leaveBy({ bags: true, ...input }).deadlines.find(({ deadline }) => deadline === name)
    expect(closing({ airline: 'UA' })).toMatchObject({ minutes_before_departure: 45, basis: 'published' })
    expect(closing({ airline: 'UA', international: true })).toMatchObject({ minutes_before_departure: 60 })
    expect(closing({ iata: 'DUB', airline: 'AA', destination: 'JFK' })).toMatchObject({ minutes_before_departure: 75 })
    expect(closing({ airline: 'U2' }, 'boarding_closes')).toMatchObject({ minutes_before_departure: 30 })
    expect(closing({})).toMatchObject({ minutes_before_departure: 45, basis: 'assumed' })
    expect(closing({ airline: 'ZZ' })?.note).toContain('no page of ZZ is known')
    expect(closing({ iata: 'LHR', airline: 'BA', destination: 'CDG' })).toMatchObject({ minutes_before_departure: 45 })
    expect(closing({ iata: 'LHR', airline: 'BA', destination: 'JFK' })).toMatchObject({ minutes_before_departure: 60 })
    expect(closing({ iata: 'LHR', destination: 'JFK' }, 'security_entry_closes')).toMatchObject({
      minutes_before_departure: 35,
    })
  })

  it('checks passports on the way out of Schengen, with EES for those it registers, and not within', () => {
    const out = leaveBy({ iata: 'LIS', departure: '2026-11-22T15:00', destination: 'LHR' })
    expect(stepsOf(out)).toEqual(['security', 'exit_passport_control', 'walk_to_gate'])
    expect(assumed(out, 'ees')).toMatchObject({ value: true, source: expect.stringContaining('ees=false') })
    const european = leaveBy({ iata: 'LIS', departure: '2026-11-22T15:00', destination: 'LHR', ees: false })
    expect(minutesOf(european.required_at)).toBeGreaterThan(minutesOf(out.required_at) + 30)
    expect(out.what_if[0]).toMatchObject({ change: 'eu_passport', leave_at: european.required_at })
    const within = leaveBy({ iata: 'LIS', departure: '2026-11-22T15:00', destination: 'CDG' })
    expect(stepsOf(within)).toEqual(['security', 'walk_to_gate'])
    expect(stepsOf(leaveBy({ destination: 'LHR' }))).toEqual(['security', 'walk_to_gate'])
  })

  it('clears US immigration before flights to the US where that is done, and asks for it where it may be', () => {
    const trip = { iata: 'YYZ', departure: '2026-11-22T11:00' }
    expect(stepsOf(leaveBy({ ...trip, destination: 'JFK' }))).toContain('us_preclearance')
    expect(stepsOf(leaveBy({ ...trip, destination: 'LHR' }))).not.toContain('us_preclearance')
    const unknown = leaveBy({ ...trip, international: true })
    expect(assumed(unknown, 'preclearance')).toMatchObject({ value: false })
    expect(unknown.what_if.at(0)?.change).toBe('flight_to_the_us')
    expect(unknown.what_if[0]!.minutes_later).toBeLessThan(-20)
  })

  it.each([
    ['CDG', true],
    ['DXB', true],
    ['YYZ', true],
    ['ZRH', true],
    ['JFK', false],
    ['BTV', false],
    ['ORY', false],
    ['DEL', false],
  ])('%s: most flights cross a border: %s', (iata, international) => {
    const answer = leaveBy(
      { iata, departure: '2026-11-23T10:05' },
      'pro',
      snapshotAt(NOW, { forecasts: [typical(iata)] }),
    )
    expect(assumed(answer, 'international')).toMatchObject({ value: international })
  })

  it('an assumption that changes the time by more than ten minutes stands in the second sentence, with the other time', () => {
    const over = snapshotAt(NOW, { forecasts: [typical('CDG'), typical('DXB')] })
    const of = (input: object) => leaveBy({ departure: '2026-11-23T12:05', ...input }, 'pro', over)
    const abroad = of({ iata: 'CDG', bags: true })
    const domestic = of({ iata: 'CDG', bags: true, international: false })
    const clock = domestic.required_at_local!.slice(11, 16)
    const words = departureWords(abroad)
    expect(words.lead).toMatch(/^Be at CDG by \d\d:\d\d on Mon 23 Nov: 9\d % likely to make your flight\.$/)
    expect(words.risk[0]).toMatch(/^That is for a flight abroad and with a passport from outside the EU;/)
    expect(words.risk[0]).toContain(`for a domestic one be there by ${clock}`)
    const told = of({ iata: 'CDG', destination: 'JFK', ees: false })
    expect(departureWords(told).risk[0]).not.toContain('That is')
  })

  it('an international flight without an airline says that check-in closes an hour before', () => {
    const closing = (input: object) =>
      leaveBy({ iata: 'LIS', departure: '2026-11-22T15:00', ...input }).deadlines.find(
        ({ deadline }) => deadline === 'check_in_closes',
      )
    expect(closing({ destination: 'LHR' })).toMatchObject({ minutes_before_departure: 60, basis: 'assumed' })
    expect(closing({ destination: 'LHR', airline: 'U2' })).toBeUndefined()
    expect(closing({ international: false })).toBeUndefined()
  })

  it('a flight abroad is assumed where hardly any other is; territories of the US are domestic', () => {
    expect(assumed(leaveBy({ iata: 'SIN', departure: '2026-11-23T09:00' }), 'international')).toMatchObject({
      value: true,
    })
    expect(assumed(leaveBy({}), 'international')).toMatchObject({ value: false })
    expect(assumed(leaveBy({ destination: 'SJU' }), 'international')).toMatchObject({ value: false })
  })

  it.each([
    [{ destination: 'JFK' }, 'must be another airport'],
    [{ destination: 'QQQ' }, 'no airport has the IATA code QQQ'],
    [{ destination: 'LHR', international: false }, 'must be true for a flight from JFK to LHR'],
    [{ destination: 'ATL', international: true }, 'must be false for a flight from JFK to ATL'],
    [{ airline: 'Virgin' }, 'matches several'],
    [{ travel_minutes: -5 }, 'travel_minutes'],
    [{ travel_minutes: 40, travel_p90_minutes: 30 }, 'must not be below travel_minutes (40)'],
    [{ terminal: '9' }, 'JFK has no terminal "9"; known are: Terminal 1,'],
    [{ security_minutes: 5 }, 'security_minutes'],
    [{ peak_factor: 2 }, 'peak_factor'],
    [{ confidence: 1 }, 'confidence'],
  ])('refuses %j', (input, why) => {
    expect(() => leaveBy(input)).toThrow(why)
  })

  it('a lane is measured against the standard one; PreCheck does not exist abroad', () => {
    const standard = leaveBy({})
    const precheck = leaveBy({ lane: 'precheck' })
    expect(minutesOf(precheck.required_at)).toBeGreaterThan(minutesOf(standard.required_at))
    expect(precheck.steps[0]!.note).toContain('share of the standard wait at JFK')
    expect(assumed(leaveBy({ iata: 'LHR', lane: 'precheck' }), 'lane')).toMatchObject({ value: 'standard' })
  })
})

describe('times that are hard to keep', () => {
  const soon = (minutes: number, more: object = {}) =>
    leaveBy({ departure: isoUtc(NOW + minutes * MINUTE_MS), ...more })

  it('too late for the required chance: leave now, with the chance that is left and the time that has passed', () => {
    const answer = soon(65)
    expect(answer.outcome).toBe('late')
    expect(answer.recommended).toMatchObject({ leave_at: isoUtc(NOW) })
    expect(answer.recommended!.probability).toBeGreaterThan(0.3)
    expect(answer.recommended!.probability).toBeLessThan(0.95)
    expect(minutesOf(answer.required_at)).toBeLessThan(minutesOf(isoUtc(NOW)))
  })

  it('missed: nothing is recommended, but what would still do', () => {
    const answer = soon(60, { bags: true, travel_minutes: 20 })
    expect([answer.outcome, answer.recommended]).toEqual(['missed', null])
    expect(answer.unavailable_reason).toContain('can no longer be caught')
    expect(answer.what_if.find(({ change }) => change === 'carry_on_only')!.probability).toBeGreaterThan(0.1)
  })

  it('an early flight: security that opens late limits the chance, and leaving earlier does not help', () => {
    // Five hours are closed from midnight in New York; the hour of 04 is open for its second half.
    const series = steady('JFK', 3, 6, 12)
    series.open.fill(100)
    const hourAt = (local: string) => (Date.parse(`2026-11-22T${local}:00-05:00`) - THIS_HOUR) / HOUR_MS
    for (const hour of ['00:00', '01:00', '02:00', '03:00']) series.open[hourAt(hour)] = 2
    series.open[hourAt('04:00')] = 50
    const early = leaveBy(
      { departure: '2026-11-22T05:10', travel_minutes: 30 },
      'pro',
      snapshotAt(NOW, { forecasts: [series] }),
    )
    expect(early).toMatchObject({
      outcome: 'best_possible',
      dominated_by: 'security_opening',
      security_hours: 'known',
      security_opens_at_local: '2026-11-22T04:30:00-05:00',
    })
    const { arrive_at_local, probability } = early.recommended!
    expect(arrive_at_local.slice(11, 16) <= '04:30').toBe(true)
    expect(probability).toBeLessThan(0.95)
    expect(early.curve[0]!.probability).toBe(probability)
    const later = leaveBy({ departure: '2026-11-22T07:00' }, 'pro', snapshotAt(NOW, { forecasts: [series] }))
    expect(later.outcome).toBe('recommended')
  })

  it('that security is open now says nothing of its night: the second sentence says that it is not known', () => {
    const series = steady('JFK', 3, 6, 12)
    series.open[0] = 97
    const night = leaveBy({ departure: '2026-11-22T03:30' }, 'pro', snapshotAt(NOW, { forecasts: [series] }))
    expect(night.security_hours).toBe('not_known')
    expect(assumed(night, 'security_open')).toMatchObject({ value: true })
    expect(departureWords(night).risk[0]).toBe(
      'Whether security is open at that hour is not known here: ask the airport.',
    )
  })

  it('a queue that is closed until nobody knows when makes every probability conditional on its opening', () => {
    const over = snapshotAt(NOW, { queues: { 'JFK security': closedUnknown(NOW) }, forecasts: FORECASTS })
    const near = leaveBy({ departure: isoUtc(NOW + 5 * HOUR_MS) }, 'free', over)
    expect(near).toMatchObject({ outcome: 'recommended', security_now: 'closed', security_opens_at: null })
    const security = near.steps.find(({ step }) => step === 'security')!
    expect(near.security_must_open_by).toBe(security.begins_at)
    const words = departureWords(near)
    const clock = security.begins_at_local.slice(11, 16)
    expect(words.lead).toMatch(
      new RegExp(
        `^Security is closed now, and when it opens is not known\\. If it is open by ${clock}: be at JFK by ${clock} on Sat 21 Nov: 9\\d % likely`,
      ),
    )
    expect(words.risk.join(' ')).not.toContain('closed now')
    const later = leaveBy({ departure: isoUtc(NOW + 20 * HOUR_MS) }, 'free', over)
    expect(later.security_must_open_by).toBeNull()
    expect(departureWords(later).risk.join(' ')).not.toContain('closed now')
    const reopening = { ...closedUnknown(NOW), reopens_at: isoUtc(NOW + HOUR_MS), reopens_basis: 'measured' as const }
    const known = leaveBy(
      { departure: isoUtc(NOW + 5 * HOUR_MS) },
      'free',
      snapshotAt(NOW, { queues: { 'JFK security': reopening }, forecasts: FORECASTS }),
    )
    expect(known.security_must_open_by).toBeNull()
    expect(departureWords(known).risk.join(' ')).toContain('Security is closed now.')
  })

  it('an airport without scheduled flights has no figure', () => {
    const small = directory.all.find(({ scheduled_service, size }) => !scheduled_service && size === 'small')!.iata
    const answer = leaveBy({ iata: small, departure: isoUtc(NOW + 5 * HOUR_MS) })
    expect(answer).toMatchObject({ outcome: 'no_figure', recommended: null, steps: [] })
    expect(answer.unavailable_reason).toContain('no scheduled flights')
  })
})

describe('how far it sees', () => {
  it('a forecast within the horizon of the tier, later the usual pattern, with its wider spread', () => {
    const hours = Array.from({ length: 28 * 24 }, (_, back) => THIS_HOUR - (28 * 24 - back) * HOUR_MS)
    const history = [historyOf('JFK', hours, (index) => 50 + ((index * 37) % 300))]
    const known = snapshotAt(NOW, { forecasts: FORECASTS, history })
    const kinds = (departure: string) =>
      (['free', 'pro', 'enterprise'] as const).map((tier) => leaveBy({ departure }, tier, known).forecast?.kind)
    expect(kinds('2026-11-22T08:30')).toEqual(['forecast', 'forecast', 'forecast'])
    expect(kinds('2026-11-26T08:30')).toEqual(['usual', 'usual', 'forecast'])
    expect(kinds('2027-03-03T08:30')).toEqual(['usual', 'usual', 'usual'])
    expect(leaveBy({ departure: '2027-03-03T08:30' }).forecast).toMatchObject({ kind: 'typical', basis: 'typical' })
    const usual = leaveBy({ departure: '2027-03-03T08:30' }, 'pro', known)
    expect(usual.steps.find(({ step }) => step === 'security')!.note).toContain('the usual pattern')
  })

  it('names the tier whose forecast reaches the day', () => {
    const of = (tier: Tier) => leaveBy({ departure: '2026-11-26T08:30' }, tier)
    expect([of('free'), of('enterprise')].map(({ forecast }) => forecast!.reached_by)).toEqual(['Enterprise', null])
    expect(departureWords(of('free')).risk.join(' ')).toContain(
      'the forecast of your tier does not reach that day, though that of Enterprise does',
    )
    const later = leaveBy({ departure: '2027-03-03T08:30' }, 'free')
    expect(departureWords(later).risk.join(' ')).toContain('no forecast is known for that time')
  })

  it('waits that jump between hours are interpolated, so that no minute has two probabilities', () => {
    const series = steady('JFK', 2, 4, 8)
    const jump = (Date.parse('2026-11-22T12:00:00Z') - THIS_HOUR) / HOUR_MS
    for (const values of [series.p10, series.p50, series.p90])
      for (let hour = jump; hour < jump + 10; hour += 1) values[hour] = values[hour]! + 450
    const answer = leaveBy({ departure: '2026-11-22T09:30' }, 'pro', snapshotAt(NOW, { forecasts: [series] }))
    const { p50, p90, p99 } = answer.leave_times
    expect(new Set([p50, p90, p99].map((one) => one!.leave_at)).size).toBe(3)
    expect(minutesOf(p50!.leave_at)).toBeGreaterThan(minutesOf(p90!.leave_at) + 2)
  })

  it('the forecast of a terminal is for Enterprise; others are told that the whole airport counts', () => {
    const security = (tier: Tier) => leaveBy({ terminal: 'Terminal 4' }, tier).steps[0]!
    expect(security('enterprise').p50_minutes).toBe(4)
    expect(security('pro').p50_minutes).toBeGreaterThan(8)
    expect(assumed(leaveBy({ terminal: '4' }), 'terminal')).toMatchObject({ value: 'the whole airport' })
  })

  it('counts the eve of Thanksgiving and says so', () => {
    const eve = leaveBy({ iata: 'ATL', departure: '2026-11-25T08:30' })
    const plain = leaveBy({ iata: 'ATL', departure: '2026-12-09T08:30' })
    expect(eve.peak).toMatchObject({ name: 'the day before Thanksgiving Day', factor: 1.38 })
    expect(plain.peak).toBeNull()
    const lead = (answer: LeaveBy) => minutesOf(answer.departure) - minutesOf(answer.required_at)
    expect(lead(eve)).toBeGreaterThan(lead(plain) + 3)
  })
})

describe('over REST and MCP', () => {
  it('answers any tier, with the same body as the full answer of the tool', async () => {
    const harness = await openHarness({}, { directory })
    harness.controls.snapshot = snapshot
    const query = 'departure=2026-11-22T17:30&destination=LHR&bags=true&travel_minutes=45&confidence=0.9&lane=standard'
    const input = {
      iata: 'JFK',
      departure: '2026-11-22T17:30',
      destination: 'LHR',
      bags: true,
      travel_minutes: 45,
      confidence: 0.9,
      lane: 'standard',
    }
    const answers = await Promise.all(
      (['free', 'pro', 'enterprise'] as const).map((tier) =>
        harness.call(tier, `/api/v1/airports/JFK/leave-by?${query}`),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    const client = await connect(harness, 'free', 'client 2')
    const { structuredContent, content } = await callTool(client, 'get_best_time_to_fly', { ...input, detail: 'full' })
    const { more, ...full } = structuredContent as { more: string | null }
    expect([more, full]).toEqual([null, answers[0]!.json()])
    expect(content[0]!.text).toMatch(
      /^Leave for JFK at 15:\d\d on Sun 22 Nov: 9\d % likely to make your flight\. The risk is mostly/,
    )
    expect(content[0]!.text).toMatch(/^- 1\d:\d\d security: \d+ min/m)
    const counted = await harness.call('free', '/api/v1/airports/JFK/leave-by?departure=2026-11-22T17:30&bags=2')
    expect(counted.json().steps[0].step).toBe('bag_drop')
    const past = await harness.call('free', '/api/v1/airports/JFK/leave-by?departure=2026-11-20T17:30')
    expect([past.statusCode, past.json()]).toMatchObject([400, { code: 'INVALID_PARAMETER' }])
    const none = await harness.call('free', '/api/v1/airports/JFK/leave-by')
    expect([none.statusCode, none.json().errors]).toMatchObject([400, [{ parameter: 'departure' }]])
  })

  it('an answer is as of its minute, although the snapshot is the same', async () => {
    const harness = await openHarness({}, { directory })
    harness.controls.snapshot = snapshot
    const ask = () => harness.call('free', '/api/v1/airports/JFK/leave-by?departure=2026-11-21T10:25')
    const first = await ask()
    expect(first.headers['cache-control']).toMatch(/max-age=([0-9]|[1-5][0-9]|60)$/)
    harness.controls.now = NOW + 2 * MINUTE_MS
    const later = (await ask()).json() as LeaveBy
    expect([first.json().outcome, later.outcome]).toEqual(['late', 'late'])
    expect(later.recommended!.leave_at).toBe(isoUtc(NOW + 2 * MINUTE_MS))
    expect(later.recommended!.probability).toBeLessThan(first.json().recommended.probability)
  })
})
